/** Entry of the reports' thread. Reads over its own connection, so that no other request waits for a report. */
import { workerData } from 'node:worker_threads';
import { openReadOnly } from '../../db/read-only.ts';
import { answerTasks } from '../../kernel/threads/thread-tasks.ts';
import type { ChainQuestion } from './chain-questions.ts';
import { ChosenSumsStore } from './chosen-sums.store.ts';
import { deliveryCsv } from './planned/delivery-csv.ts';
import { type CountedWindow, type DeliveryQuestion, DeliveryReader } from './planned/delivery-reader.ts';
import { PlannedStore } from './planned/planned.store.ts';
import { ShortfallsStore } from './planned/shortfalls.store.ts';
import { Shortfalls } from './planned/shortfalls.ts';
import { UptimeStore } from './planned/uptime.store.ts';
import { PlaysStore } from './plays.store.ts';
import type { ProofQuestion, ProofReader } from './proof/proof-reader.ts';
import { SealCountStore } from './proof/seal-count.store.ts';
import type { SegmentQuestion, SegmentReader } from './proof/segment-reader.ts';
import { ReportReader } from './report-reader.ts';
import type { Answer, Task } from './report-tasks.ts';
import { ReportPaper } from './saved/report-paper.ts';
import { SummaryStore } from './summary.store.ts';

/** Time limit in milliseconds for counting planned plays in one task, so that other tasks wait no longer than this. */
const COUNT_MS = 200;
/**
 * Number of rows that the server's thread saves in one turn of the event loop. Saving them takes three milliseconds.
 */
const PART_ROWS = 600;

const raw = openReadOnly((workerData as { file: string }).file);
const sums = new SummaryStore(raw);
const reader = new ReportReader({
  sums,
  chosen: new ChosenSumsStore(raw, sums),
  plays: new PlaysStore(raw),
  uptime: new UptimeStore(raw),
});
const planned = new PlannedStore(raw);
const shortfalls = new Shortfalls({ store: new ShortfallsStore(raw), planned });
const delivery = new DeliveryReader({ store: planned, reader, shortfalls });
const paper = new ReportPaper({ reader, delivery, seals: new SealCountStore(raw) });
/** The readers below are created on first use, because they load schemas of 4 MB. */
let [proof, segments]: [ProofReader?, SegmentReader?] = [];
const encoder = new TextEncoder();

const encode = (text: string): { block: ArrayBuffer; length: number } => {
  const bytes = encoder.encode(text);
  return { block: bytes.buffer, length: bytes.length };
};

const proofReader = async (): Promise<ProofReader> => {
  const [{ ProofReader }, { ProofStore }] = await Promise.all([
    import('./proof/proof-reader.ts'),
    import('./proof/proof.store.ts'),
  ]);
  return new ProofReader(new ProofStore(raw));
};

const prove = async (question: ProofQuestion): Promise<Answer> => {
  proof ??= await proofReader();
  switch (question.ask) {
    case 'devices':
      return encode(JSON.stringify(proof.devices(question.workspaceId)));
    case 'plan':
      return encode(JSON.stringify(proof.plan(question.scope, question.cursor)));
    case 'stretch': {
      const { text, ...more } = proof.stretch(question.scope, question);
      return { ...encode(text), ...more };
    }
    case 'loose': {
      const { text, ...more } = proof.loose(question.scope, question.cursor);
      return { ...encode(text), ...more };
    }
  }
};

const count = (question: DeliveryQuestion): Answer => {
  const parts: CountedWindow[][] = [];
  let rows = PART_ROWS;
  for (const window of delivery.count(question, COUNT_MS)) {
    rows += window.sums.length + 1;
    if (rows > PART_ROWS) {
      parts.push([]);
      rows = window.sums.length + 1;
    }
    parts.at(-1)!.push(window);
  }
  const texts = parts.map((part) => JSON.stringify(part));
  return { ...encode(texts.join('')), parts: texts.map((text) => Buffer.byteLength(text)) };
};

/** Copies the bytes into a buffer of their own, so that the buffer can be transferred to the server's thread. */
const own = (bytes: Buffer): Answer => ({ block: Uint8Array.from(bytes).buffer, length: bytes.length });

const segmentReader = async (): Promise<SegmentReader> => {
  const [{ SegmentReader }, { SegmentStore }] = await Promise.all([
    import('./proof/segment-reader.ts'),
    import('./proof/segment.store.ts'),
  ]);
  return new SegmentReader(new SegmentStore(raw));
};

const segment = async (question: SegmentQuestion): Promise<Answer> => {
  segments ??= await segmentReader();
  if (question.ask === 'head')
    return { ...own(Buffer.alloc(0)), segment: { last: question.last, head: segments.head(question) } };
  const { bytes, last, plays, head } = await segments.make(question);
  return { ...own(bytes), plays, segment: { last, head } };
};

const chain = async (question: ChainQuestion): Promise<Answer> => {
  // Loads this module on demand, because only headquarters needs it, and a store does not.
  const { ChainSumsStore } = await import('../../headquarters/plays/chain-sums.store.ts');
  const sums = new ChainSumsStore(raw);
  return encode(JSON.stringify(sums.answer(question)));
};

const answer = (task: Task): Answer | Promise<Answer> => {
  switch (task.do) {
    case 'summary':
      return encode(JSON.stringify(reader.summary(task.question)));
    case 'plays': {
      const { rows, total } = reader.plays(task.question);
      return { ...encode(JSON.stringify(rows)), total };
    }
    case 'pdf':
      return paper.make(task.question).then(own);
    case 'uptime': {
      const rows = reader.uptime(task.question);
      return { ...encode(JSON.stringify(rows)), total: rows.length };
    }
    case 'count':
      return count(task.question);
    case 'delivery': {
      const found = delivery.delivery(task.question);
      return encode(task.as === 'csv' ? deliveryCsv(found, task.question) : JSON.stringify(found));
    }
    case 'proof':
      return prove(task.question);
    case 'chain':
      return chain(task.question);
    case 'segment':
      return segment(task.question);
    case 'numbers': {
      const { screens, next } = reader.numbers(task.question);
      return { ...encode(JSON.stringify(screens)), next };
    }
    case 'csv': {
      const { lines, next } = reader.csv(task.question, task.block);
      return { block: lines.block, length: lines.length, next };
    }
  }
};

answerTasks(answer, ({ block }) => [block]);
