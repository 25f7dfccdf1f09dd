/**
 * In-memory index of the folded (accents and case removed) names of a workspace's records. Each kind is read at the
 * first search, and updated by bus events. Kinds that are not searched for a long time are evicted.
 */
import { LRUCache } from 'lru-cache';
import type { Topic } from '../../../shared/protocol/live.ts';
import { fold } from '../../db/fold.ts';
import type { Change } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { orderOf } from './rank.ts';
import { isWord, type KeptKind, type Named, type NameRow, type SearchStore } from './search.store.ts';

export interface Entry {
  readonly id: string;
  readonly name: string;
  /** Folded search text. An empty text: the record is found by id only. */
  readonly text: string;
  readonly order: string;
}

/** Maximum number of names for all workspaces and kinds: about 30 MB. */
const MAX_NAMES = 150_000;
/** Names read per slice, which takes about 3 ms. The event loop runs between slices. */
const SLICE = 2000;
/** Number of changes after which the whole kind is read again. */
const MAX_STALE = 500;

/**
 * Kinds of records by the topic of their announcements, for topics whose announcements contain the ids of the changed
 * records.
 */
const OWN: Partial<Record<Topic, KeptKind>> = {
  devices: 'device',
  groups: 'group',
  folders: 'folder',
  playlists: 'playlist',
  widgets: 'widget',
  layouts: 'layout',
  walls: 'wall',
  kiosk: 'kiosk',
};
/**
 * Kinds whose names depend on other records, or whose announcements lack ids. After a change, all names of such a kind
 * are read again.
 */
const MADE: Partial<Record<Topic, readonly KeptKind[]>> = {
  devices: ['tag'],
  schedules: ['plan'],
  playlists: ['plan'],
  content: ['plan', 'label'],
  widgets: ['plan'],
  layouts: ['plan'],
  members: ['person'],
};

interface Kept {
  readonly entries: Map<string, Entry>;
  /** Ids of records that have changed since they were read. */
  readonly stale: Set<string>;
  /** Resolves when all names are read. */
  ready: Promise<void> | undefined;
}

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: SearchStore;
}

export class Names {
  readonly #deps: Deps;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_NAMES,
    sizeCalculation: ({ entries }) => entries.size + 1,
  });

  constructor(deps: Deps) {
    const { db, bus } = deps;
    this.#deps = deps;
    bus.on('changed', (change) => this.#changed(change));
    bus.on('workspaceGone', (workspace) => this.#forget((key) => key.startsWith(`${workspace} `)));
    bus.on('accountsChanged', () => this.#forget((key) => key.endsWith(' person')));
    // A failed write transaction clears all names, because they may have been read within it.
    db.onLost(() => this.#kept.clear());
  }

  /** Returns the records of a kind, oldest first. Tags are sorted. */
  async of(workspace: string, kind: KeptKind): Promise<ReadonlyMap<string, Entry>> {
    const key = `${workspace} ${kind}`;
    let kept = this.#kept.get(key);
    if (!kept) {
      kept = { entries: new Map(), stale: new Set(), ready: undefined };
      this.#kept.set(key, kept);
      kept.ready = this.#read(workspace, kind, kept);
    }
    if (kept.ready) await this.#whole(key, kept);
    this.#refresh(workspace, kind, kept);
    return kept.entries;
  }

  async #whole(key: string, kept: Kept): Promise<void> {
    try {
      await kept.ready;
    } catch (error) {
      if (this.#kept.peek(key) === kept) this.#kept.delete(key);
      throw error;
    }
    if (!kept.ready) return;
    kept.ready = undefined;
    // The cache computes the size of an entry only when it is added. So the entry is added again with its final size,
    // unless it was evicted.
    if (this.#kept.peek(key) === kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
  }

  async #read(workspace: string, kind: KeptKind, { entries }: Kept): Promise<void> {
    if (isWord(kind)) {
      for (const { id, name } of this.#deps.store.words(workspace, kind)) entries.set(id, entryOf({ id, name }));
      return;
    }
    for (let after = -1; ; ) {
      const rows = this.#deps.store.names(workspace, kind, after, SLICE);
      for (const row of rows) entries.set(row.id, entryOf(row));
      if (rows.length < SLICE) return;
      after = rows.at(-1)!.rowid;
      await new Promise(setImmediate);
    }
  }

  #refresh(workspace: string, kind: KeptKind, { entries, stale }: Kept): void {
    if (stale.size === 0 || isWord(kind)) return;
    const now = new Map(this.#deps.store.namesOf(workspace, kind, [...stale]).map((row) => [row.id, entryOf(row)]));
    for (const id of stale) {
      const entry = now.get(id);
      if (entry) entries.set(id, entry);
      else entries.delete(id);
    }
    stale.clear();
  }

  #changed({ workspaceId, topic, ids }: Change): void {
    for (const made of MADE[topic] ?? []) this.#kept.delete(`${workspaceId} ${made}`);
    const own = OWN[topic];
    if (own === undefined) return;
    const key = `${workspaceId} ${own}`;
    const kept = this.#kept.peek(key);
    if (!kept) return;
    for (const id of ids ?? []) kept.stale.add(id);
    if (ids === undefined || kept.stale.size > MAX_STALE) this.#kept.delete(key);
  }

  #forget(isMeant: (key: string) => boolean): void {
    for (const key of [...this.#kept.keys()]) if (isMeant(key)) this.#kept.delete(key);
  }
}

const entryOf = ({ id, name, also = null, unlisted = 0 }: Named & Partial<NameRow>): Entry => {
  const text = unlisted ? '' : fold(also === null ? name : `${name} ${also}`);
  return { id, name, text, order: orderOf(text) };
};
