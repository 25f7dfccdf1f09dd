/** Links to set a new password, for servers without e-mail. */
import { ApiError, gone } from '../../../../shared/contract/errors.ts';
import type { PasswordLink } from '../../../../shared/contract/people/users.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import { isOver } from '../../../kernel/time/window.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import type { AccountLog } from '../account-log.ts';
import { newSecret, sha256 } from '../secrets.ts';
import type { Lockout } from '../sign-in/lockout.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { EmailVerification } from './email-verification.service.ts';
import { type Resetter, requireMayReset } from './may-reset.ts';
import type { PasswordLinksStore } from './password-links.store.ts';
import type { UserRow, UsersStore } from './users.store.ts';

const VALID_SECONDS = 24 * 3600;

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly store: PasswordLinksStore;
  readonly users: UsersStore;
  readonly passwords: Passwords;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly lockouts: readonly Lockout[];
  readonly verification: Pick<EmailVerification, 'requestAgain'>;
  readonly log: AccountLog;
}

export class PasswordLinks {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws like setting the password: 400, 403, 404 */
  make(actor: Actor, id: string): PasswordLink {
    const { db, clock, store, users, log } = this.#deps;
    return db.write(() => {
      const { user } = requireMayReset(users, actor, id);
      const token = newSecret('link');
      const expires_at = seconds(clock) + VALID_SECONDS;
      store.replace({
        hash: sha256(token),
        user_id: id,
        made_by: actor.userId,
        expires_at,
        created_at: seconds(clock),
      });
      log.add(user, { action: 'user.password_link_made', details: user.email, by: actor, also: actor.workspaceId });
      return { token, expires_at };
    });
  }

  /**
   * @param from.origin server address for the e-mail that confirms a password set through an organization's owner
   * @throws 410 when the link is not valid
   */
  async spend(token: string, password: string, from: { ip: string; origin: string }): Promise<{ email: string }> {
    const { db, users, passwords, sessions, lockouts, verification, log } = this.#deps;
    // Checked before the costly hashing and again afterwards, because two requests may use the link at the same time.
    this.#good(token);
    const password_hash = await passwords.hash(password);
    return db.write(() => {
      const { user, within } = this.#good(token);
      const changed = users.update(user.id, {
        password_hash,
        // The owner could have used the link, so the member must set another password before the account is confirmed.
        must_change_password: within === null ? 0 : 1,
        password_organization_id: within,
      });
      if (within !== null) verification.requestAgain(changed, from.origin);
      sessions.endAllOf(user.id);
      for (const lockout of lockouts) lockout.forget(user.email);
      log.own(user, from.ip, 'user.password_link_used', user.email);
      return { email: user.email };
    });
  }

  #good(token: string): { user: UserRow; within: string | null } {
    const { clock, store, users } = this.#deps;
    const row = store.find(sha256(token));
    const maker = row && users.find(row.made_by);
    if (!row || !maker || isOver({ end: row.expires_at, now: seconds(clock), length: VALID_SECONDS })) throw void_();
    try {
      return requireMayReset(users, resetterOf(maker), row.user_id);
    } catch (error) {
      // The creator has lost the right, or the account now belongs to a provider. The holder of the link need not know
      // this, so the answer is the same as for an invalid link.
      throw error instanceof ApiError ? void_() : error;
    }
  }
}

/** Like `ActorSource`: a user whose password an owner has set has access to one organization and no platform role. */
const resetterOf = (maker: UserRow): Resetter => ({
  userId: maker.id,
  platformRole: maker.password_organization_id === null ? maker.role : 'user',
  organizationId: null,
  confinedTo: maker.password_organization_id,
});

const void_ = () => gone('This link was used, replaced, or is older than 24 hours. Ask for a new one.');
