/** Who works in a workspace, and as what. Roles are read live: a change counts with the member's next request. */
import type { ActivityAction } from '../../../shared/contract/activity.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import type { Member } from '../../../shared/contract/workspaces.ts';
import type { Database } from '../../db/database.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { Actor, WorkspaceRole } from '../../kernel/actor.ts';
import type { Bus } from '../../kernel/bus.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import type { MembersStore } from './members.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

export class MembersService {
  readonly #db: Database;
  readonly #store: MembersStore;
  readonly #access: WorkspaceAccess;
  readonly #activity: ActivityLog;
  readonly #bus: Bus;
  readonly #clock: Clock;

  constructor(deps: { db: Database; store: MembersStore; access: WorkspaceAccess; activity: ActivityLog; bus: Bus; clock: Clock }) {
    this.#db = deps.db;
    this.#store = deps.store;
    this.#access = deps.access;
    this.#activity = deps.activity;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
  }

  list(actor: Actor, workspaceId: string): Member[] {
    this.#access.enter(actor, workspaceId);
    return this.#store.list(workspaceId);
  }

  setRole(actor: Actor, workspaceId: string, userId: string, role: WorkspaceRole): Member {
    return this.#edit(actor, workspaceId, userId, 'member.role_changed', (member) => {
      this.#store.setRole(workspaceId, userId, role);
      return { ...member, role };
    });
  }

  remove(actor: Actor, workspaceId: string, userId: string): void {
    this.#edit(actor, workspaceId, userId, 'member.removed', (member) => {
      this.#store.delete(workspaceId, userId);
      // A token dies with the membership, for good: coming back later must not revive a forgotten one.
      if (!this.#access.belongs(userId, workspaceId)) this.#store.revokeTokens(workspaceId, userId, seconds(this.#clock));
      return member;
    });
  }

  #edit(actor: Actor, workspaceId: string, userId: string, action: ActivityAction, change: (member: Member) => Member): Member {
    return this.#db.write(() => {
      this.#access.manage(actor, workspaceId);
      const member = this.#store.find(workspaceId, userId);
      if (!member) throw notFound('Member');
      const changed = change(member);
      this.#activity.add({ workspaceId, actor, action, details: `${changed.email} (${changed.role})` });
      this.#db.afterCommit(() => {
        this.#bus.emit('accountsChanged');
        this.#bus.emit('changed', { workspaceId, topic: 'members', ids: [userId], by: actor.userId, screens: false });
      });
      return changed;
    });
  }
}
