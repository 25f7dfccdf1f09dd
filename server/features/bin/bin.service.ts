/** Rules of the bin: list, restore and delete entries. */

import type { listBin } from '../../../shared/contract/content/bin.ts';
import {
  type BinEntry,
  type BinKind,
  type LeftPlace,
  MAX_LEFT,
  MAX_PLACES,
  MAX_RELATED,
  type PlaceKind,
  type Places,
  placeKinds,
  type RecordKind,
  type Restored,
} from '../../../shared/contract/content/bin.ts';
import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import { conflict, notFound } from '../../../shared/contract/errors.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import { collate } from '../../kernel/collate.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { GroupsService } from '../groups/groups.service.ts';
import type { PlanFollower } from '../plans/plan-follower.ts';
import type { BinRow, BinStore } from './bin.store.ts';
import type { PlacesStore, PutBack } from './places.store.ts';
import { type BinnedUses, makersIn, shows } from './shown.ts';
import { type Kept, type Owner, ownersIn, type Snapshot } from './snapshot.ts';

/**
 * Effects of restoring an entry: the kind of record that is restored, and the places (records that contained it) that
 * change.
 */
export interface Concern {
  readonly kind: BinKind;
  readonly ref: string;
  readonly name: string;
  /** Person who deleted the record; null: unknown. */
  readonly userId: string | null;
  /** Former folder of a content. */
  readonly folderId: string | null;
  readonly owners: readonly Owner[];
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: BinStore;
  readonly places: PlacesStore;
  readonly plans: Pick<PlanFollower, 'afterRestore' | 'groupCameBack'>;
  readonly groups: Pick<GroupsService, 'afterRestore'>;
}

/** Topic that is announced for a restored record, and for each record that contains it again. */
const TOPICS: Readonly<Record<PlaceKind, Topic | undefined>> = {
  content: 'content',
  widget: 'widgets',
  design: 'content',
  playlist: 'playlists',
  plan: 'plans',
  layout: 'layouts',
  screen: 'devices',
  group: 'groups',
  wall: 'walls',
  // Every screen may show the default content of the workspace, so all screens are notified.
  workspace: 'devices',
  folder: undefined,
  slot: 'playlists',
  other: undefined,
};

