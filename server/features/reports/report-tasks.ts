/** What the reports' thread is asked, and what it answers. */

import type { ChainQuestion } from '../../headquarters/chain-question.ts';
import type { CountedWindow, DeliveryQuestion } from './delivery-reader.ts';
import type { Cursor } from './plays.store.ts';
import type { ProofQuestion } from './proof-reader.ts';
import type { PaperQuestion } from './report-paper.ts';
import type { CsvQuestion, PlaysQuestion, SummaryQuestion } from './report-reader.ts';
import type { SegmentQuestion } from './segment-reader.ts';
import type { UptimeQuestion } from './uptime.store.ts';

export type Task =
  | { readonly do: 'summary'; readonly question: SummaryQuestion }
  | { readonly do: 'plays'; readonly question: PlaysQuestion }
  | { readonly do: 'pdf'; readonly question: PaperQuestion }
  | { readonly do: 'uptime'; readonly question: UptimeQuestion }
  /** Counts what was planned, for a while; nothing left: the answer is empty. */
  | { readonly do: 'count'; readonly question: DeliveryQuestion }
  /** As JSON, or as CSV. */
  | { readonly do: 'delivery'; readonly question: DeliveryQuestion; readonly as: 'json' | 'csv' }
  /** `block`: to be filled again, so that a long export needs the memory of two blocks and no more. */
  | { readonly do: 'proof'; readonly question: ProofQuestion }
  /** Of headquarters: sums of all stores, as JSON. */
  | { readonly do: 'chain'; readonly question: ChainQuestion }
  /** Of a chain: columns, or a head alone. */
  | { readonly do: 'segment'; readonly question: SegmentQuestion }
  | { readonly do: 'csv'; readonly question: CsvQuestion; readonly block?: ArrayBuffer };

/** Bytes ready to be sent; they move from thread to thread and are never copied. */
export interface Answer {
  readonly block: ArrayBuffer;
  readonly length: number;
  /** Of a list: records in all. */
  readonly total?: number;
  /** Of an export: where to go on; null at the end. */
  readonly next?: Cursor | null;
  /** Of the lines of a proof, or of a segment. */
  readonly plays?: number;
  readonly nextSeal?: number | null;
  /** Of a segment. */
  readonly segment?: { readonly last: number; readonly head: string };
  /** Of what was counted: how long each part is. */
  readonly parts?: readonly number[];
}

/** JSON texts of some windows each, short enough to be read and saved in one turn of the event loop. */
export const countedIn = function* (answer: Answer): Generator<CountedWindow[]> {
  let at = 0;
  for (const length of answer.parts ?? []) {
    yield JSON.parse(Buffer.from(answer.block, at, length).toString()) as CountedWindow[];
    at += length;
  }
};

export const bytesOf = ({ block, length }: Answer): Buffer => Buffer.from(block, 0, length);
