/**
 * Keeps a thumbnail of every design. Each thumbnail contains a key of everything that it was drawn from: the document,
 * the thumbnails of the contents that it shows, and the brand. A thumbnail with another key is drawn again, after a
 * change and at the start of the server, so that no change is lost when the server is killed. The media process draws,
 * one design at a time.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Brand } from '../../../shared/design/brand.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { announce, type Change } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { brandContents } from './brand-contents.ts';
import type { DesignsStore, StoredDesign } from './designs.store.ts';

/** Raised when designs are drawn differently, so that all thumbnails are drawn again. */
const DRAWING = 1;
/** Time in milliseconds in which changes are collected, so that a picture that changes twice is drawn once. */
const COLLECT_MS = 300;
/** Time in milliseconds until a failed drawing is repeated, and the number of attempts. */
const RETRY_MS = 30_000;
const MAX_ATTEMPTS = 3;
/** Number of designs whose contents, and of thumbnails whose keys, are remembered. */
const MAX_KNOWN = 5_000;
const MAX_FAILED = 1_000;
const KEY = /vitrine-design:([0-9a-f]{64})/;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: DesignsStore;
  readonly media: Pick<MediaStore, 'pathOf' | 'put'>;
  readonly process: Pick<MediaProcess, 'designMedia' | 'drawDesign'>;
  readonly brandOf: (workspaceId: string) => Brand | undefined;
  readonly serverZone: () => string;
  readonly onError: (error: unknown) => void;
  /** Tests set shorter times. */
  readonly collectMs?: number;
  readonly retryMs?: number;
}

export class DesignThumbnails implements Lifecycle {
  readonly name = 'design-thumbnails';
  readonly #deps: Deps;
  /** Designs to be checked: changed ones first, then those that show a changed content, then all others. */
  readonly #queues = [new Set<string>(), new Set<string>(), new Set<string>()] as const;
  /** Changed contents by workspace; null: any content of the workspace. */
  #changes = new Map<string, Set<string> | null>();
  /** Contents that a document shows, by the hash of the document; null: it cannot be read. */
  readonly #shown = recent<string, { readonly ids: readonly string[] | null }>(MAX_KNOWN);
  /** Key of a thumbnail by the hash of its file. */
  readonly #keys = recent<string, string>(MAX_KNOWN);
  /** Number of failed attempts by key. */
  readonly #failed = recent<string, number>(MAX_FAILED);
  readonly #retries = new Set<NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #undo: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStarted = true;
    this.#undo = this.#deps.bus.on('changed', (change) => this.#noteChange(change));
    for (const { id } of this.#deps.store.designs()) this.#queues[2].add(id);
    this.#plan();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#undo();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const timer of this.#retries) clearTimeout(timer);
    this.#retries.clear();
    for (const queue of this.#queues) queue.clear();
    await this.#running;
  }

  #noteChange({ workspaceId, topic, ids }: Pick<Change, 'workspaceId' | 'topic' | 'ids'>): void {
    // The name of the workspace is part of its brand.
    if (topic !== 'content' && topic !== 'settings') return;
    const before = this.#changes.get(workspaceId);
    if (ids === undefined || topic === 'settings' || before === null) this.#changes.set(workspaceId, null);
    else this.#changes.set(workspaceId, new Set([...(before ?? []), ...ids]));
    this.#plan();
  }

  #plan(): void {
    if (!this.#isStarted || this.#timer || this.#running) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#work()
        .catch(this.#deps.onError)
        .finally(() => {
          this.#running = undefined;
          if (this.#changes.size > 0) this.#plan();
        });
    }, this.#deps.collectMs ?? COLLECT_MS).unref();
  }

  async #work(): Promise<void> {
    while (this.#isStarted) {
      this.#queueChanges();
      const queue = this.#queues.find(({ size }) => size > 0);
      const [id] = queue ?? [];
      if (id === undefined) return;
      queue!.delete(id);
      try {
        await this.#check(id);
      } catch (error) {
        // A fault of the machine, such as a full disk or no memory for a process. The design is tried again later.
        this.#deps.onError(error);
        this.#retry(id);
      }
    }
  }

