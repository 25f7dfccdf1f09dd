/**
 * Remembers requested transfer files until they are downloaded. Each file can be downloaded once, because its number
 * must belong to one file only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { conflict, notFound } from '../../shared/contract/errors.ts';
import type { TransferState } from '../../shared/contract/headquarters/transfer-files.ts';
import { cutWhenStalled } from '../http/limits/stalled.ts';
import { type Clock, seconds } from '../kernel/time/clock.ts';

/** Validity of the download ticket in seconds. */
const KEPT_SECONDS = 600;
/** Maximum number of downloads at the same time. */
const MAX_SENT = 8;

export interface Outgoing {
  readonly filename: string;
  /** Size in bytes; null: not known in advance. */
  readonly bytes: number | null;
  readonly write: () => Promise<AsyncGenerator<Buffer, void, undefined>>;
}

interface Kept extends Outgoing {
  readonly number: number;
  readonly until: number;
}

export class OutgoingTransferFiles {
  readonly #clock: Clock;
  /**
   * Last requested transfer file of each receiver: by id of the workspace (in a store), or by id of the store (at
   * headquarters).
   */
  readonly #kept = new Map<string, Kept>();
  readonly #sent = new Map<string, { bytes: number; readonly total: number | null }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws ApiError 409 while a transfer file for this place is being downloaded */
  requireFree(place: string): void {
    if (this.#sent.has(place))
      throw conflict('Another USB stick is being written. Wait until the writing is finished.');
    if (this.#sent.size >= MAX_SENT) throw conflict('Too many USB sticks are being written. Try again later.');
  }

  /** @returns until when the file can be downloaded */
  offer(place: string, number: number, outgoing: Outgoing): number {
    const now = seconds(this.#clock);
    for (const [key, { until }] of this.#kept) if (until < now) this.#kept.delete(key);
    this.#kept.set(place, { ...outgoing, number, until: now + KEPT_SECONDS });
    return now + KEPT_SECONDS;
  }

  sent(place: string): TransferState['under_way'] {
    const sent = this.#sent.get(place);
    return sent ? { what: 'out', ...sent } : null;
  }

  /** Streams the file to the client. @throws ApiError 404 if the file was already downloaded or never requested */
  async send(place: string, number: number, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const kept = this.#kept.get(place);
    if (kept?.number !== number || kept.until < seconds(this.#clock)) throw notFound('Stick');
    const { filename, bytes, write } = kept;
    const headers = {
      'Content-Type': 'application/vnd.vitrine.stick',
      'Content-Disposition': `attachment; filename="${filename}"`,
      'Cache-Control': 'no-store',
      ...(bytes !== null && { 'Content-Length': bytes }),
    };
    if (req.method === 'HEAD') return void res.writeHead(200, headers).end();
    this.#kept.delete(place);
    const sent = { bytes: 0, total: bytes };
    this.#sent.set(place, sent);
    try {
      const chunks = await write();
      res.writeHead(200, headers);
      cutWhenStalled(res);
      // Ignores both errors: a client that disconnects, and a file that cannot be read. The answer then ends early,
      // which the client notices.
      await pipeline(Readable.from(counted(chunks, sent), { highWaterMark: 1 }), res).catch(() => res.destroy());
    } finally {
      this.#sent.delete(place);
    }
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, sent: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sent.bytes += chunk.length;
    yield chunk;
  }
}
