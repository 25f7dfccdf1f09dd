/** How a store and headquarters reach each other, whatever carries it (shared/chain/wire.ts). */
import type { Duplex, Readable } from 'node:stream';
import type { z } from 'zod';
import type { AnswerOf, AskOf, ChainVerb, Refusal, SegmentAnswer, ToldLine } from '../../../shared/chain/wire.ts';

export interface Line {
  /** @throws LineDown, LineRefused, Unproved */
  ask<V extends ChainVerb>(verb: V, ask: AskOf<V>): Promise<AnswerOf<V>>;
  /** @param segment a whole file (shared/chain/segment.ts) @throws LineDown, LineRefused, Unproved */
  send(segment: Buffer): Promise<z.infer<typeof SegmentAnswer>>;
  /**
   * Is told what headquarters wants, for as long as that lasts; answers go by `ask('answer', …)`.
   * @param told of each line, in order @param heard once it is known that headquarters can speak
   * @throws LineDown, LineRefused, Unproved when it has ended
   */
  listen(told: (line: z.infer<typeof ToldLine>) => void, heard: () => void): Promise<never>;
  /**
   * A connection of its own over which headquarters asks (shared/chain/wire.ts, `open`).
   * @throws LineDown, LineRefused, Unproved
   */
  tunnel(id: string): Promise<Duplex>;
  /**
   * A document or file of headquarters, over a connection of its own: nothing else waits behind it.
   * @param sha256 its name
   * @returns undefined: headquarters has nothing from `from` on
   * @throws LineDown, LineRefused, Unproved
   */
  blob(sha256: string, wish: BlobWish): Promise<Blob | undefined>;
  close(): void;
}

export interface BlobWish {
  /** The first byte, from 0, and the last; without that all that follow. */
  readonly from: number;
  readonly to?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Blob {
  /** Number of the first byte that comes: 0 where headquarters sends no parts. */
  readonly start: number;
  /** Of all of it; null: headquarters does not say. */
  readonly total: number | null;
  /** Whoever has it ends it. */
  readonly bytes: Readable;
}

/** Headquarters cannot be reached, or does not answer as it should. The sentence says why. */
export class LineDown extends Error {}

/** Whoever answers is not the headquarters that was enrolled with. */
export class Unproved extends Error {}

/** Headquarters says no. */
export class LineRefused extends Error {
  readonly code: Refusal['code'];

  constructor(refusal: Refusal) {
    super(refusal.error);
    this.code = refusal.code;
  }
}
