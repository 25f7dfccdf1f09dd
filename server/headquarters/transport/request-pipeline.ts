/**
 * Shared request pipeline of all transports (HTTPS, NATS, offline transfer): rate limit, size limit, parse, dispatch.
 */
import type { z } from 'zod';
import { type AskOf, CHAIN_VERBS, type ChainVerb, type SegmentAnswer } from '../../../shared/chain/wire.ts';
import { diskTrouble } from '../../kernel/disk/disk-trouble.ts';
import type { Parts } from '../../kernel/parts.ts';
import { MinuteCounts } from '../../kernel/time/minute-counts.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { RequestHandlers } from './request-handlers.ts';

/** Maximum number of requests per store and minute. Each segment blocks the event loop for a few milliseconds. */
const ASKED_A_MINUTE = 1_200;
/** Maximum size of request bodies in memory, over all stores, in bytes. Further requests get 503 and are retried. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/**
 * Maximum number of segments per store that are processed at the same time. A correct store sends the next segment
 * after the answer to the previous segment.
 */
const MAX_SEGMENTS = 2;

interface Deps extends Pick<Parts, 'mono' | 'log' | 'db'> {
  readonly handlers: RequestHandlers;
}

export class RequestPipeline {
  readonly #deps: Deps;
  readonly #counts: MinuteCounts;
  /** Bytes of request bodies that are being read or queued. */
  #waiting = 0;
  /** Number of segments in progress, by store. */
  readonly #sending = new Map<number, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#counts = new MinuteCounts(deps);
  }

  /** Counts a request. @param most maximum number of requests per minute @throws Refused */
  count(key: string, most = ASKED_A_MINUTE): void {
    if (this.#counts.add(key).count > most)
      throw new Refused('too_many', 429, 'Headquarters receives too many requests. This server tries again later.');
  }

  /** Adds bytes to the memory in use. The caller must release them, also when this throws. @throws Refused */
  reserveMemory(bytes: number): void {
    this.#waiting += bytes;
    if (this.#waiting > MAX_BODY_BYTES)
      throw new Refused(
        'busy',
        503,
        'Headquarters is busy with other stores. Plays stay on this server until headquarters has time.',
      );
  }

  release(bytes: number): void {
    this.#waiting -= bytes;
  }

  /**
   * Runs the work for a segment of a store, unless the store has the maximum number of segments in progress.
   * @param id store number
   * @throws Refused
   */
  async sending<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = this.#sending.get(id) ?? 0;
    if (before >= MAX_SEGMENTS)
      throw new Refused(
        'too_many',
        429,
        'Headquarters is still busy with earlier plays of this server. Further plays stay on this server until headquarters has time.',
      );
    this.#sending.set(id, before + 1);
    try {
      return await work();
    } finally {
      const left = this.#sending.get(id)! - 1;
      if (left > 0) this.#sending.set(id, left);
      else this.#sending.delete(id);
    }
  }

  /** @throws Refused */
  segment(store: KnownStore, file: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return this.#deps.handlers.segment(store, file);
  }

  /** Checks and answers a request. @param store returns the current state of the sender; may throw @throws Refused */
  async answer(verb: ChainVerb, said: unknown, store: () => KnownStore): Promise<unknown> {
    const { handlers } = this.#deps;
    const parsed = (CHAIN_VERBS[verb].ask as z.ZodType).safeParse(said);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      throw new Refused('bad_request', 400, `${path.join('.') || 'The request'}: ${message}`);
    }
    const asked = <V extends ChainVerb>() => parsed.data as AskOf<V>;
    switch (verb) {
      case 'enrol':
        return handlers.enrol(asked<'enrol'>());
      case 'challenge':
        return handlers.challenge(asked<'challenge'>());
      case 'session':
        return handlers.session(asked<'session'>());
      case 'through':
        return await handlers.through(store(), asked<'through'>());
      case 'presence':
        return handlers.presence(store(), asked<'presence'>());
      case 'answer':
        return handlers.answer(store(), asked<'answer'>());
      case 'desired':
        return handlers.desired(store(), asked<'desired'>());
      case 'leave':
        return handlers.leave(store());
    }
  }

  /** Resolves when all previous writes survive a crash. */
  async durable(): Promise<void> {
    await this.#deps.db.durable();
  }

  /** Returns the answer to the store for an error. @param what name of the request, for the log */
  refusal(what: string, error: unknown): Refused {
    if (error instanceof Refused) return error;
    if (diskTrouble(error) === undefined) this.#deps.log.error(`${what} failed`, { error });
    return new Refused('busy', 503, 'Headquarters cannot answer now. This server tries again later.');
  }
}

/** @throws Refused */
export const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Refused('bad_request', 400, 'The request is not valid JSON.');
  }
};
