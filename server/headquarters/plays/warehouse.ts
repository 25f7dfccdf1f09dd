/**
 * Storage for the plays of all stores: cursors, segments and sums. Implemented in headquarters' own SQLite database and
 * in PostgreSQL (`--postgres`). Code that writes or reports works with both.
 */
import type { Cursor, Epoch } from '../../../shared/chain/cursor.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SumRow, SumsQuestion, TotalsRow } from '../../features/reports/chain-questions.ts';
import type { Subject } from '../../features/reports/ingest/sums.ts';
import type { Place } from './segment-files.ts';

/** A store: its number in headquarters' own database, and its permanent id. */
export interface Whose {
  readonly id: number;
  readonly ref: string;
}

/** Epoch milliseconds; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export interface CursorRow extends Cursor {
  readonly first: number;
}

export interface SegmentRow extends Place {
  readonly id: number;
  /** Number of the store in headquarters' own database. */
  readonly store: number;
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
  /** Number of the first play in the segment that headquarters did not have. */
  readonly fresh: number;
  /** JSON: numbers of plays that had already arrived under other numbers. */
  readonly dropped: string | null;
  readonly plays: number;
  /** Start times of the first and the last play, epoch milliseconds. */
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * Subject of sums: content, a screen, or a campaign. Content that a campaign showed and the same content without a
 * campaign are two subjects, so that all sums can be split by campaign without extra rows.
 */
export interface NamedSubject {
  /**
   * Kind of the subject. A workspace is no subject, because each store is one workspace. `of_campaign`: content that a
   * campaign showed.
   */
  readonly kind: Subject['kind'] | 'campaign' | 'of_campaign';
  /** Id of the subject. For `of_campaign`: the campaign id, then kind and id of the content. */
  readonly ref: string;
  readonly name: string;
  /** Epoch milliseconds of the last play with this name. */
  readonly at: number;
}

export interface TakenSum {
  /** Day of the plays as an epoch day in headquarters' time zone. */
  readonly day: number;
  /** Index of the screen in the list of subjects; null: the sum covers all screens. */
  readonly device: number | null;
  readonly shown: number;
  readonly plays: number;
  readonly ms: number;
}

/** All changes of the warehouse that one segment causes. */
export interface Taken {
  readonly segment: Omit<SegmentRow, 'id' | 'store'>;
  /** Ids of screens for which a new signed group of plays begins in this segment. */
  readonly marks: readonly string[];
  /** Ids of plays that are noted, so that the same plays are recognised when they arrive under other numbers. */
  readonly overlaps: readonly Buffer[];
  readonly subjects: readonly NamedSubject[];
  readonly sums: readonly TakenSum[];
  readonly cursor: Cursor;
  /** Position of the cursor when the segment was checked. If the cursor has moved since then, the change is refused. */
  readonly before: number;
}

export type SumsAsked = Omit<SumsQuestion, 'stores'> & { readonly stores: readonly Whose[] };

/**
 * Methods that change data resolve when the change is on the disk. Every method may reject with an ApiError: 503 when
 * the database is unreachable or fails, 507 when its disk is full.
 */
export interface Warehouse {
  /** Returns cursors in the order in which the store announced its epochs. */
  cursors(whose: Whose): Promise<CursorRow[]>;
  begin(whose: Whose, epoch: Epoch, head: string): Promise<void>;
  /** Stores a segment completely or not at all. @throws ApiError 503 when the cursor is no longer at `before` */
  storeSegment(whose: Whose, taken: Taken): Promise<void>;
  noteOverlaps(whose: Whose, plays: readonly Buffer[]): Promise<void>;
  /** Returns those of the given play ids that were noted. */
  overlapsAmong(whose: Whose, plays: readonly Buffer[]): Promise<Buffer[]>;

  /** Returns the offset of the next segment in a segment file. */
  endOf(pack: string): Promise<number>;
  /** Returns the segment files of a store with their expected lengths. */
  packsIn(whose: Whose): Promise<{ pack: string; bytes: number }[]>;
  /** Returns whether one of these segment files contains plays of the period. */
  isIn(paths: readonly string[], whose: Whose, period: Period): Promise<boolean>;

  /** Returns the first segment of an epoch whose last play number is at least `first`. */
  segmentFrom(whose: Whose, epoch: string, first: number): Promise<SegmentRow | undefined>;
  /** Returns segments of the stores that may contain plays of the period, the newest first. */
  newestSegments(
    stores: readonly Whose[],
    period: Period,
    page: { before: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]>;
  /** Returns segments of a store that may contain plays of the period, the oldest first. */
  segmentsOf(
    whose: Whose,
    period: Period,
    page: { after: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]>;
  /** Returns, for each epoch with plays of the period, the last play numbers of its first and last segment. */
  spansOf(whose: Whose, period: Period): Promise<{ epoch: string; from: number; to: number }[]>;
  /**
   * Returns the position where a proof must begin so that all its plays are covered by signatures. In the segment that
   * ends with `last`, some signed groups of plays may be unfinished. Returns the last play number of the segment in
   * which the earliest of these groups begins, or `last` if there is none. Searches at most `back` segments of the
   * epoch.
   */
  beginningOf(whose: Whose, epoch: string, last: number, back: number): Promise<number>;
  /** Returns the segments of an epoch whose last play numbers are in this range. */
  between(whose: Whose, epoch: string, span: { from: number; to: number }, limit: number): Promise<SegmentRow[]>;

  /**
   * Returns the sums. The most played rows come first; sums by day are in order of days. Names are compared without
   * case.
   */
  sums(asked: SumsAsked): Promise<{ rows: SumRow[]; total: number }>;
  totals(asked: Omit<SumsAsked, 'by' | 'limit' | 'offset'>): Promise<TotalsRow>;
  /**
   * Returns the newest known name of each campaign by its id, taken from the received plays. Unknown campaigns are
   * absent.
   */
  campaignNames(campaigns: readonly string[], stores: readonly Whose[]): Promise<Record<string, string>>;

  /**
   * Deletes most rows of a store in small steps, before the store itself is deleted. Can be called again after a
   * failure.
   */
  thin(whose: Whose): Promise<void>;
  /** Deletes the data of a store that is still in the warehouse after the store was deleted at headquarters. */
  forget(whose: Whose): Promise<void>;
}

/** Error: another program stored plays of the store at the same time. Nothing was stored, and the store retries. */
export const movedOn = () =>
  new ApiError(503, 'Another program stored plays of this store at the same time.', { retryAfter: 5 });
