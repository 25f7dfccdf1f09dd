/**
 * Every document twice: of the small files on which picture and pairing hang, one may be emptied, cut, changed or gone
 * without anybody noticing. A copy says in a member of its own how new it is, and a digest of the rest; the newest that
 * is whole is what is read, and the other is made anew from it. The first copy has the name and, but for that member,
 * the text that versions before this one know: they can be gone back to. What is named by its digest says already what
 * it must be, and has no such member.
 */

import { jsonOrUndefined } from './documents.ts';
import type { Crypto, Documents, Host, Time, Undo } from './ports.ts';
import { Serial } from './serial.ts';

const SECOND = '.copy';
const NAMED_BY_DIGEST = /^program-[0-9a-f]{64}$/;
const SEAL = /,"sealed":"(\d+) ([0-9a-f]{64})"\}$/;
/**
 * Whether they are all still there is looked after this often: somebody may tidy up, and the next start may come before
 * the next write.
 */
const LOOK_MS = 60_000;
/** Longer ones are not held in memory to be written again; the server has them. */
const MOST_HELD = 1024 * 1024;

interface Deps extends Pick<Host, 'documents' | 'log'> {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly time: Pick<Time, 'after'>;
}

interface Copy {
  /** As it is stored; undefined: it is not there, or cannot be read. */
  readonly stored: string | undefined;
  /** What is in it; undefined: nothing that is whole. */
  readonly text: string | undefined;
  /** From 1 on; 0: it is not said. */
  readonly age: number;
  /** Why it could not be read. */
  readonly error?: unknown;
}

