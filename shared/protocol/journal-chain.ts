/**
 * The form of a play in the journal and how rows are chained: each row's hash covers the one before, so that a row
 * removed, changed, repeated or moved breaks the chain; the signature of a hash vouches for everything before it.
 * What is hashed is what the server keeps: whole milliseconds, names without control characters.
 */
import type { Play } from './messages.ts';

export interface JournalRow extends Omit<Play, 'boot_id' | 'uncertainty_ms'> {
  /** Counts from 1 without gaps; rows that were given up are missing at the front. */
  readonly seq: number;
  /** This run of the player. */
  readonly boot_id: string;
  /** Of started_at, in milliseconds; null: the clock had not been compared with the server's in this run. */
  readonly uncertainty_ms: number | null;
  /** Hash of the row before. */
  readonly prev: string;
  readonly hash: string;
}

/** The chain begins at the key that signs it, so that the rows of two players never fit together. */
export const genesis = (sha256: (text: string) => string, publicKey: string | null): string =>
  sha256(`vitrine.journal.1:${publicKey ?? ''}`);

export type ChainedFields = Omit<JournalRow, 'hash'>;

/** An array, not an object: the order of members and what is absent must not be a matter of taste. */
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

/** What is signed for the rows up to and including this one. */
export const sealText = (row: Pick<JournalRow, 'seq' | 'hash'>): string => `vitrine.seal.1:${row.seq}:${row.hash}`;
