/**
 * Rendered pages on disk, as files that players fetch by hash like media. A page is rendered again only when its key
 * changes. Files are not backed up, because they are made from records.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asset } from '../../../../shared/program/program.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import { recent } from '../../../kernel/time/recent.ts';
import type { PageDocument } from './document.ts';

/** Maximum number of remembered pages. Each takes some 200 bytes plus its key. */
const MAX_KNOWN = 5000;
/** Permissions of the folder: only the user of the server has access. */
const FOLDER_MODE = 0o700;

export class PageFiles implements Lifecycle {
  readonly name: string;
  readonly #folder: string;
  /** Page of each record, with a key that contains everything that the page was made from. */
  readonly #known = recent<string, { readonly key: string; readonly asset: Asset }>(MAX_KNOWN);
  readonly #byHash = recent<string, string>(MAX_KNOWN);

  /** @param folder a folder that contains only these pages */
  constructor(name: string, folder: string) {
    this.name = name;
    this.#folder = folder;
  }

  /** Deletes pages of earlier runs. They are made again on demand, some by a newer version with another hash. */
  start(): void {
    mkdirSync(this.#folder, { recursive: true, mode: FOLDER_MODE });
    // Deletes only pages and partial pages, no other files.
    for (const name of readdirSync(this.#folder))
      if (/^[0-9a-f]{64}(\.tmp)?$/.test(name) && !this.#byHash.has(name))
        rmSync(join(this.#folder, name), { force: true });
  }

  stop(): void {}

  /** Returns the page of a record, and writes it when it is new. @param render called only when the key has changed */
  asset(recordId: string, key: string, render: () => PageDocument): Asset {
    const known = this.#known.get(recordId);
    if (known?.key === key) return known.asset;
    const bytes = Buffer.from(render().html);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const asset = { sha256, size: bytes.length, mime: 'text/html' };
    this.#known.set(recordId, { key, asset });
    this.#byHash.set(sha256, recordId);
    this.#write(sha256, bytes);
    return asset;
  }

  /** Returns the id of the record whose page has this hash; undefined: unknown. */
  ownerOf(sha256: string): string | undefined {
    return this.#byHash.get(sha256);
  }

  /** Returns the path of a page if its file exists. */
  path(sha256: string): string | undefined {
    const path = join(this.#folder, sha256);
    return this.#byHash.has(sha256) && existsSync(path) ? path : undefined;
  }

  /** Forgets the page of a record, so that it is rendered again. */
  forget(recordId: string): void {
    this.#known.delete(recordId);
  }

  /** Writes some 100 KB, once per version of a page. On a full disk the page is written later on demand. */
  #write(sha256: string, bytes: Buffer): void {
    const path = join(this.#folder, sha256);
    if (existsSync(path)) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: FOLDER_MODE });
      writeFileSync(`${path}.tmp`, bytes, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      rmSync(`${path}.tmp`, { force: true });
    }
  }
}
