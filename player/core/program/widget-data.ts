/** Live data of widgets (feeds, weather), fetched from the server and stored for times without a connection. */
import { z } from 'zod';
import type { Program } from '../../../shared/program/program.ts';
import { itemsOf } from '../../../shared/program/program-items.ts';
import type { Crypto, Documents, Host, Reply, Undo } from '../ports.ts';

/**
 * Interval of requests. The server fetches feeds every few minutes. One request per minute, mostly answered with 304,
 * is cheap.
 */
const EVERY_MS = 60_000;
const ANSWER_MS = 20_000;
const MOST_BYTES = 2 * 1024 * 1024;
/** Maximum number of distinct data paths in one program. */
const MOST_PATHS = 200;

const Kept = z.object({ etag: z.string().nullable(), data: z.unknown() });

interface Deps extends Pick<Host, 'log' | 'time'> {
  /** Document store that only this class uses: all documents in it are widget data. */
  readonly documents: Documents;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly get: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Reply>;
}

export class WidgetData {
  readonly #deps: Deps;
  #paths = new Set<string>();
  #program: Program | null = null;
  #cancel: Undo | undefined;
  #stop = new AbortController();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#again();
  }

  stop(): void {
    this.#cancel?.();
    this.#stop.abort();
  }

  /**
   * Fetches the data of this program's widgets from now on; null: the player was unpaired, and all stored data is
   * removed.
   */
  async follow(program: Program | null): Promise<void> {
    if (program === this.#program) return;
    const before = this.#paths;
    this.#program = program;
    this.#paths = program ? dataPaths(program) : new Set();
    if (!program) return this.#clear();
    if ([...this.#paths].some((path) => !before.has(path))) await this.#round();
  }

  /**
   * Returns the JSON text that the server sent last for this path. Only paths that the program names have data, so a
   * page cannot read other server paths.
   */
  async find(path: string): Promise<string | undefined> {
    if (!this.#paths.has(path)) return undefined;
    const kept = await this.#read(path);
    return kept && JSON.stringify(kept.data);
  }

  #again(): void {
    this.#cancel = this.#deps.time.after(EVERY_MS, () => {
      void this.#round();
      this.#again();
    });
  }

  async #round(): Promise<void> {
    // A failed request is normal (a store may have no server for weeks) and not logged. The last data stays, and the
    // next round tries again.
    for (const path of this.#paths) await this.#fetch(path).catch(() => {});
  }

  async #fetch(path: string): Promise<void> {
    const kept = await this.#read(path);
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ANSWER_MS)]);
    const reply = await this.#deps.get(path, kept?.etag ? { 'If-None-Match': kept.etag } : {}, signal);
    const text = await textOf(reply);
    if (reply.status !== 200) return;
    await this.#deps.documents.write(
      this.#name(path),
      JSON.stringify({ etag: reply.header('etag'), data: JSON.parse(text) }),
    );
  }

  async #read(path: string): Promise<z.infer<typeof Kept> | undefined> {
    const text = await this.#deps.documents.read(this.#name(path));
    if (text === undefined) return undefined;
    try {
      return Kept.parse(JSON.parse(text));
    } catch (error) {
      this.#deps.log.warn('kept widget data were damaged and are fetched again', error);
      return undefined;
    }
  }

  async #clear(): Promise<void> {
    const { documents } = this.#deps;
    for (const name of await documents.list()) await documents.remove(name);
  }

  #name(path: string): string {
    return this.#deps.crypto.sha256(path);
  }
}

function dataPaths(program: Program): Set<string> {
  const paths = itemsOf(program).flatMap((item) => (item.data_url?.startsWith('/') ? [item.data_url] : []));
  return new Set([...new Set(paths)].slice(0, MOST_PATHS));
}

async function textOf(reply: Reply): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const part of reply.body) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error('the data of the widget is too large');
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
