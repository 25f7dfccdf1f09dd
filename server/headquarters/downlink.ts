/**
 * What headquarters asks of its stores: each listens, and what is asked goes to it in one line, and comes back as an
 * answer or not at all. Whether a store listens is not whether its line is up: the line is what it told last.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type AskOf,
  HEARTBEAT_MS,
  MAX_AFTER_MS,
  MAX_LINE_BYTES,
  type SaidOf,
  TOLD,
  type ToldAnswerOf,
  type ToldLine,
  type ToldVerb,
} from '../../shared/chain/wire.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { Refused } from './refused.ts';
import type { StoreBook } from './store-book.ts';
import type { KnownStore } from './writer.ts';

/** Asked of one store, and not answered yet. */
const MAX_ASKED = 64;
const PATIENCE_MS = 20_000;

/** Where lines for a store go. */
export interface Ear {
  /** False: it does not read what it was told before, and is given up. */
  say(text: string): boolean;
  end(): void;
}

/** The store did not do it. The sentence is for people of headquarters. */
export class NotDone extends Error {
  /** `away`: it does not listen. `silent`: it was told, and did not answer in time: it may have done it. */
  readonly code: 'away' | 'silent' | NonNullable<AskOf<'answer'>['refused']>['code'];

  constructor(code: NotDone['code'], sentence: string) {
    super(sentence);
    this.code = code;
  }
}

interface Asked {
  readonly verb: ToldVerb;
  readonly done: (answer: unknown) => void;
  readonly failed: (error: NotDone) => void;
}

interface Listening {
  readonly store: KnownStore;
  readonly ear: Ear;
  readonly asked: Map<string, Asked>;
}

interface Deps extends Pick<Parts, 'log'> {
  readonly book: Pick<StoreBook, 'byRef'>;
}

export class Downlink implements Lifecycle {
  readonly name = 'downlink';
  readonly #deps: Deps;
  readonly #listening = new Map<number, Listening>();
  readonly #came: ((store: KnownStore) => void)[] = [];
  #beats: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#beats = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#beats);
    for (const one of [...this.#listening.values()]) this.#drop(one);
  }

  /** Calls it whenever a store begins to listen. */
  onCame(came: (store: KnownStore) => void): void {
    this.#came.push(came);
  }

  /** A store listens. Whoever listened for it before is ended: a server has one pair of ears. Returns what ends it. */
  attach(store: KnownStore, ear: Ear): () => void {
    const before = this.#listening.get(store.id);
    if (before) this.#drop(before);
    const one: Listening = { store, ear, asked: new Map() };
    this.#listening.set(store.id, one);
    for (const came of this.#came) came(store);
    return () => this.#drop(one);
  }

  /** Its server is not its server any more. */
  drop({ id }: Pick<KnownStore, 'id'>): void {
    const one = this.#listening.get(id);
    if (one) this.#drop(one);
  }

  isListening({ id }: Pick<KnownStore, 'id'>): boolean {
    return this.#listening.has(id);
  }

  get listening(): number {
    return this.#listening.size;
  }

  /** @param patience milliseconds @throws NotDone */
  async ask<V extends ToldVerb>(
    store: Pick<KnownStore, 'id'>,
    verb: V,
    said: SaidOf<V>,
    patience = PATIENCE_MS,
  ): Promise<ToldAnswerOf<V>> {
    const one = this.#listening.get(store.id);
    if (!one || !this.#isIt(one)) throw away();
    if (one.asked.size >= MAX_ASKED)
      throw new NotDone('busy', 'The store has not answered yet what it was asked before. Try again in a while.');
    const id = newLineId();
    const line = lineOf({ id, verb, said });
    if (line === undefined) throw new NotDone('failed', 'This is too large to send to a store.');
    return new Promise<unknown>((resolve, reject) => {
      const end = () => {
        clearTimeout(late);
        one.asked.delete(id);
      };
      const failed = (error: NotDone) => {
        end();
        reject(error);
      };
      const late = setTimeout(() => failed(silent()), patience).unref();
      const done = (answer: unknown) => {
        end();
        resolve(answer);
      };
      one.asked.set(id, { verb, done, failed });
      if (!one.ear.say(line)) this.#drop(one);
    }) as Promise<ToldAnswerOf<V>>;
  }

  /**
   * Tells it what many are told: nobody waits for an answer. Who does not listen, or cannot be told so much at once,
   * hears of it otherwise. @param after_ms as of ToldLine @returns whether it was told
   */
  tell<V extends ToldVerb>(store: Pick<KnownStore, 'id'>, verb: V, said: SaidOf<V>, after_ms: number): boolean {
    const one = this.#listening.get(store.id);
    if (!one || !this.#isIt(one)) return false;
    const line = lineOf({ id: newLineId(), verb, said, after_ms: Math.min(after_ms, MAX_AFTER_MS) });
    if (line === undefined) return false;
    if (one.ear.say(line)) return true;
    this.#drop(one);
    return false;
  }

  /** A store answers. What nobody waits for any more is passed over. @throws Refused for what makes no sense */
  answered(store: KnownStore, { id, answer, refused }: AskOf<'answer'>): void {
    const asked = this.#listening.get(store.id)?.asked.get(id);
    if (!asked) return;
    if (refused) return asked.failed(new NotDone(refused.code, refused.error));
    const parsed = (TOLD[asked.verb].answer as z.ZodType).safeParse(answer);
    if (parsed.success) return asked.done(parsed.data);
    asked.failed(new NotDone('failed', 'The store’s answer makes no sense to this version of Vitrine.'));
    throw new Refused('bad_request', 400, `answer: ${parsed.error.issues[0]!.message}`);
  }

  /** Says to all that headquarters is there; whoever is not theirs any more is ended. */
  beat(): void {
    for (const one of [...this.#listening.values()]) if (!this.#isIt(one) || !one.ear.say('\n')) this.#drop(one);
  }

  /** Whether the server that listens is still the store's. */
  #isIt({ store }: Listening): boolean {
    return this.#deps.book.byRef(store.ref)?.key === store.key;
  }

  #drop(one: Listening): void {
    if (this.#listening.get(one.store.id) === one) this.#listening.delete(one.store.id);
    one.ear.end();
    for (const asked of [...one.asked.values()]) asked.failed(silent());
  }
}

/** Random numbers for many ids are made at once: thousands of stores are told in a row. */
const newLineId = (): string => randomUUID().replaceAll('-', '');
/** Undefined: it is too long. */
const lineOf = (line: ToldLine): string | undefined => {
  const text = JSON.stringify(line);
  return Buffer.byteLength(text) > MAX_LINE_BYTES ? undefined : `${text}\n`;
};

const away = () => new NotDone('away', 'The store cannot be reached at the moment. Its screens keep playing.');
const silent = () => new NotDone('silent', 'The store received this but did not answer. It may have done it.');