  /** Queues the designs that the collected changes concern. */
  #queueChanges(): void {
    const [first, second] = this.#queues;
    const changes = this.#changes;
    this.#changes = new Map();
    for (const [workspaceId, ids] of changes)
      for (const { id, sha256 } of this.#deps.store.designs(workspaceId)) {
        const shown = this.#shown.get(sha256);
        // A document that was not read yet may show any of the contents.
        if (ids === null || !shown || shown.ids?.some((content) => ids.has(content))) second.add(id);
        if (ids?.has(id)) first.add(id);
      }
  }

  /** Draws the thumbnail of a design, unless it has the right one. */
  async #check(id: string): Promise<void> {
    const { store, media, process, clock, serverZone, brandOf } = this.#deps;
    const design = store.design(id);
    if (!design) return;
    const shown = await this.#contentsOf(design.sha256);
    if (shown === null) return;
    const brand = brandOf(design.workspaceId);
    if (!brand) return;
    const pictures = store.thumbnails(design.workspaceId, [...new Set([...shown, ...brandContents(brand)])]);
    const key = createHash('sha256')
      .update(JSON.stringify([DRAWING, design.sha256, pictures, brand]))
      .digest('hex');
    if (design.thumbnail !== null && (await this.#keyOf(design.thumbnail)) === key) return;
    if ((this.#failed.get(key) ?? 0) >= MAX_ATTEMPTS) return;
    let drawn: Uint8Array | null;
    try {
      drawn = await process.drawDesign({
        path: media.pathOf(design.sha256),
        brand,
        pictures: Object.fromEntries(pictures.map((picture) => [picture.id, media.pathOf(picture.thumbnail)])),
        now: toLocal(clock.now(), serverZone()),
        key: `vitrine-design:${key}`,
      });
    } catch (error) {
      // An ApiError is a fault of the machine, not of the design.
      if (!(error instanceof ApiError)) this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
      throw error;
    }
    if (drawn && this.#isStarted) await this.#save(design, key, Buffer.from(drawn));
  }

  async #contentsOf(sha256: string): Promise<readonly string[] | null> {
    const known = this.#shown.get(sha256);
    if (known) return known.ids;
    const ids = await this.#deps.process.designMedia(this.#deps.media.pathOf(sha256));
    this.#shown.set(sha256, { ids });
    return ids;
  }

  /** Returns the key of a stored thumbnail; undefined: it has none, or its file cannot be read. */
  async #keyOf(thumbnail: string): Promise<string | undefined> {
    const known = this.#keys.get(thumbnail);
    if (known !== undefined) return known;
    const bytes = await readFile(this.#deps.media.pathOf(thumbnail)).catch(() => undefined);
    const key = bytes && KEY.exec(bytes.toString('latin1'))?.[1];
    if (key) this.#keys.set(thumbnail, key);
    return key;
  }

  async #save(design: StoredDesign, key: string, bytes: Buffer): Promise<void> {
    const { db, store, media, clock } = this.#deps;
    const { sha256, size, release } = await media.put(bytes);
    try {
      db.write(() => {
        // The design was replaced or deleted meanwhile, so the thumbnail would show another document.
        if (store.design(design.id)?.sha256 !== design.sha256) return;
        store.setThumbnail(design.id, { sha256, size, created_at: seconds(clock) });
        announce(
          this.#deps,
          { workspaceId: design.workspaceId, userId: null },
          { topic: 'content', ids: [design.id], screens: false },
        );
      });
      await db.durable();
      this.#keys.set(sha256, key);
    } finally {
      release();
    }
  }

  #retry(id: string): void {
    if (!this.#isStarted) return;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#queues[2].add(id);
      this.#plan();
    }, this.#deps.retryMs ?? RETRY_MS).unref();
    this.#retries.add(timer);
  }
}
