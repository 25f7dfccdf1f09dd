/**
 * Converts contents in the background, one at a time and in order. The queue is in memory: a restart ends all
 * conversions, and the media store removes their files.
 */
import { rm, stat } from 'node:fs/promises';
import { type Conversion, MAX_WAITING_CONVERSIONS } from '../../../shared/contract/content/conversion.ts';
import { ApiError, badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision } from '../../kernel/revision.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import {
  ConversionFailure,
  type ConversionInput,
  conversionArguments,
  convertFile,
  hasEncoders,
  largestResult,
} from '../../media/convert.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { ContentService } from './content.service.ts';
import type { ContentRow, ContentStore } from './content.store.ts';
import type { Intake, Taken } from './intake.ts';

const SHORTEST_LIMIT_MS = 10 * 60_000;
const LONGEST_LIMIT_MS = 12 * 3_600_000;
/** Time limit as a multiple of the length: a small computer converts 4K at a twentieth of real time. */
const LIMIT_PER_LENGTH = 40;
/** Interval in milliseconds for checking the disk while a file grows. */
const LOOK_EVERY_MS = 5_000;
/** Bytes that must stay free on the disk during a conversion. */
const LEFT_FREE = 64 * 1024 * 1024;
/** A result that is shorter than its source by more than this, in seconds and as a fraction, was cut off. */
const CUT_SEC = 2;
const CUT_PART = 0.02;
/** Maximum number of contents whose conversion error is remembered. */
const MAX_ERRORS = 500;
/** Seconds in `Retry-After` when the queue is full. */
const RETRY_AFTER_SEC = 60;

interface Job {
  readonly id: string;
  readonly actor: WorkspaceActor;
  readonly source: string;
  /** @throws ApiError when the actor may no longer replace the file */
  readonly stillMay: () => void;
  readonly abort: AbortController;
  /** Progress in percent; null while unknown. */
  percent: number | null;
}

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: ContentStore;
  readonly media: MediaStore;
  readonly intake: Intake;
  readonly content: Pick<ContentService, 'putConverted' | 'originalFile'>;
  /** Path of ffmpeg; undefined: not installed. */
  readonly ffmpeg: () => Promise<string | undefined>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
}

