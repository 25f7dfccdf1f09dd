/**
 * People from headquarters in a store: each is a local user who cannot sign in, with at most the role that the store
 * allows. Their actions are in the store's activity log under their names. The store has no passwords of these people.
 */
import { createHash } from 'node:crypto';
import type { Visitor } from '../../../shared/chain/wire.ts';
import { WorkspaceRole as Role } from '../../../shared/contract/people/users.ts';
import type { Sessions } from '../../features/accounts/sign-in/sessions.service.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { Actor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import { DownlinkRefused } from '../connection/requests.ts';
import type { ChainStore, LinkRow } from './chain.store.ts';

/** Maximum number of recent visitors whose credentials are remembered. */
const MAX_REMEMBERED = 1_000;
const MAX_NAME = 200;

/** Parts of the server that create a local user for a person from headquarters. */
export interface VisitorParts {
  readonly users: {
    find(id: string): unknown;
    insert(row: {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly role: 'user';
      readonly auth_provider: 'headquarters';
      readonly plan_id: string;
      readonly email_alerts: 0;
      readonly created_at: number;
    }): unknown;
    update(id: string, change: { readonly name: string }): unknown;
    delete(id: string): void;
  };
  readonly members: {
    find(workspaceId: string, userId: string): { readonly role: WorkspaceRole } | undefined;
    insert(row: { workspace_id: string; user_id: string; role: WorkspaceRole; created_at: number }): void;
    update(workspaceId: string, userId: string, change: { role: WorkspaceRole }): void;
    delete(workspaceId: string, userId: string): void;
  };
  readonly invites: { deleteBy(userId: string): void };
  readonly sessions: Sessions;
  /** @throws ApiError 401 */
  readonly actor: (credential: string, ip: string) => Actor;
}

interface Deps extends VisitorParts, Pick<Parts, 'db' | 'clock'> {
  readonly store: Pick<ChainStore, 'find' | 'visitor' | 'insertVisitor' | 'visitorsIn'>;
}

interface Known {
  readonly token: string;
  readonly name: string;
}

export class Visitors {
  readonly #deps: Deps;
  readonly #known = recent<string, Known>(MAX_REMEMBERED);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns a credential of this server, which never leaves the process.
   * @throws DownlinkRefused if the store allows no
   * visitors
   */
  enter(workspaceId: string, visitor: Visitor): string {
    const link = this.#deps.store.find(workspaceId);
    const role = link && lesser(visitor.role, link.may);
    if (!role) throw new DownlinkRefused('not_allowed', 'This store does not allow visitors from headquarters.');
    const name = `${visitor.name} (${link.headquarters})`.slice(0, MAX_NAME);
    const key = `${workspaceId} ${visitor.id}`;
    const known = this.#known.get(key);
    if (known?.name === name && this.#isGood(known.token, workspaceId, role)) return known.token;
    const token = this.#open(link, visitor, { name, role });
    this.#known.set(key, { token, name });
    return token;
  }

  /**
   * Ends all visitor sessions, because the allowed role has changed. A visitor who is still allowed gets a new session
   * with the next request. Called within a write transaction.
   */
  endSessions(workspaceId: string): void {
    const { store, sessions } = this.#deps;
    for (const userId of store.visitorsIn(workspaceId)) sessions.endAllOf(userId);
  }

  /**
   * Deletes the visitors of a workspace. Called within a write transaction when the store leaves headquarters. The
   * activity log keeps the names of the visitors.
   */
  forget(workspaceId: string): void {
    const { store, users, members, invites, sessions } = this.#deps;
    for (const userId of store.visitorsIn(workspaceId)) {
      invites.deleteBy(userId);
      members.delete(workspaceId, userId);
      if (sessions.places({ id: userId, role: 'user', password_organization_id: null }).length === 0)
        users.delete(userId);
    }
    sessions.announce();
  }

  #isGood(token: string, workspaceId: string, role: WorkspaceRole): boolean {
    try {
      const actor = this.#deps.actor(token, '');
      return actor.workspaceId === workspaceId && actor.workspaceRole === role;
    } catch {
      return false;
    }
  }

  #open(link: LinkRow, visitor: Visitor, { name, role }: { name: string; role: WorkspaceRole }): string {
    const { db, clock, store, users, members, sessions } = this.#deps;
    const { workspace_id: workspaceId } = link;
    const id = createHash('sha256').update(`${link.key} ${visitor.id}`).digest('hex');
    const now = seconds(clock);
    return db.write(() => {
      const userId = store.visitor(id) ?? newId();
      if (users.find(userId)) users.update(userId, { name });
      else {
        // Returns an e-mail address that can never receive mail (RFC 2606).
        const email = `${id.slice(0, 16)}@headquarters.invalid`;
        const facts = { name, email, role: 'user', auth_provider: 'headquarters', plan_id: 'pro' } as const;
        users.insert({ id: userId, ...facts, email_alerts: 0, created_at: now });
        store.insertVisitor(id, userId);
      }
      const member = members.find(workspaceId, userId);
      if (!member) members.insert({ workspace_id: workspaceId, user_id: userId, role, created_at: now });
      else if (member.role !== role) members.update(workspaceId, userId, { role });
      sessions.endAllOf(userId);
      return sessions.openIn({ id: userId }, workspaceId).token;
    });
  }
}

const { options: ROLES } = Role;
const lesser = (role: WorkspaceRole, may: WorkspaceRole | null): WorkspaceRole | undefined =>
  may === null ? undefined : ROLES[Math.min(ROLES.indexOf(role), ROLES.indexOf(may))];
