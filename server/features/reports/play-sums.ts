/** Gathers what the plays of one transaction add to the sums, and writes it once at its end. */
import { QUARTER_MS, QUARTERS_A_DAY, Series, type Subject, subjectOf } from './sums.ts';

/** Within the transaction that writes the plays. */
export interface SumsWriter {
  findSubject(
    workspaceId: string,
    subject: Subject,
  ): { readonly id: number; readonly name: string; readonly named_ms: number } | undefined;
  insertSubject(workspaceId: string, subject: Subject, name: string, namedMs: number): number;
  renameSubject(id: number, name: string, namedMs: number): void;
  addToSum(sum: Sum): void;
}

export interface Sum {
  readonly scope: number;
  readonly series: Series;
  readonly bucket: number;
  readonly subject: number;
  plays: number;
  ms: number;
}

interface SummedPlay {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly started: number;
  readonly ended: number;
}

interface Named {
  readonly id: number;
  name: string;
  namedMs: number;
}

/** For one transaction only: after an undone one the numbers it learnt would be nobody's. */
export class PlaySums {
  readonly #writer: SumsWriter;
  readonly #subjects = new Map<string, Named>();
  readonly #sums = new Map<string, Sum>();

  constructor(writer: SumsWriter) {
    this.#writer = writer;
  }

  add(device: { readonly id: string; readonly workspace_id: string; readonly name: string }, play: SummedPlay): void {
    const { started, ended, content_name } = play;
    const ms = ended - started;
    const workspace = device.workspace_id;
    const quarter = Math.floor(started / QUARTER_MS);
    const day = Math.floor(quarter / QUARTERS_A_DAY);
    const whole = this.#subject(workspace, { kind: 'workspace', ref: '' }, '', 0);
    const from = this.#subject(workspace, { kind: 'device', ref: device.id }, device.name, started);
    const shown = this.#subject(workspace, subjectOf(play), content_name, started);
    this.#add(whole, Series.totalByQuarter, quarter, 0, ms);
    this.#add(from, Series.totalByQuarter, quarter, 0, ms);
    this.#add(whole, Series.contentByQuarter, quarter, shown, ms);
    this.#add(whole, Series.contentByDay, day, shown, ms);
    this.#add(from, Series.contentByDay, day, shown, ms);
    this.#add(whole, Series.deviceByDay, day, from, ms);
  }

  save(): void {
    for (const sum of this.#sums.values()) this.#writer.addToSum(sum);
  }

  #add(scope: number, series: Series, bucket: number, subject: number, ms: number): void {
    const key = `${scope} ${series} ${bucket} ${subject}`;
    const sum = this.#sums.get(key);
    if (sum) {
      sum.plays++;
      sum.ms += ms;
    } else this.#sums.set(key, { scope, series, bucket, subject, plays: 1, ms });
  }

  #subject(workspaceId: string, subject: Subject, name: string, startedMs: number): number {
    const key = `${workspaceId} ${subject.kind} ${subject.ref}`;
    const known = this.#subjects.get(key) ?? this.#learn(key, workspaceId, subject, name, startedMs);
    // Plays of weeks ago may come in after those of today: the newest knows the name.
    if (known.name !== name && startedMs >= known.namedMs) {
      this.#writer.renameSubject(known.id, name, startedMs);
      known.name = name;
      known.namedMs = startedMs;
    }
    return known.id;
  }

  #learn(key: string, workspaceId: string, subject: Subject, name: string, startedMs: number): Named {
    const found = this.#writer.findSubject(workspaceId, subject);
    const known = found
      ? { id: found.id, name: found.name, namedMs: found.named_ms }
      : { id: this.#writer.insertSubject(workspaceId, subject, name, startedMs), name, namedMs: startedMs };
    this.#subjects.set(key, known);
    return known;
  }
}
