/**
 * Gives files an address for the screen: a blob URL for each file of the current content (program and overlay) and of
 * the previous content.
 */
import type { Asset } from '../../../shared/program/program.ts';

/**
 * Address that stands for a missing file. The browser cannot load it, so the item fails and is skipped like any other
 * item.
 */
const NOTHING = 'blob:nothing';

interface Held {
  readonly url: string;
  readonly blob: Blob;
}

/** The functions of the URL class that this file uses. */
export interface BlobUrls {
  create(blob: Blob): string;
  revoke(url: string): void;
}

interface Deps {
  readonly blob: (sha256: string, mime: string) => Promise<Blob | undefined>;
  readonly urls: BlobUrls;
}

export class AssetUrls {
  readonly #deps: Deps;
  readonly #held = new Map<string, Held>();
  /** Files of the current content, from the last call of `follow` with other content. */
  #wanted = new Set<string>();
  #shown: string | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  url(sha256: string): string {
    return this.#held.get(sha256)?.url ?? NOTHING;
  }

  /** Returns the text of a document, which is written into a frame. */
  async text(sha256: string): Promise<string> {
    const held = this.#held.get(sha256);
    if (!held) throw new Error('the file is missing on this player');
    return held.blob.text();
  }

  /**
   * Resolves when all needed files have addresses. Addresses of the previous content stay, because its pictures leave
   * the screen a moment later.
   */
  async follow(shown: string, assets: readonly Asset[]): Promise<void> {
    for (const { sha256, mime } of assets) {
      if (this.#held.has(sha256)) continue;
      const blob = await this.#deps.blob(sha256, mime);
      if (blob) this.#held.set(sha256, { url: this.#deps.urls.create(blob), blob });
    }
    if (shown === this.#shown) return;
    const before = this.#wanted;
    this.#shown = shown;
    this.#wanted = new Set(assets.map(({ sha256 }) => sha256));
    for (const sha256 of [...this.#held.keys()])
      if (!this.#wanted.has(sha256) && !before.has(sha256)) this.drop(sha256);
  }

  /** Removes a file that was damaged or that no program needs. */
  drop(sha256: string): void {
    const held = this.#held.get(sha256);
    if (held) this.#deps.urls.revoke(held.url);
    this.#held.delete(sha256);
  }

  clear(): void {
    for (const sha256 of [...this.#held.keys()]) this.drop(sha256);
    this.#wanted.clear();
    this.#shown = null;
  }
}
