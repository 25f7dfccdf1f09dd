/**
 * Rollouts of releases to the servers of stores: people at headquarters start and watch them, and decide after a stop.
 */
import { freshMemory, placeStores, type RolloutStep, WAVE_STATES } from '../../../shared/chain/rollouts.ts';
import type { ReleaseFile, Visitor } from '../../../shared/chain/wire.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type {
  createStoreRollout,
  listRolloutStores,
  previewStoreRollout,
  RolloutPreview,
  RolloutState,
  RolloutStore,
  StoreRollout,
  StoreSoftware,
  Wave,
} from '../../../shared/contract/headquarters/rollouts.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Release } from '../../../shared/contract/server/updates.ts';
import { compareVersions } from '../../../shared/desktop/update-state.ts';
import type { ReleaseNotes } from '../../../shared/protocol/releases/release-signature.ts';
import { announce } from '../../kernel/bus.ts';
import { collate } from '../../kernel/collate.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor, WorkspaceActor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { isSeen } from '../stores/region-rights.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { visitorOf } from '../stores/store-windows.ts';
import { workspaceOf } from '../stores/stores.service.ts';
import type { Downlink } from '../transport/downlink.ts';
import { RolloutDriver } from './rollout-driver.ts';
import type { RolloutRow, StoreRolloutsStore } from './rollouts.store.ts';

/** Maximum number of rollouts that are kept per workspace. */
const MAX_KEPT = 100;
/** Two times in milliseconds: interval of checks for late stores, and delay of a check after the report of a store. */
const LOOK_MS = 5_000;
const SOON_MS = 1_000;
/** Interval in milliseconds at which admin windows are notified while a rollout changes. */
const ANNOUNCE_MS = 2_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'activity' | 'log'> {
  readonly store: StoreRolloutsStore;
  readonly registry: Pick<StoreRegistry, 'all' | 'byRef' | 'onHeard'>;
  readonly downlink: Pick<Downlink, 'request' | 'isListening' | 'onCame'>;
  /** Releases that people uploaded to headquarters. */
  readonly releases: {
    list(): Release[];
    signedNotes(version: string): ReleaseNotes | null;
    protectFor(needs: (version: string) => boolean): void;
  };
  /** Version of headquarters itself. */
  readonly version: string;
}

