/**
 * Owners and administrators of an organization (accounts API, org_owner and org_admin). Roles are read from the
 * database for each request, like the roles of members.
 */

import { conflict, forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, OrganizationRole } from '../../kernel/trust/actor.ts';
import type { MembersStore } from './members.store.ts';
import type { OrganizationMembersStore, OrganizationPerson } from './organization-members.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';
import type { WorkspacesStore } from './workspaces.store.ts';

export class OrganizationMembersService {
  readonly #deps;

  constructor(
    deps: Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> & {
      store: OrganizationMembersStore;
      members: MembersStore;
      workspaces: WorkspacesStore;
      access: WorkspaceAccess;
    },
  ) {
    this.#deps = deps;
  }

  list(actor: Actor, id: string): OrganizationPerson[] {
    const role = this.#enter(actor, id);
    if (role === null) throw forbidden('Only an owner or administrator of the organization may do this');
    return this.#deps.store.list(id);
  }

  setRole(actor: Actor, id: string, userId: string, role: OrganizationRole): OrganizationPerson {
    return this.#edit(actor, id, userId, { action: 'organization.role_changed', role });
  }

  /** Removes a person's role in the organization. The person's memberships in workspaces stay. */
  removeRole(actor: Actor, id: string, userId: string): void {
    this.#edit(actor, id, userId, { action: 'organization.role_removed', role: null });
  }

  #edit(
    actor: Actor,
    id: string,
    userId: string,
    { action, role }: { action: ActivityAction; role: OrganizationRole | null },
  ): OrganizationPerson {
    const { db, store, workspaces, activity, bus, clock } = this.#deps;
    return db.write(() => {
      if (this.#enter(actor, id) !== 'org_owner') throw forbidden('Only an owner of the organization may do this');
      const person = store.find(id, userId);
      if (!person || (role === null && person.role === null)) throw notFound('Member');
      if (person.role === 'org_owner' && role !== 'org_owner' && store.countOwners(id) === 1) {
        throw conflict('This is the organization’s last owner. Make somebody else an owner first.');
      }
      const rooms = workspaces.listOf(id);
      if (role === null) {
        store.delete(id, userId);
        this.#revokeTokens(userId, rooms);
      } else store.setRole(id, userId, role, seconds(clock));
      const workspaceId = actor.organizationId === id ? actor.workspaceId : rooms[0];
      if (workspaceId)
        activity.add({ workspaceId, actor, action, details: `${person.email} (${role ?? person.role})` });
      db.afterCommit(() => {
        bus.emit('accountsChanged');
        for (const room of rooms)
          bus.emit('changed', { workspaceId: room, topic: 'members', ids: [userId], by: actor.userId });
      });
      return { ...person, role };
    });
  }

  /** Revokes the tokens of workspaces that the person can no longer reach. */
  #revokeTokens(userId: string, rooms: readonly string[]): void {
    const { access, members, clock } = this.#deps;
    for (const room of rooms) if (!access.belongs(userId, room)) members.revokeTokens(room, userId, seconds(clock));
  }

  /** Returns the role of the actor; a platform administrator counts as owner. @throws 404 without access */
  #enter(actor: Actor, id: string): OrganizationRole | null {
    const { store } = this.#deps;
    const isOutside = actor.confinedTo !== null && actor.confinedTo !== id;
    const person = isOutside ? undefined : store.find(id, actor.userId);
    if (isOutside || !store.exists(id) || (!person && actor.platformRole === 'user')) throw notFound('Organization');
    return actor.platformRole === 'platform_admin' ? 'org_owner' : (person?.role ?? null);
  }
}