export class Conversions implements Lifecycle {
  readonly name = 'conversions';
  readonly #deps: Deps;
  /** Queue of jobs, of which the first is running. */
  readonly #jobs: Job[] = [];
  readonly #errors = recent<string, string>(MAX_ERRORS);
  /** Whether the installed ffmpeg has the needed encoders, with the path of this ffmpeg. */
  #encoders: { readonly program: string; readonly has: Promise<boolean> } | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStopped = false;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#jobs.splice(0)) job.abort.abort();
    await this.#running;
  }

  /** @throws ApiError 404 */
  async state(actor: WorkspaceActor, id: string): Promise<Conversion> {
    const converter = await this.#converter();
    const row = this.#row(actor, id);
    const at = this.#jobs.findIndex((job) => isFor(job, row));
    const original = row.original_sha256 ? this.#deps.content.originalFile(actor, id) : undefined;
    const error = at < 0 ? (this.#errors.get(row.id) ?? null) : null;
    return {
      state: at === 0 ? 'running' : at > 0 ? 'waiting' : error === null ? 'none' : 'failed',
      percent: at === 0 ? this.#jobs[0]!.percent : null,
      ahead: Math.max(0, at),
      error,
      converter: converter.state,
      original: original
        ? {
            filename: original.filename,
            mime_type: original.mime,
            file_size: original.size,
            format: this.#deps.store.formatsOf([original.sha256]).get(original.sha256) ?? null,
          }
        : null,
    };
  }

  /** @throws ApiError 400, 404, 409, 412, 423, 429 */
  async begin(
    actor: WorkspaceActor,
    id: string,
    { ifMatch, stillMay }: { readonly ifMatch: string | undefined; readonly stillMay: () => void },
  ): Promise<Conversion> {
    const converter = await this.#converter();
    const row = this.#row(actor, id);
    this.#deps.store.requireOwn(row.id);
    checkRevision(ifMatch, row.revision, 'The content');
    if (row.kind !== 'video' && row.kind !== 'audio')
      throw badRequest(`Only video and audio files can be converted. ${row.filename} is another kind of content.`);
    if (!row.sha256 || !this.#deps.store.file(row.sha256))
      throw conflict(
        'The server has not downloaded the file of this address yet. Convert the file when the server has a copy.',
      );
    if (converter.state === 'no_ffmpeg')
      throw conflict('ffmpeg is not installed on the server’s computer. Install ffmpeg, then convert again.');
    if (converter.state === 'no_encoder')
      throw conflict(
        'The ffmpeg on the server’s computer cannot write H.264. Install an ffmpeg with libx264, then convert again.',
      );
    if (!this.#jobs.some((job) => isFor(job, row))) {
      if (this.#jobs.length > MAX_WAITING_CONVERSIONS)
        throw new ApiError(429, `${MAX_WAITING_CONVERSIONS} conversions are waiting already. Try again later.`, {
          retryAfter: RETRY_AFTER_SEC,
        });
      this.#errors.delete(row.id);
      this.#jobs.push({ id, actor, source: row.sha256, stillMay, abort: new AbortController(), percent: null });
      this.#announce(row);
      this.#next();
    }
    return this.state(actor, id);
  }

  /** @throws ApiError 404, 423 */
  async cancel(actor: WorkspaceActor, id: string): Promise<Conversion> {
    const row = this.#row(actor, id);
    this.#deps.store.requireOwn(row.id);
    this.#errors.delete(row.id);
    const at = this.#jobs.findIndex((job) => isFor(job, row));
    if (at >= 0) {
      const [job] = this.#jobs.splice(at, 1);
      job!.abort.abort();
      this.#announce(row);
    }
    return this.state(actor, id);
  }

  async #converter(): Promise<
    { readonly state: 'no_ffmpeg' | 'no_encoder' } | { readonly state: 'ready'; readonly path: string }
  > {
    const path = await this.#deps.ffmpeg();
    if (path === undefined) return { state: 'no_ffmpeg' };
    const file = await stat(path).catch(() => undefined);
    if (!file) return { state: 'no_ffmpeg' };
    // After an update of ffmpeg, the encoders are checked again.
    const program = `${path} ${file.size} ${file.mtimeMs}`;
    if (this.#encoders?.program !== program) this.#encoders = { program, has: hasEncoders(path) };
    if (await this.#encoders.has) return { state: 'ready', path };
    return { state: 'no_encoder' };
  }

  #row(actor: WorkspaceActor, id: string): ContentRow {
    const row = this.#deps.store.find(actor.workspaceId, id);
    if (!row) throw notFound('Content');
    return row;
  }

  #next(): void {
    this.#running ??= this.#work()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#running = undefined;
        if (!this.#isStopped && this.#jobs.length > 0) this.#next();
      });
  }

  async #work(): Promise<void> {
    for (let job = this.#jobs[0]; job && !this.#isStopped; job = this.#jobs[0]) {
      const error = await this.#convert(job).then(
        () => undefined,
        (failed: unknown) => failed,
      );
      // A cancelled job was removed from the list already.
      if (this.#jobs[0] !== job) continue;
      this.#jobs.shift();
      if (error !== undefined) this.#fail(job, error);
    }
  }

  #fail(job: Job, error: unknown): void {
    const { store, onError } = this.#deps;
    const row = store.find(job.actor.workspaceId, job.id);
    if (!row || job.abort.signal.aborted) return;
    if (!isForPeople(error)) onError(error);
    this.#errors.set(job.id, isForPeople(error) ? sentenceOf(error) : FAILED);
    this.#announce(row);
  }

  /** Also resolves when the content was deleted or has another file meanwhile. */
  async #convert(job: Job): Promise<void> {
    const { store, media, intake, content } = this.#deps;
    const converter = await this.#converter();
    const row = this.#current(job);
    const file = row && store.file(job.source);
    if (!file || converter.state !== 'ready') return;
    const input: ConversionInput = {
      path: media.pathOf(file.sha256),
      mime: file.mime,
      kind: row.kind === 'video' ? 'video' : 'audio',
      durationSec: row.duration_sec,
    };
    const output = await media.reserve(Math.min(largestResult(input) ?? file.size, this.#deps.maxBytes));
    let taken: Taken;
    try {
      await this.#run(job, converter.path, input, output);
      const incoming = await media.finishReserved(output);
      if (job.abort.signal.aborted) return;
      taken = await intake.storeFile(incoming, 'file.mp4');
    } finally {
      await rm(output, { force: true });
    }
    const result = { durationSec: taken.inspected.durationSec, size: taken.size };
    if (isCut(input, result, this.#deps.maxBytes) || job.abort.signal.aborted) {
      intake.drop(taken);
      if (!job.abort.signal.aborted) throw new ConversionFailure('The end of the result is missing.');
      return;
    }
    await content.putConverted(job.actor, job.id, { taken, source: job.source, allowed: job.stillMay });
  }

  async #run(job: Job, ffmpeg: string, input: ConversionInput, output: string): Promise<void> {
    const { media, maxBytes } = this.#deps;
    const args = conversionArguments(input, output, maxBytes);
    if (!args) throw new ConversionFailure(`There is no reader for ${input.mime}`);
    let full: unknown;
    const begun = performance.now();
    let lookedAt = begun;
    const onProgress = (seconds: number) => {
      if (input.durationSec) job.percent = Math.min(99, Math.floor((seconds / input.durationSec) * 100));
      // The content was deleted or replaced, so the result is no longer needed.
      if (!this.#current(job)) return job.abort.abort();
      if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
      lookedAt = performance.now();
      media.requireRoom(LEFT_FREE).catch((error: unknown) => {
        full = error;
        stop.abort();
      });
    };
    const stop = new AbortController();
    const limitMs = timeLimitMs(input.durationSec);
    try {
      const signal = AbortSignal.any([job.abort.signal, stop.signal]);
      await convertFile(ffmpeg, args, { signal, limitMs, onProgress });
    } catch (error) {
      if (full) throw full;
      if (performance.now() - begun >= limitMs) throw tooSlow(limitMs);
      throw error;
    }
  }

  /** Returns the content; undefined when the content is gone or has another file. */
  #current({ actor, id, source }: Job): ContentRow | undefined {
    const row = this.#deps.store.find(actor.workspaceId, id);
    return row?.sha256 === source ? row : undefined;
  }

  #announce({ workspace_id, id }: Pick<ContentRow, 'id' | 'workspace_id'>): void {
    announce(this.#deps, { workspaceId: workspace_id, userId: null }, { topic: 'content', ids: [id], screens: false });
  }
}