export class BinService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: WorkspaceActor, query: QueryOf<typeof listBin>): { records: BinEntry[]; total: number } {
    return this.#deps.store.page(actor.workspaceId, query);
  }

  /**
   * Returns the other entries that should be restored with an entry, in the order of restoring.
   * @throws ApiError 404
   */
  related(actor: WorkspaceActor, id: string): BinEntry[] {
    const { store, places } = this.#deps;
    return store.some(actor.workspaceId, places.binned.related(this.#get(actor, id).id, MAX_RELATED));
  }

  /** Returns where a record is used. @throws ApiError 404 */
  placesOf(actor: WorkspaceActor, kind: RecordKind, id: string): Places {
    const { places } = this.#deps;
    if (!places.belongs(kind, id, actor.workspaceId)) throw notFound('Record');
    const owners = [...ownersIn(places.snapshot(kind, id)), ...places.designsShowing(actor.workspaceId, id)].filter(
      (owner) => owner.id !== id,
    );
    const order = (owner: { kind: PlaceKind }) => placeKinds.indexOf(owner.kind);
    const sorted = owners.sort((a, b) => order(a) - order(b) || collate(a.name, b.name));
    return {
      places: sorted.slice(0, MAX_PLACES).map(({ kind, id, name }) => ({ kind, id, name })),
      total: sorted.length,
    };
  }

  /** Returns how records in the bin use a record. */
  usesOf(workspaceId: string, id: string): BinnedUses {
    const { binned } = this.#deps.places;
    const entries = binned.naming(id);
    const showing = entries.find(({ snapshot }) => shows(snapshot, id, (playlistId) => binned.isOwn(playlistId)));
    const designs = Map.groupBy(binned.designsShowing(workspaceId, id), ({ kind }) => kind);
    return {
      shownIn: showing?.name,
      makers: [
        ...entries.flatMap(({ snapshot }) => makersIn(snapshot, id)),
        ...(designs.get('content') ?? []).map(({ ref, name }) => ({ of: 'content', id: ref, design: name }) as const),
      ],
      earlier: (designs.get('file') ?? []).map(({ ref, name }) => ({ of: 'content', id: ref, name }) as const),
    };
  }

  /** Returns what restoring an entry would affect, for a check of rights; undefined: no such entry. */
  concerns(workspaceId: string, id: string): Concern | undefined {
    const row = this.#deps.store.find(workspaceId, id);
    if (!row) return undefined;
    const kept = JSON.parse(row.record) as Kept;
    const about = { kind: row.kind, ref: row.ref, name: row.name, userId: row.user_id };
    if ('file' in kept) return { ...about, folderId: null, owners: [] };
    const folderId = kept.snapshot.rows[0]?.row['folder_id'];
    const owners = [...ownersIn(kept.snapshot), ...this.#deps.places.designsShowing(workspaceId, row.ref)];
    return { ...about, folderId: folderId ? String(folderId) : null, owners };
  }

  /** @throws ApiError 404; 409 if the record exists already, or the record that it is a part of is missing */
  restore(actor: WorkspaceActor, id: string): Restored {
    return this.#deps.db.write(() => {
      const { store } = this.#deps;
      const row = this.#get(actor, id);
      const kept = JSON.parse(row.record) as Kept;
      // The entry is deleted first, because parts that cannot be restored yet are moved to other entries.
      store.delete(id);
      const back = 'file' in kept ? this.#restoreFile(actor, row, kept.file) : this.#restore(actor, row, kept.snapshot);
      this.#changed(actor, 'bin.restored', row);
      const { put, left } = back;
      return {
        kind: row.kind,
        id: row.ref,
        name: row.name,
        places: put.length,
        left: left.slice(0, MAX_LEFT),
        left_total: left.length,
      };
    });
  }

  delete(actor: WorkspaceActor, id: string): void {
    this.#deps.db.write(() => {
      const row = this.#get(actor, id);
      this.#deps.store.delete(id);
      this.#changed(actor, 'bin.deleted', row);
    });
  }

  /** @returns the number of deleted entries */
  empty(actor: WorkspaceActor): number {
    return this.#deps.db.write(() => {
      const deleted = this.#deps.store.empty(actor.workspaceId);
      if (deleted > 0) this.#changed(actor, 'bin.emptied', { name: '' });
      return deleted;
    });
  }

  #restore(actor: WorkspaceActor, row: BinRow, snapshot: Snapshot): Pick<PutBack, 'put' | 'left'> {
    const { places, plans, groups } = this.#deps;
    const kind = row.kind as RecordKind;
    if (places.exists(kind, row.ref)) throw conflict(`${row.name} already exists, so it cannot be restored`);
    const back = places.putBack(snapshot);
    if (kind === 'group') groups.afterRestore(actor, row.ref);
    const designs = places.designsShowing(actor.workspaceId, row.ref);
    const members = membersIn(snapshot);
    const group = { kind: 'group', id: row.ref, name: row.name } as const;
    const moved = snapshot.plans
      .filter((plan) => !plans.groupCameBack(actor, row.ref, { ...plan, members }))
      .map((plan): LeftPlace => {
        const { id, name } = plan;
        return { kind: 'plan', id, name, reason: 'taken', bin_id: places.aimAgain(plan, group, members) ?? null };
      });
    const idle = plans.afterRestore(actor, back.plans);
    if (kind === 'plan' && idle.includes(row.ref))
      throw conflict(`The screens and groups of the plan ${row.name} no longer exist. Create a new plan.`);
    const put = [...back.put, ...designs];
    this.#announce(actor, row, { ...back, put });
    const lost = back.put.filter((owner) => idle.includes(owner.id));
    return {
      put: put.filter((owner) => !lost.includes(owner)),
      left: [
        ...back.left,
        ...places.missingMedia(actor.workspaceId, snapshot),
        ...moved,
        ...lost.map(
          (owner): LeftPlace => ({
            ...owner,
            reason: 'gone',
            bin_id: places.storeIdlePlan(snapshot, owner.id) ?? null,
          }),
        ),
      ],
    };
  }

  #restoreFile(
    actor: WorkspaceActor,
    row: BinRow,
    file: Parameters<PlacesStore['putFile']>[1],
  ): Pick<PutBack, 'put' | 'left'> {
    const { places, bin, clock } = this.#deps;
    if (!places.exists('content', row.ref))
      throw conflict(`The content ${row.name} was deleted, too. Restore the content first, then this file.`);
    bin.storeRecord(actor, 'file', { id: row.ref, name: row.name });
    places.putFile(row.ref, file, seconds(clock));
    announce(this.#deps, actor, { topic: 'content', ids: [row.ref] });
    return { put: [], left: places.missingMedia(actor.workspaceId, { rows: [{ table: 'content', row: file }] }) };
  }

  #announce(actor: WorkspaceActor, row: BinRow, back: PutBack): void {
    const byTopic = new Map<Topic, Set<string>>();
    const also = (topic: Topic | undefined, id: string) => {
      if (!topic) return;
      const ids = byTopic.get(topic);
      if (ids) ids.add(id);
      else byTopic.set(topic, new Set([id]));
    };
    also(row.kind === 'kiosk' ? 'kiosk' : TOPICS[row.kind as PlaceKind], row.ref);
    const isAll = back.put.some(({ kind }) => kind === 'workspace');
    for (const { kind, id } of back.put) also(TOPICS[kind], id);
    for (const id of back.plans) also('plans', id);
    for (const [topic, ids] of byTopic)
      announce(this.#deps, actor, { topic, ...(!(isAll && topic === 'devices') && { ids: [...ids] }) });
    if (back.plans.length > 0) announce(this.#deps, actor, { topic: 'schedules' });
  }

  #get(actor: WorkspaceActor, id: string): BinRow {
    const row = this.#deps.store.find(actor.workspaceId, id);
    if (!row) throw notFound('What was deleted');
    return row;
  }

  #changed(
    actor: WorkspaceActor,
    action: 'bin.restored' | 'bin.deleted' | 'bin.emptied',
    row: { readonly id?: string; readonly name: string },
  ): void {
    const { activity } = this.#deps;
    activity.add({ workspaceId: actor.workspaceId, actor, action, details: row.name });
    announce(this.#deps, actor, { topic: 'bin', ...(row.id && { ids: [row.id] }) });
  }
}

const membersIn = ({ rows }: Snapshot): string[] =>
  rows.filter(({ table }) => table === 'group_members').map(({ row }) => String(row.device_id));
