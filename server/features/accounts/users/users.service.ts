/** Administration of users (accounts API, User administration). */
import { badRequest, conflict, notFound } from '../../../../shared/contract/errors.ts';
import type { ListedUser } from '../../../../shared/contract/people/users.ts';
import type { Database } from '../../../db/database.ts';
import type { Actor, PlatformRole } from '../../../kernel/trust/actor.ts';
import type { AccountLog } from '../account-log.ts';
import type { Lockout } from '../sign-in/lockout.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { EmailVerification } from './email-verification.service.ts';
import { requireMayReset } from './may-reset.ts';
import type { PersonalTokens } from './profile.service.ts';
import type { ListedUserRow, UserRow, UsersStore } from './users.store.ts';
import { toUser } from './users.view.ts';

/** Deletes organizations together with their last owner (features/workspaces). Called within a write transaction. */
export interface Organizations {
  dissolve(organizationId: string): void;
}

interface NewPassword {
  readonly password: string;
  readonly revoke_tokens?: boolean | undefined;
}

export class UsersService {
  readonly #deps;

  constructor(deps: {
    db: Database;
    users: UsersStore;
    sessions: Sessions;
    passwords: Passwords;
    lockouts: readonly Lockout[];
    organizations: Organizations;
    tokens: PersonalTokens;
    verification: EmailVerification;
    log: AccountLog;
  }) {
    this.#deps = deps;
  }

  list(actor: Actor): ListedUser[] {
    if (actor.platformRole !== 'user') return this.#deps.users.list().map(toListed);
    return this.#deps.users.listTeams(actor.userId, actor.confinedTo).map(toUser);
  }

  delete(actor: Actor, id: string): void {
    const { db, users, sessions, organizations, log } = this.#deps;
    if (id === actor.userId)
      throw badRequest(
        'You cannot delete your own account. Another administrator of the server can delete your account.',
      );
    db.write(() => {
      const user = this.#get(id);
      const owned = users.owned(id);
      const shared = owned.find((organization) => organization.others > 0);
      if (shared)
        throw conflict(
          `${user.name} owns ${shared.name}, which has other members. Remove those members first, or keep the user.`,
        );
      for (const organization of owned) organizations.dissolve(organization.id);
      log.add(user, { action: 'user.deleted', details: user.email, by: actor, also: actor.workspaceId });
      users.delete(id);
      sessions.announce();
    });
  }

  setRole(actor: Actor, id: string, role: PlatformRole): void {
    const { db, users, sessions, log } = this.#deps;
    db.write(() => {
      const user = this.#get(id);
      if (id === actor.userId && role !== user.role)
        throw badRequest('role: you cannot change your own role; ask another administrator of the server');
      users.update(id, { role });
      log.add(user, {
        action: 'user.role_changed',
        details: `${user.email}: ${role}`,
        by: actor,
        also: actor.workspaceId,
      });
      sessions.announce();
    });
  }

  /** @param origin server address for the link in the e-mail, when an organization's owner resets the password */
  async resetPassword(
    actor: Actor,
    id: string,
    { password, revoke_tokens }: NewPassword,
    origin: string,
  ): Promise<void> {
    const { db, users, sessions, passwords, lockouts, tokens, verification, log } = this.#deps;
    requireMayReset(users, actor, id);
    const password_hash = await passwords.hash(password);
    db.write(() => {
      const { user, within } = requireMayReset(users, actor, id);
      const changed = users.update(id, { password_hash, must_change_password: 1, password_organization_id: within });
      if (within !== null) verification.requestAgain(changed, origin);
      if (revoke_tokens) tokens.revokeAllOf(id, { actor, within });
      sessions.endAllOf(id);
      for (const lockout of lockouts) lockout.forget(user.email);
      log.add(user, { action: 'user.password_reset', details: user.email, by: actor, also: actor.workspaceId });
    });
  }

  confirmPassword(actor: Actor, id: string): void {
    const { db, users, sessions, log } = this.#deps;
    db.write(() => {
      const user = this.#get(id);
      if (user.password_organization_id === null) return;
      users.update(id, { password_organization_id: null });
      sessions.announce();
      log.add(user, { action: 'user.password_confirmed', details: user.email, by: actor, also: actor.workspaceId });
    });
  }

  #get(id: string): UserRow {
    const user = this.#deps.users.find(id);
    if (!user) throw notFound('User');
    return user;
  }
}

const toListed = ({
  row,
  workspace_count,
  workspace_id,
  workspace_name,
  organization_name,
}: ListedUserRow): ListedUser => ({
  ...toUser(row),
  password_organization_id: row.password_organization_id,
  workspace_count,
  ...(workspace_count === 1 && {
    workspace_id: workspace_id!,
    workspace_name: workspace_name!,
    organization_name: organization_name!,
  }),
});
