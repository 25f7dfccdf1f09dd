/** Workspaces and their organizations. */

import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, forbidden, notFound } from '../../../shared/contract/errors.ts';
import { DEFAULT_WORKSPACE, type updateWorkspace, type Workspace } from '../../../shared/contract/people/workspaces.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { MembersStore } from './members.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';
import type { WorkspacesStore } from './workspaces.store.ts';

const MAX_WORKSPACES = 1000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: WorkspacesStore;
  readonly members: MembersStore;
  readonly access: WorkspaceAccess;
}

export class WorkspacesService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: Actor): Workspace[] {
    return this.#deps.store.listFor(actor.userId, { staff: actor.platformRole !== 'user', within: actor.confinedTo });
  }

  exists(id: string): boolean {
    return this.#deps.store.find(id) !== undefined;
  }

  create(actor: Actor, body: { name: string }): Workspace {
    const organization = actor.organizationId;
    if (organization === null)
      throw forbidden('You do not belong to an organization, so you cannot create a workspace');
    if (this.#deps.store.countOf(organization) >= MAX_WORKSPACES)
      throw badRequest(
        `An organization can have at most ${MAX_WORKSPACES} workspaces. Delete one that is not needed, then try again.`,
      );
    return this.#deps.db.write(() => {
      const id = this.#insert(organization, body.name, actor.userId);
      this.#record(actor, id, 'workspace.created', body.name);
      return this.#deps.store.find(id)!;
    });
  }

  update(actor: Actor, id: string, body: BodyOf<typeof updateWorkspace>): Workspace {
    const { db, access, store } = this.#deps;
    return db.write(() => {
      const workspace = access.manage(actor, id);
      if (body.name !== undefined) {
        store.rename(id, body.name);
        this.#announceBrand(actor, id);
      }
      if (body.organization_name !== undefined) {
        if (!access.governs(actor, workspace))
          throw forbidden('Only an owner or administrator of the organization may rename the organization');
        store.renameOrganization(workspace.organization_id, body.organization_name);
        for (const one of store.listOf(workspace.organization_id)) this.#announceBrand(actor, one);
      }
      const { default_content_id: content } = body;
      if (content !== undefined) {
        if (content && !store.hasContent(id, content)) throw notFound('Content');
        store.setDefaultContent(id, content);
        // Every screen may show this content, so all screens are notified.
        announce(this.#deps, { workspaceId: id, userId: actor.userId }, { topic: 'devices' });
      }
      const { logo_content_id: logo } = body;
      if (logo !== undefined) {
        if (logo && !store.hasContent(id, logo)) throw notFound('Content');
        store.setLogo(id, logo);
        this.#announceBrand(actor, id);
      }
      const { approval } = body;
      if (approval !== undefined && approval !== workspace.approval) {
        store.setApproval(id, approval);
        db.afterCommit(() => this.#deps.bus.emit('accountsChanged'));
        this.#record(actor, id, approval ? 'workspace.approval_started' : 'workspace.approval_ended', workspace.name);
        announce(this.#deps, { workspaceId: id, userId: actor.userId }, { topic: 'members' });
      }
      if (approval === undefined || Object.keys(body).length > 1)
        this.#record(actor, id, 'workspace.updated', body.name ?? workspace.name);
      return store.find(id)!;
    });
  }

  delete(actor: Actor, id: string): void {
    const { db, access, store, activity } = this.#deps;
    db.write(() => {
      const workspace = access.enter(actor, id);
      if (workspace.organization_id !== actor.organizationId || !access.governs(actor, workspace)) {
        throw forbidden(
          'Only an owner or administrator of the organization can delete this workspace. If you are one, switch to a workspace of that organization first.',
        );
      }
      if (store.countOf(workspace.organization_id) === 1)
        throw badRequest('The last workspace of an organization cannot be deleted');
      this.#remove([id]);
      // Writes the entry to the activity log of another workspace of the organization, because the log of this
      // workspace is deleted with it.
      const witness = actor.workspaceId === id ? store.listOf(workspace.organization_id)[0]! : actor.workspaceId!;
      activity.add({ workspaceId: witness, actor, action: 'workspace.deleted', details: workspace.name });
    });
  }

  // The following methods are for accounts and run within their write transaction.

  /** Creates an organization with a Default workspace, owned by the user. */
  found(user: { id: string; name: string }): void {
    const id = newId();
    this.#deps.store.insertOrganization(
      { id, name: `${user.name}’s organization`, created_at: seconds(this.#deps.clock) },
      user.id,
    );
    this.#insert(id, DEFAULT_WORKSPACE, user.id);
  }

  /** Deletes an organization with all its workspaces. */
  dissolve(organizationId: string): void {
    this.#remove(this.#deps.store.listOf(organizationId));
    this.#deps.store.deleteOrganization(organizationId);
  }

  #insert(organizationId: string, name: string, admin: string): string {
    const { clock, store, members, db, bus } = this.#deps;
    const id = newId();
    const created_at = seconds(clock);
    store.insert({ id, organization_id: organizationId, name, created_at });
    members.insert({ workspace_id: id, user_id: admin, role: 'workspace_admin', created_at });
    db.afterCommit(() => bus.emit('accountsChanged'));
    return id;
  }

  #remove(ids: readonly string[]): void {
    const { store, db, bus } = this.#deps;
    for (const id of ids) store.delete(id);
    store.setGone([...store.gone(), ...ids]);
    db.afterCommit(() => {
      bus.emit('accountsChanged');
      for (const id of ids) bus.emit('workspaceGone', id);
    });
  }

  /** Announces that logo or name of a brand may have changed. Designs show the name of a workspace or organization. */
  #announceBrand(actor: Actor, workspaceId: string): void {
    announce(this.#deps, { workspaceId, userId: actor.userId }, { topic: 'brand', ids: [workspaceId] });
  }

  #record(actor: Actor, workspaceId: string, action: ActivityAction, details: string): void {
    this.#deps.activity.add({ workspaceId, actor, action, details });
    announce(this.#deps, { workspaceId, userId: actor.userId }, { topic: 'settings' });
  }
}
