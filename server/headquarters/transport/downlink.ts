/**
 * Sends requests of headquarters to listening stores. Each request is one line of text in an open response. The store
 * sends its answer as a separate request, or never. A store that listens can receive requests now; whether the store
 * counts as connected follows from its last presence.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type AskOf,
  type DownlinkAnswerOf,
  type DownlinkLine,
  type DownlinkVerb,
  HEARTBEAT_MS,
  MAX_AFTER_MS,
  MAX_LINE_BYTES,
  type SaidOf,
  TOLD,
} from '../../../shared/chain/wire.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { StoreRegistry } from '../stores/store-registry.ts';

/** Maximum number of unanswered requests per store. */
const MAX_ASKED = 64;
const PATIENCE_MS = 20_000;

/** Connection over which a listening store receives lines of text. */
export interface Ear {
  /** Sends the text. Returns false when the store has too much unread data; the caller then ends the connection. */
  send(text: string): boolean;
  end(): void;
}

/** Error: the store did not execute the request. The message is a sentence for people at headquarters. */
export class NotDone extends Error {
  /**
   * `away`: the store does not listen. `silent`: the store received the request but did not answer in time, and may
   * have executed it.
   */
  readonly code: 'away' | 'silent' | NonNullable<AskOf<'answer'>['refused']>['code'];

  constructor(code: NotDone['code'], sentence: string) {
    super(sentence);
    this.code = code;
  }
}

interface Asked {
  readonly verb: DownlinkVerb;
  readonly done: (answer: unknown) => void;
  readonly failed: (error: NotDone) => void;
}

interface Listening {
  readonly store: KnownStore;
  readonly ear: Ear;
  readonly asked: Map<string, Asked>;
}

interface Deps extends Pick<Parts, 'log'> {
  readonly registry: Pick<StoreRegistry, 'byRef'>;
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

  /** Calls the function whenever a store begins to listen. */
  onCame(came: (store: KnownStore) => void): void {
    this.#came.push(came);
  }

  /**
   * Attaches a listening store, and ends its previous connection: a store has one listener. Returns the function that
   * ends the new connection.
   */
  attach(store: KnownStore, ear: Ear): () => void {
    const before = this.#listening.get(store.id);
    if (before) this.#drop(before);
    const one: Listening = { store, ear, asked: new Map() };
    this.#listening.set(store.id, one);
    for (const came of this.#came) came(store);
    return () => this.#drop(one);
  }

  /** Ends the connection of a store whose server was replaced or removed. */
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

  /** Sends a request and returns the answer. @param patience milliseconds @throws NotDone */
  async request<V extends DownlinkVerb>(
    store: Pick<KnownStore, 'id'>,
    verb: V,
    said: SaidOf<V>,
    patience = PATIENCE_MS,
  ): Promise<DownlinkAnswerOf<V>> {
    const one = this.#listening.get(store.id);
    if (!one || !this.#isIt(one)) throw away();
    if (one.asked.size >= MAX_ASKED)
      throw new NotDone('busy', 'The store has not answered earlier requests yet. Try again later.');
    const id = newLineId();
    const line = lineOf({ id, verb, said });
    if (line === undefined) throw new NotDone('failed', 'This request is too large to send to a store.');
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
      if (!one.ear.send(line)) this.#drop(one);
    }) as Promise<DownlinkAnswerOf<V>>;
  }

  /**
   * Sends a line of text to a store without waiting for an answer. If the store does not listen or cannot accept the
   * line, it gets the same information later, for example with the answer to its next presence.
   * @param after_ms as in DownlinkLine
   * @returns whether the line was sent
   */
  send<V extends DownlinkVerb>(store: Pick<KnownStore, 'id'>, verb: V, said: SaidOf<V>, after_ms: number): boolean {
    const one = this.#listening.get(store.id);
    if (!one || !this.#isIt(one)) return false;
    const line = lineOf({ id: newLineId(), verb, said, after_ms: Math.min(after_ms, MAX_AFTER_MS) });
    if (line === undefined) return false;
    if (one.ear.send(line)) return true;
    this.#drop(one);
    return false;
  }

  /**
   * Passes the answer of a store to the waiting request. Ignores an answer that no request waits for any more.
   * @throws
   * Refused for an answer of the wrong form
   */
  answered(store: KnownStore, { id, answer, refused }: AskOf<'answer'>): void {
    const asked = this.#listening.get(store.id)?.asked.get(id);
    if (!asked) return;
    if (refused) return asked.failed(new NotDone(refused.code, refused.error));
    const parsed = (TOLD[asked.verb].answer as z.ZodType).safeParse(answer);
    if (parsed.success) return asked.done(parsed.data);
    asked.failed(
      new NotDone(
        'failed',
        'The store sent an answer that headquarters does not understand. Update Vitrine at headquarters.',
      ),
    );
    throw new Refused('bad_request', 400, `answer: ${parsed.error.issues[0]!.message}`);
  }

  /** Sends a heartbeat to all listening stores, and ends connections of servers that are no longer a store's server. */
  beat(): void {
    for (const one of [...this.#listening.values()]) if (!this.#isIt(one) || !one.ear.send('\n')) this.#drop(one);
  }

  /** Returns whether the listening server is still the store's server. */
  #isIt({ store }: Listening): boolean {
    return this.#deps.registry.byRef(store.ref)?.key === store.key;
  }

  #drop(one: Listening): void {
    if (this.#listening.get(one.store.id) === one) this.#listening.delete(one.store.id);
    one.ear.end();
    for (const asked of [...one.asked.values()]) asked.failed(silent());
  }
}

/**
 * Returns the id of a request. Uses randomUUID, which generates random bytes for many ids at once: this is faster when
 * thousands of stores get a request in a row.
 */
const newLineId = (): string => randomUUID().replaceAll('-', '');
/** Returns the request as one line of text; undefined when the line is too long. */
const lineOf = (line: DownlinkLine): string | undefined => {
  const text = JSON.stringify(line);
  return Buffer.byteLength(text) > MAX_LINE_BYTES ? undefined : `${text}\n`;
};

const away = () => new NotDone('away', 'The store cannot be reached at the moment. Its screens keep playing.');
const silent = () =>
  new NotDone(
    'silent',
    'The store received the request but did not answer. The store may have carried out the request.',
  );
