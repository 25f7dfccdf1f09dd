/** The rules of the folder tree (resource API, Folders; decisions, Content and folders). */
import type { ActivityAction } from '../../../shared/contract/activity.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { Folder, FolderChange, NewFolder } from '../../../shared/contract/folders.ts';
import type { Database } from '../../db/database.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import type { Bus } from '../../kernel/bus.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { FolderRow, FoldersStore } from './folders.store.ts';

const MAX_FOLDERS = 1000;
interface Deps {
  readonly db: Database;
  readonly store: FoldersStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly activity: ActivityLog;
}

export class FoldersService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: WorkspaceActor): Folder[] {
    return this.#deps.store.list(actor.workspaceId);
  }

  create(actor: WorkspaceActor, { name, parent_id }: NewFolder): Folder {
    return this.#deps.db.write(() => {
      this.#requireParent(actor, parent_id);
      if (this.#deps.store.count(actor.workspaceId) >= MAX_FOLDERS) throw badRequest(`A workspace holds at most ${MAX_FOLDERS} folders`);
      const row = this.#deps.store.insert({ id: newId(), workspace_id: actor.workspaceId, parent_id: parent_id ?? null, name, created_at: seconds(this.#deps.clock) });
      this.#record(actor, 'folder.created', row);
      return row;
    });
  }

  update(actor: WorkspaceActor, id: string, { name, parent_id }: FolderChange): Folder {
    return this.#deps.db.write(() => {
      const row = this.#row(actor, id);
      this.#requireParent(actor, parent_id);
      if (parent_id && this.#deps.store.subtree(actor.workspaceId, id).includes(parent_id)) throw badRequest('parent_id: a folder cannot go into itself or into one beneath it');
      if (name === undefined && parent_id === undefined) return row;
      const changed = this.#deps.store.update(id, { ...(name !== undefined && { name }), ...(parent_id !== undefined && { parent_id }) });
      this.#record(actor, 'folder.updated', changed);
      return changed;
    });
  }

  delete(actor: WorkspaceActor, id: string): void {
    this.#deps.db.write(() => {
      const row = this.#row(actor, id);
      const gone = this.#deps.store.subtree(actor.workspaceId, id);
      const moved = this.#deps.store.delete(gone);
      this.#record(actor, 'folder.deleted', row, gone);
      if (moved.length === 0) return;
      this.#deps.db.afterCommit(() => this.#deps.bus.emit('changed', { workspaceId: actor.workspaceId, topic: 'content', ids: moved, screens: false, by: actor.userId }));
    });
  }

  /** For the content that is put into one. */
  exists(workspaceId: string, id: string): boolean {
    return this.#deps.store.find(workspaceId, id) !== undefined;
  }

  #record(actor: WorkspaceActor, action: ActivityAction, row: FolderRow, ids: readonly string[] = [row.id]): void {
    this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action, details: row.name });
    this.#deps.db.afterCommit(() => this.#deps.bus.emit('changed', { workspaceId: actor.workspaceId, topic: 'folders', ids, screens: false, by: actor.userId }));
  }

  #requireParent(actor: WorkspaceActor, parentId: string | null | undefined): void {
    if (parentId && !this.exists(actor.workspaceId, parentId)) throw notFound('Parent folder');
  }

  #row(actor: WorkspaceActor, id: string): FolderRow {
    const row = this.#deps.store.find(actor.workspaceId, id);
    if (!row) throw notFound('Folder');
    return row;
  }
}
