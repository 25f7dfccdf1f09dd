/** Tasks for the reports' thread, and their answers. */

import type { ChainQuestion } from './chain-questions.ts';
import type { CountedWindow, DeliveryQuestion } from './planned/delivery-reader.ts';
import type { UptimeQuestion } from './planned/uptime.store.ts';
import type { Cursor } from './plays.store.ts';
import type { ProofQuestion } from './proof/proof-reader.ts';
import type { SegmentQuestion } from './proof/segment-reader.ts';
import type { CsvQuestion, PlaysQuestion, SummaryQuestion } from './report-reader.ts';
import type { PaperQuestion } from './saved/report-paper.ts';

export type Task =
  | { readonly do: 'summary'; readonly question: SummaryQuestion }
  | { readonly do: 'plays'; readonly question: PlaysQuestion }
  | { readonly do: 'pdf'; readonly question: PaperQuestion }
  | { readonly do: 'uptime'; readonly question: UptimeQuestion }
  /** Counts planned plays for a limited time. The answer is empty when nothing is left to count. */
  | { readonly do: 'count'; readonly question: DeliveryQuestion }
  /** Compares planned with shown plays. Answers with JSON or CSV. */
  | { readonly do: 'delivery'; readonly question: DeliveryQuestion; readonly as: 'json' | 'csv' }
  /** Makes the lines of a verifiable report. */
  | { readonly do: 'proof'; readonly question: ProofQuestion }
  /** Sums of all stores for headquarters, as JSON. */
  | { readonly do: 'chain'; readonly question: ChainQuestion }
  /** Columns of a segment (signed plays for headquarters), or only the head of the hash chain. */
  | { readonly do: 'segment'; readonly question: SegmentQuestion }
  /** Journal numbers of plays by screen, as JSON (`ScreenNumbers`). */
  | { readonly do: 'numbers'; readonly question: CsvQuestion }
  /** `block` is reused for the answer, so that a long export only needs the memory of two blocks. */
  | { readonly do: 'csv'; readonly question: CsvQuestion; readonly block?: ArrayBuffer };

/** Bytes that are ready to send. The bytes move between threads without a copy. */
export interface Answer {
  readonly block: ArrayBuffer;
  readonly length: number;
  /** Total number of records of a list. */
  readonly total?: number;
  /** Position where an export continues; null at the end. */
  readonly next?: Cursor | null;
  /** Number of plays in the lines of a verifiable report, or in a segment. */
  readonly plays?: number;
  readonly nextSeal?: number | null;
  /** Last play and chain hash of a segment; absent in other answers. */
  readonly segment?: { readonly last: number; readonly head: string };
  /** Lengths in bytes of the parts of a `count` answer. */
  readonly parts?: readonly number[];
}

/**
 * Yields the counted time windows part by part. A part is short enough to be read and saved in one turn of the event
 * loop.
 */
export const countedIn = function* (answer: Answer): Generator<CountedWindow[]> {
  let at = 0;
  for (const length of answer.parts ?? []) {
    yield JSON.parse(Buffer.from(answer.block, at, length).toString()) as CountedWindow[];
    at += length;
  }
};

export const bytesOf = ({ block, length }: Answer): Buffer => Buffer.from(block, 0, length);
