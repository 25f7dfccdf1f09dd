/**
 * Form of a play in the journal, and the hash chain of the rows: each row's hash covers the previous row, so that a
 * removed, changed, repeated or moved row breaks the chain. A signature of a hash therefore covers all rows before it.
 * The hash is computed from the values that the server stores: whole milliseconds, names without control characters.
 */
import type { Play } from './messages.ts';

export interface JournalRow extends Omit<Play, 'boot_id' | 'uncertainty_ms'> {
  /** Number of the play, from 1 without gaps. If the journal dropped rows, the lowest numbers are missing. */
  readonly seq: number;
  /** Id of the run of the player (one start of its process) that showed the content. */
  readonly boot_id: string;
  /** Uncertainty of started_at in milliseconds; null: the clock had not been compared with the server's in this run. */
  readonly uncertainty_ms: number | null;
  /** Hash of the previous row. */
  readonly prev: string;
  readonly hash: string;
}

/**
 * Returns the start of the chain. It depends on the signing key, so that the rows of two players never fit together.
 */
export const genesis = (sha256: (text: string) => string, publicKey: string | null): string =>
  sha256(`vitrine.journal.1:${publicKey ?? ''}`);

export type ChainedFields = Omit<JournalRow, 'hash'>;

/** The hashed text is an array instead of an object, so that the order of fields and absent fields are well defined. */
export function rowHash(sha256: (text: string) => string, row: ChainedFields): string {
  return sha256(
    JSON.stringify([
      'vitrine.play.1',
      row.prev,
      row.seq,
      row.id,
      row.boot_id,
      row.item_id,
      row.playlist_id,
      row.content_id,
      row.widget_id,
      row.zone_id,
      row.content_name,
      row.started_at,
      row.ended_at,
      row.completed,
      row.uncertainty_ms,
    ]),
  );
}

/** Returns the text that is signed for all rows up to this row. */
export const sealText = (row: Pick<JournalRow, 'seq' | 'hash'>): string => `vitrine.seal.1:${row.seq}:${row.hash}`;