export class StoreRolloutsService implements Lifecycle {
  readonly name = 'waves';
  readonly #deps: Deps;
  readonly #driver: RolloutDriver;
  /** Workspaces with changes that are not announced yet. */
  readonly #changed = new Set<string>();
  /** Whether a rollout may be running. If not, the checks are skipped. */
  #isOpen = true;
  #timers: NodeJS.Timeout[] = [];
  #soon: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#driver = new RolloutDriver({
      ...deps,
      notesOf: (version) => deps.releases.signedNotes(version),
      became: (rollout, step) => this.#became(rollout, step),
    });
    deps.releases.protectFor((version) => deps.store.open().some((one) => one.version === version));
    deps.registry.onHeard(() => this.#lookSoon());
    deps.downlink.onCame(() => this.#lookSoon());
  }

  start(): void {
    this.#driver.start();
    this.#timers = [
      setInterval(() => this.runDue(), LOOK_MS).unref(),
      setInterval(() => this.announceChanges(), ANNOUNCE_MS).unref(),
    ];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    clearTimeout(this.#soon);
    await this.#driver.stop();
  }

  /** Resolves when no delivery is running. For tests. */
  idle(): Promise<void> {
    return this.#driver.idle();
  }

  runDue(): void {
    if (!this.#isOpen) return;
    try {
      this.#isOpen = this.#deps.store.open().length > 0;
      if (this.#isOpen) this.#driver.runDue();
    } catch (error) {
      this.#deps.log.warn('Rollouts to stores could not be looked after', { error });
    }
  }

  announceChanges(): void {
    for (const workspaceId of this.#changed) announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores' });
    this.#changed.clear();
  }

  /** Returns the hashes of files that a store may fetch: files of releases that were sent to the store. */
  releaseFilesOf({ ref }: Pick<KnownStore, 'ref'>): Set<string> {
    const id = this.#deps.registry.byRef(ref)?.id;
    if (id === undefined) return new Set();
    const files = this.#deps.store.filesFor(id).flatMap((text) => JSON.parse(text) as ReleaseFile[]);
    return new Set(files.map(({ sha256 }) => sha256));
  }

  /** Returns a file of a running rollout. */
  fileOf(sha256: string): { readonly size: number; readonly mime: string } | undefined {
    const files = this.#deps.store.open().flatMap((row) => JSON.parse(row.files) as ReleaseFile[]);
    const file = files.find((one) => one.sha256 === sha256);
    return file && { size: file.size, mime: 'application/octet-stream' };
  }

  software(actor: Actor): StoreSoftware {
    const { releases, version: own } = this.#deps;
    const enrolled = this.#enrolled(actor);
    const counts = new Map<string | null, number>();
    for (const store of enrolled) counts.set(versionOf(store), (counts.get(versionOf(store)) ?? 0) + 1);
    const versions = [...counts]
      .map(([version, stores]) => ({ version, stores }))
      .sort((a, b) => compareVersions(b.version ?? '', a.version ?? ''));
    const here = releases.list().flatMap((release) => {
      const files = filesOf(release);
      if (files.length === 0) return [];
      const behind = enrolled.filter((store) => !has(store, release.version)).length;
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { version: release.version, notes: release.notes, files: files.length, bytes, behind };
    });
    return { own, versions, releases: here.sort((a, b) => compareVersions(b.version, a.version)) };
  }

  preview(actor: Actor, { version, waves }: BodyOf<typeof previewStoreRollout>): RolloutPreview {
    const enrolled = this.#enrolled(actor);
    const behind = enrolled.filter((store) => !has(store, version));
    const placed = this.#place(actor, waves, behind);
    return {
      waves: placed.map((stores, i) => ({
        name: waves[i]!.name,
        stores: stores.length,
        up: stores.filter(({ line }) => line === 'up').length,
        screens: stores.reduce((sum, { presence }) => sum + (presence?.screens.total ?? 0), 0),
      })),
      have: enrolled.length - behind.length,
      left: behind.length - placed.flat().length,
    };
  }

  /** @throws ApiError 400, 404, 409 */
  create(actor: Actor, { version, waves, healthy_minutes }: BodyOf<typeof createStoreRollout>): StoreRollout {
    const { db, store, clock, releases } = this.#deps;
    requireAll(actor);
    const workspaceId = workspaceOf(actor);
    const release = releases.list().find((one) => one.version === version);
    if (!release) throw notFound('Release');
    const files = filesOf(release);
    if (files.length === 0)
      throw conflict(
        `No file of ${version} has a signature. Upload also the .sig files that the build created next to its files.`,
      );
    const behind = this.#enrolled(actor).filter((one) => !has(one, version));
    const placed = this.#place(actor, waves, behind);
    if (placed.flat().length === 0)
      throw badRequest('waves: no store in these waves needs the update: all of them already run this version');
    const now = clock.now();
    const row: RolloutRow = {
      id: newId(),
      workspace_id: workspaceId,
      version,
      files: JSON.stringify(files),
      waves: JSON.stringify(waves),
      status: 'running',
      wave: 0,
      wave_at: now,
      healthy_minutes,
      stopped_at_store: null,
      visitor: JSON.stringify(visitorOf(actor, actor.workspaceRole as WorkspaceRole)),
      created_at: now,
      updated_at: now,
    };
    db.write(() => {
      if (store.open().some((one) => one.workspace_id === workspaceId))
        throw conflict(
          'Another rollout to stores is running. Wait until that rollout is finished, or end that rollout.',
        );
      store.insert(
        row,
        placed.flatMap((stores, wave) => stores.map(({ id }) => ({ store: id, wave }))),
        freshMemory(now),
      );
      store.forget(workspaceId, MAX_KEPT);
      const count = placed.flat().length;
      this.#note(actor, 'store.rollout_started', `${version}: ${count} ${count === 1 ? 'store' : 'stores'}`);
    });
    return this.#goOn(actor, row.id);
  }

  list(actor: Actor, page: { limit: number; offset: number }): { rows: StoreRollout[]; total: number } {
    const { store } = this.#deps;
    const workspaceId = workspaceOf(actor);
    return {
      rows: store.list(workspaceId, page).map((row) => this.#view(actor, row)),
      total: store.count(workspaceId),
    };
  }

  /** @throws ApiError 404 */
  get(actor: Actor, id: string): StoreRollout {
    return this.#view(actor, this.#find(actor, id));
  }

  /** @throws ApiError 404 */
  stores(actor: Actor, id: string, query: QueryOf<typeof listRolloutStores>): { rows: RolloutStore[]; total: number } {
    const { store, registry } = this.#deps;
    const { waves } = this.get(actor, id);
    const counted = WAVE_STATES.filter((state) => query.state === undefined || state === query.state);
    const total = waves.reduce((sum, { states }) => sum + counted.reduce((all, state) => all + states[state], 0), 0);
    const rows = store.listStores(id, { ...query, regions: regionsOf(actor) }).map(({ store: _, ...row }) => {
      const found = registry.byRef(row.store_id);
      return { ...row, version: found ? versionOf(found) : null };
    });
    return { rows, total };
  }

  /** @throws ApiError 404, 409 */
  pause(actor: Actor, id: string): StoreRollout {
    return this.#set(actor, id, { from: ['running'], to: 'paused', action: 'store.rollout_paused' });
  }

  /**
   * Resumes the rollout. Sends the order again to unhealthy stores and to stores that refused it. @throws ApiError 404,
   * 409
   */
  resume(actor: Actor, id: string): StoreRollout {
    return this.#set(actor, id, { from: ['paused', 'stopped'], to: 'running', action: 'store.rollout_resumed' }, () => {
      const { store, clock } = this.#deps;
      for (const row of store.stores(id))
        if (row.state === 'unhealthy' || row.state === 'refused') store.again(id, row.store, freshMemory(clock.now()));
    });
  }

  /** @throws ApiError 404, 409 */
  end(actor: Actor, id: string): StoreRollout {
    return this.#set(actor, id, { from: OPEN, to: 'ended', action: 'store.rollout_ended' });
  }

  /**
   * Excludes a store from the rollout. The rollout continues unless another store still stops it. @throws ApiError 404,
   * 409
   */
  leaveOut(actor: Actor, id: string, ref: string): StoreRollout {
    const { db, store, registry, clock } = this.#deps;
    requireAll(actor);
    db.write(() => {
      const row = this.#find(actor, id);
      if (!OPEN.includes(row.status)) throw over(row);
      const found = registry.byRef(ref);
      const is = found?.workspace_id === row.workspace_id ? store.findStore(id, found.id) : undefined;
      if (!found || !is) throw notFound('Store');
      const now = clock.now();
      if (is.state !== 'left_out')
        store.remember(id, found.id, { ...freshMemory(now), state: 'left_out', told_at: is.told_at });
      const isFree = row.status === 'stopped' && !store.stores(id).some(({ state }) => state === 'unhealthy');
      if (isFree) store.update(id, { ...row, status: 'running', stopped_at_store: null, updated_at: now });
      this.#note(actor, 'store.left_out', `${found.name}, ${row.version}`);
    });
    return this.#goOn(actor, id);
  }

  #set(
    actor: Actor,
    id: string,
    { from, to, action }: { from: readonly RolloutState[]; to: RolloutState; action: ActivityAction },
    also?: () => void,
  ): StoreRollout {
    const { db, store, clock } = this.#deps;
    requireAll(actor);
    db.write(() => {
      const row = this.#find(actor, id);
      if (!from.includes(row.status)) throw over(row);
      also?.();
      const stopped_at_store = to === 'running' ? null : row.stopped_at_store;
      store.update(id, { ...row, status: to, stopped_at_store, updated_at: clock.now() });
      this.#note(actor, action, row.version);
    });
    return this.#goOn(actor, id);
  }

  #goOn(actor: Actor, id: string): StoreRollout {
    this.#isOpen = true;
    this.runDue();
    return this.get(actor, id);
  }

  #lookSoon(): void {
    if (!this.#isOpen || this.#timers.length === 0) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.runDue();
    }, SOON_MS).unref();
  }

  /** Logs and announces a step. Called within a write transaction. */
  #became(rollout: RolloutRow, step: RolloutStep | undefined): void {
    const { workspace_id: workspaceId, version, status } = rollout;
    this.#changed.add(workspaceId);
    if (!step || step.status === status) return;
    const { activity, log } = this.#deps;
    if (step.status === 'done')
      activity.add({ workspaceId, actor: null, action: 'store.rollout_done', details: version });
    if (!step.stop) return;
    const { store, why } = step.stop;
    const name = this.#deps.registry.all(workspaceId).find(({ id }) => id === store)?.name ?? '';
    log.warn(`The rollout of ${version} to stores stopped at ${name}: ${why}`);
    activity.add({ workspaceId, actor: null, action: 'store.rollout_stopped', details: `${version}, ${name}: ${why}` });
  }

  #enrolled(actor: Actor): StoreNow[] {
    return this.#deps.registry.all(workspaceOf(actor)).filter((store) => store.key !== null && isSeen(actor, store));
  }

  /** @throws ApiError 404 */
  #place(actor: Actor, waves: readonly Wave[], stores: readonly StoreNow[]): StoreNow[][] {
    const workspaceId = workspaceOf(actor);
    for (const { stores: wanted } of waves)
      if (
        wanted.which === 'named' &&
        wanted.ids.some((ref) => this.#deps.registry.byRef(ref)?.workspace_id !== workspaceId)
      )
        throw notFound('Store');
    const ordered = stores.toSorted((a, b) => collate(a.name, b.name));
    return placeStores(
      waves.map(({ stores: choice }) => choice),
      ordered,
    );
  }

  #find(actor: Actor, id: string): RolloutRow {
    const found = this.#deps.store.find(workspaceOf(actor), id);
    if (!found) throw notFound('Rollout');
    return found;
  }

  #view(actor: Actor, row: RolloutRow): StoreRollout {
    const { store, registry } = this.#deps;
    const counts = store.counts(row.id, regionsOf(actor));
    const states = (wave: number) =>
      Object.fromEntries(
        WAVE_STATES.map((state) => [
          state,
          counts.find((count) => count.wave === wave && count.state === state)?.stores ?? 0,
        ]),
      ) as StoreRollout['waves'][number]['states'];
    const stopped = row.stopped_at_store === null ? undefined : store.findStore(row.id, row.stopped_at_store);
    const where = stopped && registry.all(row.workspace_id).find(({ id }) => id === stopped.store);
    return {
      id: row.id,
      version: row.version,
      status: row.status,
      stopped_at:
        stopped && where && isSeen(actor, where)
          ? { store_id: where.ref, store_name: where.name, why: stopped.why }
          : null,
      wave: row.wave,
      waves: (JSON.parse(row.waves) as Wave[]).map(({ name }, wave) => ({ name, states: states(wave) })),
      healthy_minutes: row.healthy_minutes,
      by: (JSON.parse(row.visitor) as Visitor).name,
      created_at: Math.floor(row.created_at / 1000),
      updated_at: Math.floor(row.updated_at / 1000),
    };
  }

  /** Logs and announces an action. Called within a write transaction. */
  #note(actor: Actor, action: ActivityAction, details: string): void {
    this.#deps.activity.add({ workspaceId: workspaceOf(actor), actor, action, details });
    announce(this.#deps, actor as WorkspaceActor, { topic: 'stores' });
  }
}

/** Returns the regions that the actor sees; null: all. */
const regionsOf = ({ regions }: Actor): readonly string[] | null => regions?.map(({ region }) => region) ?? null;

/** @throws ApiError 403 */
const requireAll = ({ regions }: Actor): void => {
  if (regions !== null)
    throw new ApiError(403, 'Only people with rights in all regions can roll versions out to stores.', {
      code: 'outside_rights',
    });
};

const OPEN: readonly RolloutState[] = ['running', 'paused', 'stopped'];
const over = ({ status }: RolloutRow) => conflict(`This is not possible, because the rollout is ${status}`);

const versionOf = ({ presence }: StoreNow): string | null => presence?.version ?? null;
const has = (store: StoreNow, version: string): boolean => compareVersions(versionOf(store) ?? '', version) >= 0;
const filesOf = ({ files }: Release): ReleaseFile[] =>
  files.flatMap(({ name, size, sha256, signature }) => (signature === null ? [] : { name, size, sha256, signature }));
