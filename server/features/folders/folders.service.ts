/** Rules of the folder tree (resource API, Folders). */

import type { Folder, FolderChange, NewFolder } from '../../../shared/contract/content/folders.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { Records } from '../records.ts';
import type { MembersService } from '../workspaces/members.service.ts';
import type { FolderRow, FoldersStore } from './folders.store.ts';

const MAX_FOLDERS = 1000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: FoldersStore;
  readonly members: Pick<MembersService, 'forget'>;
}

export class FoldersService {
  readonly #deps: Deps;
  readonly #records: Records<FolderRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Folder', topic: 'folders', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor): Folder[] {
    return this.#deps.store.ofWorkspace(actor.workspaceId);
  }

  create(actor: WorkspaceActor, { name, parent_id }: NewFolder): Folder {
    const { db, store, clock } = this.#deps;
    return db.write(() => {
      this.#requireParent(actor, parent_id);
      this.#records.requireRoom(actor, MAX_FOLDERS);
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        parent_id,
        name,
        created_at: seconds(clock),
      });
      this.#records.changed(actor, 'folder.created', row);
      return row;
    });
  }

  update(actor: WorkspaceActor, id: string, { name, parent_id }: FolderChange): Folder {
    return this.#deps.db.write(() => {
      const row = this.#records.get(actor, id);
      this.#requireParent(actor, parent_id);
      if (parent_id && this.#deps.store.subtree(actor.workspaceId, id).includes(parent_id))
        throw badRequest('parent_id: a folder cannot be moved into itself or into one of its subfolders');
      if (name === undefined && parent_id === undefined) return row;
      const changed = this.#deps.store.update(id, definedOnly({ name, parent_id }));
      this.#records.changed(actor, 'folder.updated', changed);
      return changed;
    });
  }

  delete(actor: WorkspaceActor, id: string): void {
    this.#deps.db.write(() => {
      const row = this.#records.get(actor, id);
      const gone = this.#deps.store.subtree(actor.workspaceId, id);
      const moved = this.#deps.store.deleteAll(gone);
      this.#deps.members.forget('folder_ids', actor, gone);
      this.#records.changed(actor, 'folder.deleted', row, { ids: gone });
      if (moved.length === 0) return;
      announce(this.#deps, actor, { topic: 'content', ids: moved, screens: false });
    });
  }

  /** Returns whether the workspace has the folder. */
  exists(workspaceId: string, id: string): boolean {
    return this.#deps.store.find(workspaceId, id) !== undefined;
  }

  #requireParent(actor: WorkspaceActor, parentId: string | null | undefined): void {
    if (parentId && !this.exists(actor.workspaceId, parentId)) throw notFound('Parent folder');
  }
}
