/**
 * Members of a workspace and their roles. Roles are read from the database for each request, so changes apply at once.
 */

import { notFound } from '../../../shared/contract/errors.ts';
import type { Member, MemberChange } from '../../../shared/contract/people/workspaces.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { MembersStore } from './members.store.ts';
import type { OrganizationMembersStore } from './organization-members.store.ts';
import { recordAccess } from './record-access.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: MembersStore;
  readonly people: OrganizationMembersStore;
  readonly access: WorkspaceAccess;
}

export class MembersService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: Actor, workspaceId: string): Member[] {
    this.#deps.access.enter(actor, workspaceId);
    return this.#deps.store.list(workspaceId);
  }

  /** Changes role and rights of a member, or makes a person of the organization a member without an invite. */
  update(actor: Actor, workspaceId: string, userId: string, { role, approves, ...limits }: MemberChange): Member {
    const { db, access, store, people, clock } = this.#deps;
    return db.write(() => {
      const { organization_id } = access.manage(actor, workspaceId);
      const before = store.find(workspaceId, userId);
      if (!people.find(organization_id, userId)) throw notFound('Member');
      if (limits.folder_ids?.some((id) => !store.has('folder', workspaceId, id))) throw notFound('Folder');
      if (limits.group_ids?.some((id) => !store.has('group', workspaceId, id))) throw notFound('Group');
      const change = {
        role,
        ...definedOnly(limits),
        ...(approves !== undefined && { approves: approves ? 1 : 0 }),
      };
      if (before) store.update(workspaceId, userId, change);
      else store.insert({ workspace_id: workspaceId, user_id: userId, created_at: seconds(clock), ...change });
      const isOfRights = before?.role === role && Object.keys(change).length > 1;
      return this.#record(
        actor,
        workspaceId,
        store.find(workspaceId, userId)!,
        !before ? 'member.added' : isOfRights ? 'member.rights_changed' : 'member.role_changed',
      );
    });
  }

  /**
   * Removes deleted folders or groups from the rights of members. Called within the write transaction that deletes
   * these folders or groups.
   */
  forget(
    what: 'folder_ids' | 'group_ids',
    actor: Pick<WorkspaceActor, 'workspaceId' | 'userId'>,
    ids: readonly string[],
  ): void {
    const { store, db, bus } = this.#deps;
    if (!store.forget(what, actor.workspaceId, ids)) return;
    db.afterCommit(() => bus.emit('accountsChanged'));
    announce(this.#deps, actor, { topic: 'members' });
  }

  remove(actor: Actor, workspaceId: string, userId: string): void {
    const { db, access, store, clock } = this.#deps;
    db.write(() => {
      access.manage(actor, workspaceId);
      const member = store.find(workspaceId, userId);
      if (!member) throw notFound('Member');
      store.delete(workspaceId, userId);
      // Removing a member revokes the member's tokens for good, because forgotten tokens must not work again when the
      // member returns.
      if (!access.belongs(userId, workspaceId)) store.revokeTokens(workspaceId, userId, seconds(clock));
      this.#record(actor, workspaceId, member, 'member.removed');
    });
  }

  #record(actor: Actor, workspaceId: string, member: Member, action: ActivityAction): Member {
    recordAccess(this.#deps, { workspaceId, actor }, action, `${member.email} (${member.role})`, {
      topic: 'members',
      ids: [member.user_id],
    });
    return member;
  }
}
