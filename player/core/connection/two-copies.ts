/**
 * Stores each document twice, because one of the small files for picture and pairing may become empty, truncated,
 * changed or lost without notice. Each copy contains its age and a digest of its other content. The newest undamaged
 * copy is read, and the other copy is restored from it. The first copy has the document's name and, apart from the
 * extra field, the text that older versions expect, so a downgrade works. Documents named by their digest need no extra
 * field.
 */

import { jsonOrUndefined } from '../files/documents.ts';
import type { Crypto, Documents, Host, Time, Undo } from '../ports.ts';
import { Serial } from '../serial.ts';

const SECOND = '.copy';
const NAMED_BY_DIGEST = /^program-[0-9a-f]{64}$/;
const SEAL = /,"sealed":"(\d+) ([0-9a-f]{64})"\}$/;
/**
 * Interval of the check that all copies still exist: a person may delete files, and the next start may come before the
 * next write.
 */
const LOOK_MS = 60_000;
/** Maximum length of a document that is kept in memory for a restore. The server has longer documents. */
const MOST_HELD = 1024 * 1024;

interface Deps extends Pick<Host, 'documents' | 'log'> {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly time: Pick<Time, 'after'>;
}

interface Copy {
  /** Text in the file; undefined: missing or unreadable. */
  readonly stored: string | undefined;
  /** Content of the document; undefined: damaged. */
  readonly text: string | undefined;
  /** Age number of the copy: starts at 1 and grows with each write; 0: not given. */
  readonly age: number;
  /** Error of the read; undefined if the read succeeded. */
  readonly error?: unknown;
}

export class TwoCopies implements Documents {
  readonly #deps: Deps;
  /** Reads or writes both copies of a document without interruption by other calls. */
  readonly #queue = new Serial();
  /** Highest age number of each document. */
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

  /** Writes both copies. Resolves once one copy is durable; the next read repairs the other copy. */
  write(name: string, text: string): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#ages.has(name)) this.#ages.set(name, await this.#newestAge(name));
      await this.#writeBoth(name, text);
    });
  }

  /** Removes the second copy first: after an interruption the document is unchanged. */
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
    // An unreadable disk does not mean missing data. If the caller took the document for missing, it would overwrite
    // it.
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
   * Removes second copies that an older version left behind. An older version has no second copies, so a document that
   * it removed (after unpairing, for example) must not return from the second copy. A first copy without an age shows
   * that an older version has run.
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

/** Returns the newer copy. A first copy without an age was written by an older version, after the second copy. */
function newer(first: Copy, second: Copy): Copy {
  if (first.text === undefined) return second;
  return first.age > 0 && second.age > first.age ? second : first;
}

/** Returns whether the error means that the path exists but is not a regular file. */
const isNoFile = (error: unknown): boolean =>
  /^(EISDIR|ELOOP|ENOTDIR)$/.test(String((error as { code?: unknown }).code));
