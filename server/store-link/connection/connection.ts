/** Connection between a store and headquarters, independent of the transport (shared/chain/wire.ts). */
import type { Duplex, Readable } from 'node:stream';
import type { z } from 'zod';
import type { AnswerOf, AskOf, ChainVerb, DownlinkLine, Refusal, SegmentAnswer } from '../../../shared/chain/wire.ts';

export interface Connection {
  /** @throws ConnectionDown, RequestRefused, Unproved */
  request<V extends ChainVerb>(verb: V, request: AskOf<V>): Promise<AnswerOf<V>>;
  /** @param segment a whole file (shared/chain/segment.ts) @throws ConnectionDown, RequestRefused, Unproved */
  send(segment: Buffer): Promise<z.infer<typeof SegmentAnswer>>;
  /**
   * Receives requests of headquarters until the connection ends; answers are sent with `request('answer', …)`.
   * @param told called with each message, in order @param heard called when headquarters can send
   * @throws ConnectionDown, RequestRefused, Unproved when the connection has ended
   */
  listen(told: (line: z.infer<typeof DownlinkLine>) => void, heard: () => void): Promise<never>;
  /**
   * Opens a separate connection for requests of headquarters (shared/chain/wire.ts, `open`).
   * @throws ConnectionDown, RequestRefused, Unproved
   */
  tunnel(id: string): Promise<Duplex>;
  /**
   * Fetches a document or file of headquarters over a separate connection, so that nothing else waits behind it.
   * @param sha256 name of the document or file
   * @returns undefined: headquarters has no bytes from `from` on
   * @throws ConnectionDown, RequestRefused, Unproved
   */
  blob(sha256: string, wish: FileRequest): Promise<Blob | undefined>;
  close(): void;
}

export interface FileRequest {
  /** Numbers of the first and the last byte, counted from 0. Without `to`, all bytes to the end. */
  readonly from: number;
  readonly to?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Blob {
  /**
   * Number of the first byte in the answer. 0 if headquarters does not support ranges, so that the answer is the whole
   * file.
   */
  readonly start: number;
  /** Size of the whole file in bytes; null: headquarters does not send the size. */
  readonly total: number | null;
  /** Bytes of the answer. The caller must destroy the stream. */
  readonly bytes: Readable;
}

/** Error: headquarters cannot be reached or does not answer as expected. The message says why. */
export class ConnectionDown extends Error {}

/** Error: another server than the enrolled headquarters answers. */
export class Unproved extends Error {}

/** Error: headquarters has refused the request. */
export class RequestRefused extends Error {
  readonly code: Refusal['code'];

  constructor(refusal: Refusal) {
    super(refusal.error);
    this.code = refusal.code;
  }
}
