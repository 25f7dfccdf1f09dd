/**
 * What headquarters has of its stores' plays: cursors, segments and sums. In its own SQLite, or in PostgreSQL
 * (`--postgres`); who writes and who reports does not know which.
 */
import type { Cursor, Epoch } from '../../shared/chain/cursor.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Subject } from '../features/reports/sums.ts';
import type { SumRow, SumsQuestion, TotalsRow } from './chain-question.ts';
import type { Place } from './packs.ts';

/** A store, by its number here and by the name that goes with it everywhere. */
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
  /** The number of its store. */
  readonly store: number;
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
  /** The first number that was new when it came. */
  readonly fresh: number;
  /** JSON: numbers of plays that were here already, under others. */
  readonly dropped: string | null;
  readonly plays: number;
  /** Epoch milliseconds at which the first and the last of its plays began. */
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * What was shown, the screen that showed it, or the campaign that it was of. What a campaign showed is another than the
 * same content by itself, so that all sums are by campaign, too, and are not one more.
 */
export interface NamedSubject {
  /** A workspace is none here: a store is one. `of_campaign`: what a campaign showed. */
  readonly kind: Subject['kind'] | 'campaign' | 'of_campaign';
  /** Of `of_campaign`, the campaign’s id and what follows. */
  readonly ref: string;
  readonly name: string;
  /** Epoch milliseconds at which it was called so last. */
  readonly at: number;
}

export interface TakenSum {
  /** Epoch day in headquarters' zone. */
  readonly day: number;
  /** Which of the subjects; null: all screens. */
  readonly device: number | null;
  readonly shown: number;
  readonly plays: number;
  readonly ms: number;
}

/** All that one segment changes. */
export interface Taken {
  readonly segment: Omit<SegmentRow, 'id' | 'store'>;
  /** Ids of screens that begin a signed stretch in it. */
  readonly marks: readonly string[];
  /** Plays' own ids that are to be known from now on. */
  readonly overlaps: readonly Buffer[];
  readonly subjects: readonly NamedSubject[];
  readonly sums: readonly TakenSum[];
  readonly cursor: Cursor;
  /** Where the cursor stood when this was judged. */
  readonly before: number;
}

export type SumsAsked = Omit<SumsQuestion, 'stores'> & { readonly stores: readonly Whose[] };

/**
 * Promises of changes resolve when they are on the disk. Any may be rejected with an ApiError: 503 where the database
 * cannot be reached or fails, 507 where its disk is full.
 */
export interface Warehouse {
  /** In the order in which the store announced them. */
  cursors(whose: Whose): Promise<CursorRow[]>;
  begin(whose: Whose, epoch: Epoch, head: string): Promise<void>;
  /** All of it or nothing. @throws ApiError 503 where the cursor does not stand at `before` any more */
  take(whose: Whose, taken: Taken): Promise<void>;
  noteOverlaps(whose: Whose, plays: readonly Buffer[]): Promise<void>;
  /** Those that were noted. */
  overlapsAmong(whose: Whose, plays: readonly Buffer[]): Promise<Buffer[]>;

  /** Where the next segment of a pack goes. */
  endOf(pack: string): Promise<number>;
  /** Files of segments, and how long each must be. */
  packsIn(whose: Whose): Promise<{ pack: string; bytes: number }[]>;
  /** Whether plays of a time lie in one of these files. */
  isIn(packs: readonly string[], whose: Whose, period: Period): Promise<boolean>;

  /** Of an epoch of a store, the one with the least number from `first` on. */
  segmentFrom(whose: Whose, epoch: string, first: number): Promise<SegmentRow | undefined>;
  /** Of stores, that may have plays of a time, the newest first. */
  newestSegments(
    stores: readonly Whose[],
    period: Period,
    page: { before: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]>;
  /** Of a store, that may have plays of a time, the oldest first. */
  segmentsOf(
    whose: Whose,
    period: Period,
    page: { after: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]>;
  /** Ends of the first and the last segment of each epoch with plays of a time. */
  spansOf(whose: Whose, period: Period): Promise<{ epoch: string; from: number; to: number }[]>;
  /**
   * The end of the segment where the signed stretches begin that screens are in at the one that ends with `last`,
   * looking back over so many of the epoch; itself without any.
   */
  beginningOf(whose: Whose, epoch: string, last: number, back: number): Promise<number>;
  /** Of an epoch, all that end from one number to another. */
  between(whose: Whose, epoch: string, span: { from: number; to: number }, limit: number): Promise<SegmentRow[]>;

  /** Most plays first; days in order. Names are compared without case. */
  sums(asked: SumsAsked): Promise<{ rows: SumRow[]; total: number }>;
  totals(asked: Omit<SumsAsked, 'by' | 'limit' | 'offset'>): Promise<TotalsRow>;
  /** What campaigns were called when plays of them were taken last, by their ids; of the others nothing is known. */
  campaignNames(campaigns: readonly string[], stores: readonly Whose[]): Promise<Record<string, string>>;

  /** What a store has most of, bit by bit, before it is deleted: the rest of it goes in one. Repeated, it goes on. */
  thin(whose: Whose): Promise<void>;
  /** Everything of a store that was deleted. */
  forget(whose: Whose): Promise<void>;
}

/** Another program took plays of the store in the same moment: nothing was taken, and the store is to ask again. */
export const movedOn = () =>
  new ApiError(503, 'Plays of this store were taken by another program in the same moment.', { retryAfter: 5 });
