/**
 * The address of the screen page. It is another one at each start, so that nobody can know it, unless a browser that
 * somebody opened by hand outlived the player and has to find it again. It is kept in a file that only this user can
 * read.
 */
import { createServer } from 'node:net';
import { z } from 'zod';
import { readDocument } from '../core/documents.ts';
import type { Crypto, Documents, Log } from '../core/ports.ts';

const NAME = 'screen-address';
const Saved = z.object({
  format: z.literal(1),
  port: z.number().int().min(1).max(65_535),
  token: z.string().regex(/^[0-9a-f]{32}$/),
  /** A page followed the player when it was last heard of. */
  page: z.boolean(),
});
type Saved = z.infer<typeof Saved>;

/** A page that was left open looks for its player each second, each ten at the most (agent-host.ts). */
export const RETURNS_WITHIN_MS = 12_000;

interface Deps {
  readonly documents: Documents;
  readonly crypto: Pick<Crypto, 'randomHex'>;
  readonly log: Log;
}

export class ScreenAddress {
  readonly #deps: Deps;
  #saved: Saved | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The one from before where a page was left open and nobody else has taken it; a new one otherwise. */
  async find(): Promise<{ readonly token: string; readonly port: number | undefined; readonly pageWasOpen: boolean }> {
    const saved = await readDocument(this.#deps, NAME, Saved);
    if (saved?.page && (await isFree(saved.port))) return { token: saved.token, port: saved.port, pageWasOpen: true };
    return { token: this.#deps.crypto.randomHex(16), port: undefined, pageWasOpen: false };
  }

  async is(address: { readonly token: string; readonly port: number }): Promise<void> {
    await this.#save({ format: 1, ...address, page: false });
  }

  async page(page: boolean): Promise<void> {
    if (this.#saved && this.#saved.page !== page) await this.#save({ ...this.#saved, page });
  }

  /** If this fails, a page that is left open has to be opened anew. */
  async #save(saved: Saved): Promise<void> {
    this.#saved = saved;
    const { documents, log } = this.#deps;
    await documents
      .write(NAME, JSON.stringify(saved))
      .catch((error) => log.warn('the address of the screen page could not be kept', error));
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