const isFor = (job: Job, row: Pick<ContentRow, 'id'>): boolean => job.id === row.id;

const FAILED =
  'ffmpeg could not convert this file. Its message is in the log of the server. Convert the file on another computer, then replace it here.';

/** A result that the intake refuses (415) is a fault of the conversion, not of the person. */
const isForPeople = (error: unknown): error is ApiError => error instanceof ApiError && error.status !== 415;

/**
 * Returns the reason of a failure as a sentence. An ended session gets its own sentence, because its usual error says
 * nothing about the conversion.
 */
const sentenceOf = (error: ApiError): string =>
  error.status === 401
    ? 'The person who started the conversion signed out before the conversion was finished. Start the conversion again.'
    : error.message;

const tooSlow = (limitMs: number) =>
  new ApiError(
    503,
    `The conversion was stopped after ${Math.round(limitMs / 60_000)} minutes. Convert the file on a faster computer, then replace it here.`,
  );

/** @param durationSec length of the source */
export const timeLimitMs = (durationSec: number | null): number =>
  Math.min(Math.max(SHORTEST_LIMIT_MS, (durationSec ?? 3600) * LIMIT_PER_LENGTH * 1000), LONGEST_LIMIT_MS);

/**
 * Returns whether the end of the result is missing: ffmpeg cuts off a result beyond the largest size without an error.
 */
export const isCut = (
  source: Pick<ConversionInput, 'durationSec'>,
  result: { readonly durationSec: number | null; readonly size: number },
  maxBytes: number,
): boolean => {
  if (result.size >= maxBytes) return true;
  if (source.durationSec === null || result.durationSec === null) return false;
  return source.durationSec - result.durationSec > Math.max(CUT_SEC, source.durationSec * CUT_PART);
};
