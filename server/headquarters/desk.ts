/** What all ways in have in common: requests of stores are counted, bounded, read and answered, whatever carries them. */
import type { z } from 'zod';
import { type AskOf, CHAIN_VERBS, type ChainVerb, type SegmentAnswer } from '../../shared/chain/wire.ts';
import { diskTrouble } from '../kernel/disk-trouble.ts';
import { MinuteCounts } from '../kernel/minute-counts.ts';
import type { Parts } from '../kernel/parts.ts';
import { Refused } from './refused.ts';
import type { Verbs } from './verbs.ts';
import type { KnownStore } from './writer.ts';

/** Of one store: a segment takes some milliseconds of everybody's time. */
const ASKED_A_MINUTE = 1_200;
/** In memory at once; whoever comes then comes again. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Of one store at once: an honest one sends the next when it has heard of the last. */
const MAX_SEGMENTS = 2;

interface Deps extends Pick<Parts, 'mono' | 'log' | 'db'> {
  readonly verbs: Verbs;
}

export class Desk {
  readonly #deps: Deps;
  readonly #counts: MinuteCounts;
  /** Bytes of all that is being read, or waits for its turn. */
  #waiting = 0;
  /** Segments of each store that are being read or taken. */
  readonly #sending = new Map<number, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#counts = new MinuteCounts(deps);
  }

  /** @param most within a minute @throws Refused */
  count(key: string, most = ASKED_A_MINUTE): void {
    if (this.#counts.add(key).count > most)
      throw new Refused('too_many', 429, 'Headquarters is asked too often. It is asked again in a while.');
  }

  /** So many bytes more are in memory, until they are released: also when this throws. @throws Refused */
  hold(bytes: number): void {
    this.#waiting += bytes;
    if (this.#waiting > MAX_BODY_BYTES)
      throw new Refused('busy', 503, 'Headquarters is busy with other stores. Plays stay here until it has time.');
  }

  release(bytes: number): void {
    this.#waiting -= bytes;
  }

  /** Does what has to do with a segment of a store. @param id its number @throws Refused */
  async sending<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = this.#sending.get(id) ?? 0;
    if (before >= MAX_SEGMENTS)
      throw new Refused(
        'too_many',
        429,
        'Headquarters is still busy with plays of this server. They stay here until it has time.',
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
    return this.#deps.verbs.segment(store, file);
  }

  /** @param store who asks, as it is known now; it may throw @throws Refused */
  async answer(verb: ChainVerb, said: unknown, store: () => KnownStore): Promise<unknown> {
    const { verbs } = this.#deps;
    const parsed = (CHAIN_VERBS[verb].ask as z.ZodType).safeParse(said);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      throw new Refused('bad_request', 400, `${path.join('.') || 'The request'}: ${message}`);
    }
    const asked = <V extends ChainVerb>() => parsed.data as AskOf<V>;
    switch (verb) {
      case 'enrol':
        return verbs.enrol(asked<'enrol'>());
      case 'challenge':
        return verbs.challenge(asked<'challenge'>());
      case 'session':
        return verbs.session(asked<'session'>());
      case 'through':
        return await verbs.through(store(), asked<'through'>());
      case 'presence':
        return verbs.presence(store(), asked<'presence'>());
      case 'answer':
        return verbs.answer(store(), asked<'answer'>());
      case 'desired':
        return verbs.desired(store(), asked<'desired'>());
      case 'leave':
        return verbs.leave(store());
    }
  }

  /** What is answered after this is so also after a crash. */
  async durable(): Promise<void> {
    await this.#deps.db.durable();
  }

  /** What a store is told of an error. @param what was asked, for the log */
  refusal(what: string, error: unknown): Refused {
    if (error instanceof Refused) return error;
    if (diskTrouble(error) === undefined) this.#deps.log.error(`${what} failed`, { error });
    return new Refused('busy', 503, 'Headquarters cannot answer just now. It is asked again in a while.');
  }
}

/** @throws Refused */
export const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Refused('bad_request', 400, 'It is no JSON.');
  }
};
