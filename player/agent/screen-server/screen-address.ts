/**
 * The address of the screen page. It changes at each start so that it cannot be guessed, except when a browser that a
 * person opened outlived the player and must find it again. The address is stored in a file that only this user can
 * read.
 */
import { createServer } from 'node:net';
import { z } from 'zod';
import { readDocument } from '../../core/files/documents.ts';
import type { Crypto, Documents, Log } from '../../core/ports.ts';

const NAME = 'screen-address';
const Saved = z.object({
  format: z.literal(1),
  port: z.number().int().min(1).max(65_535),
  token: z.string().regex(/^[0-9a-f]{32}$/),
  /** Whether a page was connected at the last update of this file. */
  page: z.boolean(),
});
type Saved = z.infer<typeof Saved>;

/**
 * Longest wait for a page that was left open. Such a page searches for its player every second, and at least every ten
 * seconds (agent-host.ts).
 */
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

  /** Returns the previous address if a page was left open and the port is free; otherwise a new address. */
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

  /** Saves the address. If this fails, a page that was left open must be opened again by hand. */
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
