/**
 * Imports and their previews: one at a time per workspace, a few at a time per server, and each import ends when its
 * client is gone.
 */
import { open, statfs } from 'node:fs/promises';
import type { Imported, ImportPreview } from '../../../shared/contract/content/exchange.ts';
import { ApiError, badRequest, conflict, diskFull, tooMany } from '../../../shared/contract/errors.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { ExchangeStore } from './exchange.store.ts';
import type { ImportProgress } from './import-progress.ts';
import { Import, type Makers } from './import-run.ts';
import type { Manifest, ManifestThreads } from './manifest-thread.ts';

/** Maximum number of simultaneous imports on the server. Each keeps the manifest of its export in memory. */
const MAX_IMPORTS = 3;

interface Deps {
  readonly makers: Makers;
  readonly store: Pick<ExchangeStore, 'groupsByName' | 'devicesByName'>;
  readonly threads: Pick<ManifestThreads, 'read'>;
  /** Resolves when all write transactions are on disk. */
  readonly durable: () => Promise<void> | undefined;
  /** Maximum size of one file in bytes, like for uploads. */
  readonly maxFileBytes: number;
  readonly progress: Pick<ImportProgress, 'begin'>;
  /** Version of this program. Another version may read the same export differently. */
  readonly version: string;
}

/** An uploaded file to import. */
export interface Sent {
  readonly path: string;
  readonly sha256: string;
}

export class ImportService implements Lifecycle {
  readonly name = 'imports';
  readonly #deps: Deps;
  /** Workspaces with a running import. */
  readonly #busy = new Set<string>();
  readonly #under = new Set<Promise<unknown>>();
  #stop = new AbortController();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stop = new AbortController();
  }

  /** Stops running imports. The records that they have made remain. */
  async stop(): Promise<void> {
    this.#stop.abort(
      new ApiError(
        503,
        'The server is stopping, so the import ended early. Entries imported so far are kept. Send the same file again to continue.',
        { retryAfter: 5 },
      ),
    );
    await Promise.allSettled(this.#under);
  }

  /** Checks whether an import could start, before gigabytes are received. @throws ApiError 409, 429 */
  requireFree({ workspaceId }: WorkspaceActor): void {
    if (this.#busy.has(workspaceId))
      throw conflict('Another import into this workspace is still running. Wait until it is finished, then try again.');
    if (this.#busy.size >= MAX_IMPORTS) throw tooMany(30, 'The server is busy with other imports');
  }

  /**
   * @param gone fires when the client disconnects: the import ends, what was made stays, and the same file continues
   * the import later
   * @throws ApiError 409, 413, 415, 429, 507
   */
  async startImport(actor: WorkspaceActor, sent: Sent, gone: AbortSignal): Promise<Imported> {
    this.requireFree(actor);
    this.#busy.add(actor.workspaceId);
    try {
      return await this.#reading(sent, gone, (manifest, signal) => this.#run(actor, sent, manifest, signal));
    } finally {
      this.#busy.delete(actor.workspaceId);
    }
  }

  /**
   * Returns the records that `take` would add, as far as this can be known before.
   * @throws ApiError 413, 415, 429
   */
  preview({ workspaceId }: WorkspaceActor, sent: Sent, gone: AbortSignal): Promise<ImportPreview> {
    return this.#reading(sent, gone, ({ summary: { from, counts, groups, screens } }) => {
      const there = this.#deps.store.groupsByName(workspaceId);
      const devices = this.#deps.store.devicesByName(workspaceId);
      return {
        from,
        ...counts,
        groups_there: groups.filter((name) => there.has(name)),
        screens_missing: screens.filter((name) => !devices.get(name)),
      };
    });
  }

  async #reading<T>(
    { path }: Sent,
    gone: AbortSignal,
    use: (manifest: Manifest, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const work = async () => {
      const signal = AbortSignal.any([this.#stop.signal, gone]);
      const manifest = await this.#deps.threads.read({ path, maxFileBytes: this.#deps.maxFileBytes }, signal);
      try {
        return await use(manifest, signal);
      } finally {
        await manifest.close();
      }
    };
    const working = work();
    this.#under.add(working);
    try {
      return await working;
    } finally {
      this.#under.delete(working);
    }
  }

  async #run(
    actor: WorkspaceActor,
    { path, sha256 }: Sent,
    manifest: Manifest,
    signal: AbortSignal,
  ): Promise<Imported> {
    const { makers, store, durable, maxFileBytes, version } = this.#deps;
    const { bavail, bsize } = await statfs(path);
    if (manifest.summary.unpacked > bavail * bsize) throw diskFull();
    const zip = await open(path);
    try {
      const names = { groups: store.groupsByName(actor.workspaceId), devices: store.devicesByName(actor.workspaceId) };
      const slices = new Slices({ durable, signal });
      const progress = await this.#deps.progress.begin(
        actor.workspaceId,
        `${sha256} ${version} ${maxFileBytes}`,
        slices,
      );
      return await new Import({ makers, actor, zip, names, signal, slices, progress }).run(manifest.steps());
    } finally {
      await zip.close();
    }
  }
}

/** Returns the abort reason for an import whose client disconnected. */
export const clientGone = () =>
  badRequest(
    'The connection was lost, so the import ended early. Entries imported so far are kept. Send the same file again to continue.',
  );
