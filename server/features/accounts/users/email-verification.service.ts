/** Confirms that an address belongs to the person who registered it (accounts API, Email verification). */

import type { Language } from '../../../../shared/contract/people/language.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import { isOver } from '../../../kernel/time/window.ts';
import { languageOf, wordsIn } from '../../../mails/words.ts';
import type { AccountLog } from '../account-log.ts';
import type { Post } from '../mail/post.ts';
import { newSecret, sha256 } from '../secrets.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { UserRow, UsersStore } from './users.store.ts';

const VALID_SECONDS = 24 * 3600;

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly users: UsersStore;
  readonly mails: Post;
  readonly server: { readonly name: string; readonly language: Language };
  readonly sessions: Pick<Sessions, 'announce'>;
  readonly log: AccountLog;
}

export class EmailVerification {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get possible(): boolean {
    return this.#deps.mails.configured;
  }

  /**
   * Sends a new link and invalidates earlier links. Does nothing while the address has reached its limit of e-mails.
   * Called within a write transaction.
   */
  issue(user: UserRow, origin: string): void {
    const { users, server, mails, clock } = this.#deps;
    const token = newSecret('email');
    const link = `${origin}/api/auth/verify-email?token=${token}`;
    const organization =
      user.password_organization_id === null
        ? undefined
        : (users.organizationName(user.password_organization_id) ?? '');
    const { texts } = wordsIn(languageOf(user, server.language));
    const facts = { name: user.name, server: server.name, link };
    const letter =
      organization === undefined ? texts.verification(facts) : texts.passwordSet({ ...facts, organization });
    if (mails.post({ to: user.email, ...letter }) > 0) return;
    users.deleteEmailTokens(user.id);
    users.addEmailToken({
      hash: sha256(token),
      user_id: user.id,
      expires_at: seconds(clock) + VALID_SECONDS,
    });
  }

  /**
   * Invalidates earlier links after an owner has set the password, because they do not cover that password, and sends a
   * new link. Called within a write transaction.
   */
  requestAgain(user: UserRow, origin: string): void {
    this.#deps.users.deleteEmailTokens(user.id);
    if (this.possible) this.issue(user, origin);
  }

  /** Sends a link unless a valid one exists. Called within a write transaction. */
  remind(user: UserRow, origin: string): void {
    if (!this.#deps.users.hasEmailToken(user.id, seconds(this.#deps.clock))) this.issue(user, origin);
  }

  /**
   * Sends a link again. The work starts after the answer, because the duration of the disk access would disclose
   * whether the address exists.
   */
  resend(email: string, origin: string): void {
    if (this.possible) setImmediate(() => this.#resend(email, origin));
  }

  /**
   * Confirms the address that a link's token belongs to. Returns `done` and deletes the token, or `invalid` for an
   * unknown or expired token. Returns `change_first` and keeps the token while an organization's owner knows the
   * password: the member must change the password first.
   */
  confirm(token: string, ip: string): 'done' | 'invalid' | 'change_first' {
    const { db, users, clock, sessions, log } = this.#deps;
    return db.write(() => {
      const row = users.findEmailToken(sha256(token));
      const user = row && users.find(row.user_id);
      if (!user) return 'invalid';
      const isGood = !isOver({ end: row.expires_at, now: seconds(clock), length: VALID_SECONDS });
      const isOwners = user.password_organization_id !== null;
      // The token stays valid, because mail filters also open links, often long before the member reads the e-mail.
      if (isGood && isOwners && user.must_change_password) {
        // The address counts as proved in both cases. Otherwise a hosted server would refuse the sign-in that the
        // member needs to change the password.
        users.update(user.id, { email_verified: 1 });
        return 'change_first';
      }
      if (isGood || !clock.doubtful) users.deleteEmailTokens(user.id);
      if (!isGood) return 'invalid';
      users.update(user.id, { email_verified: 1, password_organization_id: null });
      if (isOwners) {
        sessions.announce();
        log.own(user, ip, 'user.password_confirmed', user.email);
      }
      return 'done';
    });
  }

  #resend(email: string, origin: string): void {
    const user = this.#deps.users.findByEmail(email);
    if (user?.auth_provider !== 'local' || user.email_verified) return;
    try {
      this.#deps.db.write(() => this.issue(user, origin));
    } catch {
      // Ignores the error, for example a full disk: the request was answered already, and the person can request the
      // link again.
    }
  }
}
