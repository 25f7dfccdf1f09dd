/** Sends the journal to the server, one batch at a time. Rows are deleted only after the server has committed them. */

import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import { MAX_FRAME_BYTES, MAX_PLAYS_PER_MESSAGE, type PlayerMessage } from '../../../shared/protocol/messages.ts';
import type { Host, Undo } from '../ports.ts';
import type { Journal } from './journal.ts';

/**
 * Random delay up to 5 s. Synchronized screens end their plays at the same instant, and their reports must not arrive
 * at once.
 */
const GATHER_MS = 5_000;
/**
 * Time limit for the server's answer. After this time the batch is sent again. The server recognizes rows that it
 * already has.
 */
const ACK_MS = 30_000;
/**
 * Size limit of a message. Leaves room for names of 2,000 characters in any script, and for the other fields of the
 * frame.
 */
const MAX_BATCH_BYTES = MAX_FRAME_BYTES / 2;

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly journal: Pick<Journal, 'pending' | 'forget' | 'seal'>;
  readonly send: (message: PlayerMessage) => boolean;
}

export class PlayDelivery {
  readonly #deps: Deps;
  #connected = false;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Begins delivery. Called once the server has accepted this player and the clock was compared. */
  connected(): void {
    this.#connected = true;
    this.#after(this.#deps.crypto.random() * GATHER_MS);
  }

  disconnected(): void {
    this.#connected = false;
    this.#cancel?.();
  }

  /** Schedules a delivery, because a row was added to the journal. */
  schedule(): void {
    if (this.#connected && !this.#cancel) this.#after(this.#deps.crypto.random() * GATHER_MS);
  }

  async acknowledged(through: number): Promise<void> {
    await this.#deps.journal.forget(through);
    if (this.#connected) this.#after(0);
  }

  #after(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#deps.time.after(ms, () => {
      this.#cancel = undefined;
      void this.#deliver().catch((error) => this.#deps.log.error('the journal could not be read', error));
    });
  }

  async #deliver(): Promise<void> {
    const rows = fitting(await this.#deps.journal.pending(MAX_PLAYS_PER_MESSAGE));
    const [first] = rows;
    if (!first || !this.#connected) return;
    const last = rows.at(-1)!;
    const signature = this.#deps.journal.seal(last);
    const chain = signature && { prev: first.prev, head: last.hash, signature };
    // `chain`, `boot_id` and `uncertainty_ms` make the report verifiable. An older server ignores these fields.
    const message = { type: 'plays' as const, first: first.seq, plays: rows.map(outgoing), ...(chain && { chain }) };
    if (!this.#deps.send(message)) return;
    this.#after(ACK_MS);
  }
}

function outgoing({ seq: _seq, prev: _prev, hash: _hash, ...play }: JournalRow) {
  return play;
}

function fitting(rows: readonly JournalRow[]): JournalRow[] {
  const batch: JournalRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += JSON.stringify(outgoing(row)).length + 3 * row.content_name.length;
    if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
    batch.push(row);
  }
  return batch;
}
