import type { BinKind, PlaceKind } from '../../../shared/contract/content/bin.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import type { Bin } from '../../kernel/bin.ts';
import { announce } from '../../kernel/bus.ts';
import { asNecessary } from '../../kernel/disk/necessity.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { BinStore } from './bin.store.ts';
import type { PlacesStore } from './places.store.ts';
import { type Kept, ownersIn, type Snapshot } from './snapshot.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: BinStore;
  readonly places: PlacesStore;
}

/** Kinds of records that lose a reference when a record is deleted, and that no other part announces. */
const FORGETTING: ReadonlyMap<PlaceKind, Topic> = new Map([
  ['layout', 'layouts'],
  ['wall', 'walls'],
  ['screen', 'devices'],
  ['group', 'groups'],
]);

/**
 * Puts records that are about to be deleted or replaced into the bin, and announces the records that lose a reference.
 */
export class BinKeeper implements Bin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  storeRecord(
    actor: Pick<WorkspaceActor, 'workspaceId' | 'userId' | 'userName'>,
    kind: BinKind,
    record: { readonly id: string; readonly name: string },
  ): void {
    const { store, places, clock } = this.#deps;
    const isFile = kind === 'file';
    const files = isFile || kind === 'content' ? places.filesOf(record.id) : [];
    // An address that is shown live has no file that could be restored.
    if (isFile && files.length === 0) return;
    const kept: Kept = isFile
      ? { file: places.fileOf(record.id), count: 0 }
      : withCount(places.snapshot(kind, record.id));
    if ('snapshot' in kept) this.#forget(actor, kept.snapshot);
    const id = newId();
    store.insert(
      {
        id,
        workspace_id: actor.workspaceId,
        kind,
        ref: record.id,
        name: record.name,
        record: JSON.stringify(kept),
        bytes: files.filter(({ shared }) => shared === 0).reduce((sum, { size }) => sum + size, 0),
        user_id: actor.userId,
        user_name: actor.userName,
        created_at: seconds(clock),
      },
      files.map(({ sha256 }) => sha256),
    );
    if ('snapshot' in kept) places.binned.setNames(id, kept.snapshot);
  }

  /** Raises the revision of records that named the deleted record, so that open edits of these records become stale. */
  #forget(by: Pick<WorkspaceActor, 'workspaceId' | 'userId'>, { places }: Snapshot): void {
    const owners = new Map(places.map(({ owner }) => [owner.id, owner]));
    const byKind = Map.groupBy(owners.values(), ({ kind }) => kind);
    for (const [kind, topic] of FORGETTING) {
      const some = byKind.get(kind);
      if (!some) continue;
      this.#deps.places.raise(some);
      announce(this.#deps, by, { topic, ids: some.map(({ id }) => id), screens: false });
    }
  }

  /**
   * On a full disk, deletes the oldest entry with files and logs this.
   * @returns the number of bytes that can be deleted
   * from the media store
   */
  makeRoom(): number {
    return asNecessary(() =>
      this.#deps.db.write(() => {
        const { store, activity } = this.#deps;
        const oldest = store.oldestWithFiles();
        if (!oldest) return 0;
        store.delete(oldest.id);
        const workspaceId = oldest.workspace_id;
        activity.add({ workspaceId, actor: null, action: 'bin.made_room', details: oldest.name });
        announce(this.#deps, { workspaceId, userId: null }, { topic: 'bin', ids: [oldest.id] });
        return oldest.bytes;
      }),
    );
  }
}

const withCount = (snapshot: Snapshot): Kept => ({ snapshot, count: ownersIn(snapshot).length });
