/**
 * Pages of messages for players: files named by their hash, in a folder that can be deleted at any time. A page can be
 * made again from its message.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrawnMessage } from '../../../shared/contract/screens/messages.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { messagePage } from './message-page.ts';
import type { MessagesStore } from './messages.store.ts';

/** Maximum number of stored files, each up to 800 KB. Older pages are made again on request. */
const MAX_FILES = 50;
const FOLDER_MODE = 0o700;

interface Deps {
  readonly folder: string;
  readonly store: Pick<MessagesStore, 'byAsset'>;
}

export class MessagePages implements Lifecycle {
  readonly name = 'message-pages';
  readonly #deps: Deps;
  /** Page files by workspace and hash, oldest first. */
  readonly #kept = new Map<string, Asset>();

  /** @param deps.folder `<data>/message-pages` */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { folder } = this.#deps;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder))
      if (/^[0-9a-f]{64}(\.tmp)?$/.test(name)) rmSync(join(folder, name), { force: true });
  }

  stop(): void {}

  make(workspaceId: string, drawn: DrawnMessage): Asset {
    const bytes = Buffer.from(messagePage(drawn).html);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const asset = { sha256, size: bytes.length, mime: 'text/html' };
    this.#write(sha256, bytes);
    this.#keep(`${workspaceId} ${sha256}`, asset);
    return asset;
  }

  /**
   * Returns undefined if no message of the workspace has such a page, or if this version draws the page differently.
   */
  find(workspaceId: string, sha256: string): (Asset & { readonly path: string }) | undefined {
    const path = join(this.#deps.folder, sha256);
    const kept = this.#kept.get(`${workspaceId} ${sha256}`);
    if (kept && existsSync(path)) return { ...kept, path };
    const drawn = this.#deps.store.byAsset(workspaceId, sha256);
    if (!drawn) return undefined;
    const asset = this.make(workspaceId, drawn);
    return asset.sha256 === sha256 ? { ...asset, path } : undefined;
  }

  #keep(key: string, asset: Asset): void {
    this.#kept.delete(key);
    this.#kept.set(key, asset);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size <= MAX_FILES || oldest === undefined) return;
    const { sha256 } = this.#kept.get(oldest)!;
    this.#kept.delete(oldest);
    if (![...this.#kept.values()].some((other) => other.sha256 === sha256))
      rmSync(join(this.#deps.folder, sha256), { force: true });
  }

  /** Writes a page to the disk. Ignores an error such as a full disk: the next request writes the page again. */
  #write(sha256: string, bytes: Buffer): void {
    const path = join(this.#deps.folder, sha256);
    if (existsSync(path)) return;
    try {
      mkdirSync(this.#deps.folder, { recursive: true, mode: FOLDER_MODE });
      writeFileSync(`${path}.tmp`, bytes, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      rmSync(`${path}.tmp`, { force: true });
    }
  }
}