export class TwoCopies implements Documents {
  readonly #deps: Deps;
  /** Of one document both copies are read, or both written. */
  readonly #queue = new Serial();
  /** How new the newest of each is. */
  readonly #ages = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#dropForgotten();
    this.#lookLater();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#queue.run(async () => {});
  }

  read(name: string, isSound?: (text: string) => boolean): Promise<string | undefined> {
    return this.#queue.run(async () => {
      const [first, second] = [await this.#copy(name, isSound), await this.#copy(name + SECOND, isSound)];
      const best = newer(first, second);
      if (best.text === undefined) return this.#readNothing(name, [first, second]);
      this.#ages.set(name, Math.max(first.age, second.age));
      const stored = this.#sealed(name, best.text, best.age);
      if (first.stored !== stored || second.stored !== stored) await this.#mend(name, best.text, [first, second]);
      this.#hold(name, best.text);
      return best.text;
    });
  }

  /** Done once one of them is durable; what the other lacks is mended when it is next read. */
  write(name: string, text: string): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#ages.has(name)) this.#ages.set(name, await this.#newestAge(name));
      await this.#writeBoth(name, text);
    });
  }

  /** The second first: what is left behind half-way is as it was before. */
  remove(name: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#texts.delete(name);
      for (const copy of [name + SECOND, name]) await this.#deps.documents.remove(copy);
    });
  }

  async list(): Promise<string[]> {
    const names = await this.#deps.documents.list();
    return [...new Set(names.map((name) => (name.endsWith(SECOND) ? name.slice(0, -SECOND.length) : name)))];
  }

  setAside(name: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#texts.delete(name);
      for (const copy of [name, name + SECOND]) await this.#deps.documents.setAside(copy);
    });
  }

  async #copy(name: string, isSound = isJson): Promise<Copy> {
    let stored: string | undefined;
    try {
      stored = await this.#deps.documents.read(name);
    } catch (error) {
      return { stored, text: undefined, age: 0, error };
    }
    if (stored === undefined) return { stored, text: undefined, age: 0 };
    const [seal, age = 0, digest] = SEAL.exec(stored) ?? [];
    const text = seal === undefined ? stored : `${stored.slice(0, -seal.length)}}`;
    const isWhole = (seal === undefined || this.#deps.crypto.sha256(text) === digest) && isSound(text);
    return isWhole ? { stored, text, age: Number(age) } : { stored, text: undefined, age: 0 };
  }

  async #readNothing(name: string, copies: readonly [Copy, Copy]): Promise<undefined> {
    // A disk that reads nothing has lost nothing yet: whoever takes it for gone would write something new in its place.
    for (const { error } of copies) if (error !== undefined && !isNoFile(error)) throw error;
    await this.#setAsideDamaged(name, copies);
  }

  async #mend(name: string, text: string, copies: readonly [Copy, Copy]): Promise<void> {
    try {
      await this.#setAsideDamaged(name, copies);
      await this.#writeBoth(name, text);
    } catch (error) {
      this.#deps.log.warn(`${name} could not be copied yet`, error);
    }
  }

  async #setAsideDamaged(name: string, copies: readonly [Copy, Copy]): Promise<void> {
    const { documents, log } = this.#deps;
    const damaged = [name, name + SECOND].filter((_, i) => {
      const { stored, text, error } = copies[i]!;
      return text === undefined && (stored ?? error) !== undefined;
    });
    if (damaged.length > 0)
      log.error(
        `${damaged.join(' and ')} ${damaged.length === 1 ? 'is damaged and was' : 'are damaged and were'} set aside`,
      );
    for (const copy of damaged)
      await documents.setAside(copy).catch((error) => log.warn(`${copy} could not be set aside`, error));
  }

  async #writeBoth(name: string, text: string): Promise<void> {
    const { documents, log } = this.#deps;
    const age = this.#ages.get(name)! + 1;
    const stored = this.#sealed(name, text, age);
    const failures: unknown[] = [];
    for (const copy of [name, name + SECOND])
      await documents.write(copy, stored).catch((error) => failures.push(error));
    if (failures.length === 2) throw failures[0];
    if (failures.length === 1) log.warn(`one of the two copies of ${name} could not be written`, failures[0]);
    this.#ages.set(name, age);
    this.#hold(name, text);
  }

  #sealed(name: string, text: string, age: number): string {
    return NAMED_BY_DIGEST.test(name)
      ? text
      : `${text.slice(0, -1)},"sealed":"${age} ${this.#deps.crypto.sha256(text)}"}`;
  }

  async #newestAge(name: string): Promise<number> {
    return Math.max((await this.#copy(name)).age, (await this.#copy(name + SECOND)).age);
  }

  #hold(name: string, text: string): void {
    if (text.length <= MOST_HELD) this.#texts.set(name, text);
    else this.#texts.delete(name);
  }

  /**
   * A version of before this has run since, and knows of one copy only: what it removed (on being unpaired, say) is not
   * to come back from the other. By what it wrote one knows that it has run.
   */
  async #dropForgotten(): Promise<void> {
    const { documents, log } = this.#deps;
    const names = new Set(await documents.list());
    const seconds = [...names].flatMap((name) => /^(.*)\.copy$/.exec(name)?.[1] ?? []);
    const isOlder = async (name: string) => {
      const [first, second] = [await this.#copy(name), await this.#copy(name + SECOND)];
      return first.text !== undefined && first.age === 0 && second.age > 0;
    };
    let older = false;
    for (const name of seconds) if (!NAMED_BY_DIGEST.test(name)) older ||= await isOlder(name);
    if (!older) return;
    log.info('another version of this player has run here meanwhile');
    for (const name of seconds) if (!names.has(name)) await documents.remove(name + SECOND);
  }

  #lookLater(): void {
    this.#cancel = this.#deps.time.after(LOOK_MS, () => {
      void this.#queue
        .run(() => this.#restore())
        .catch((error) => this.#deps.log.warn('the kept documents could not be looked after', error));
      this.#lookLater();
    });
  }

  async #restore(): Promise<void> {
    const there = new Set(await this.#deps.documents.list());
    const gone = [...this.#texts].filter(([name]) => !there.has(name) || !there.has(name + SECOND));
    if (gone.length === 0) return;
    this.#deps.log.warn(`${gone.length} of the kept documents were removed from the disk and are written again`);
    for (const [name, text] of gone) await this.#writeBoth(name, text);
  }
}

const isJson = (text: string): boolean => jsonOrUndefined(text) !== undefined;

/** A first copy that says nothing of its age was written by a version of before this, after the second. */
function newer(first: Copy, second: Copy): Copy {
  if (first.text === undefined) return second;
  return first.age > 0 && second.age > first.age ? second : first;
}

/** In the place of the file there is something that never was one. */
const isNoFile = (error: unknown): boolean =>
  /^(EISDIR|ELOOP|ENOTDIR)$/.test(String((error as { code?: unknown }).code));
