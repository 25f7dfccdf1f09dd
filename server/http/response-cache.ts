/**
 * Caches serialized lists by workspace and address until a record of their topics changes. The ETag is the revision, so
 * a client with the current list gets 304 without any serialization.
 */

import { LRUCache } from 'lru-cache';
import type { Topic } from '../../shared/protocol/live.ts';
import type { Bus } from '../kernel/bus.ts';
import { RawJson } from './api.ts';

/** Maximum total size in bytes. Above the maximum, the least recently used answers are removed. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Entry {
  readonly stamp: string;
  readonly answer: RawJson;
}

export class ResponseCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer }) => answer.bytes.length,
  });
  readonly #revisions = new Map<string, number>();
  /** Random text in the ETags, so that they differ from ETags of earlier runs of the server. */
  readonly #run: string;

  constructor(bus: Bus, run: string) {
    this.#run = run;
    bus.on('changed', ({ workspaceId, topic }) => this.touch(workspaceId, topic));
    bus.on('workspaceGone', (workspaceId) => {
      for (const key of [...this.#entries.keys()]) if (key.startsWith(`${workspaceId} `)) this.#entries.delete(key);
    });
  }

  touch(workspaceId: string, topic: Topic): void {
    const key = `${workspaceId} ${topic}`;
    this.#revisions.set(key, (this.#revisions.get(key) ?? 0) + 1);
  }

  /** Clears the cache after a failed commit, because cached answers may contain data that was not saved. */
  clear(): void {
    this.#entries.clear();
  }

  /** Returns the cached answer if no record of `topics` has changed since it was made; otherwise makes a new answer. */
  get(
    workspaceId: string,
    address: string,
    topics: readonly Topic[],
    make: () => { body: readonly unknown[]; total?: number },
  ): RawJson {
    const key = `${workspaceId} ${address}`;
    const stamp = topics.map((topic) => this.#revisions.get(`${workspaceId} ${topic}`) ?? 0).join('.');
    const found = this.#entries.get(key);
    if (found?.stamp === stamp) return found.answer;
    const { body, total = body.length } = make();
    const answer = new RawJson(Buffer.from(JSON.stringify(body)), { etag: `"${this.#run}-${stamp}"`, total });
    this.#entries.set(key, { stamp, answer });
    return answer;
  }
}
