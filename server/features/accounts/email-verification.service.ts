/** Confirming that an address belongs to whoever registered it (accounts API, Email verification). */
import type { Database } from '../../db/database.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import type { Mail } from './mailer.ts';
import { verificationMail } from './mails.ts';
import { newSecret, sha256 } from './secrets.ts';
import type { UserRow, UsersStore } from './users.store.ts';

const VALID_SECONDS = 24 * 3600;

export interface Mails {
  readonly configured: boolean;
  send(mail: Mail): void;
}

export class EmailVerification {
  readonly #db: Database;
  readonly #users: UsersStore;
  readonly #clock: Clock;
  readonly #mails: Mails;
  readonly #server: { readonly name: string };

  constructor(deps: { db: Database; users: UsersStore; clock: Clock; mails: Mails; server: { readonly name: string } }) {
    this.#db = deps.db;
    this.#users = deps.users;
    this.#clock = deps.clock;
    this.#mails = deps.mails;
    this.#server = deps.server;
  }

  /** Addresses can be verified here. */
  get possible(): boolean {
    return this.#mails.configured;
  }

  /** Sends a fresh link; earlier ones become void. Within a write. */
  issue(user: UserRow, origin: string): void {
    const token = newSecret('email');
    this.#users.deleteEmailTokens(user.id);
    this.#users.addEmailToken({ hash: sha256(token), user_id: user.id, expires_at: seconds(this.#clock) + VALID_SECONDS });
    this.#db.afterCommit(() => this.#mails.send(verificationMail(user, this.#server.name, `${origin}/api/auth/verify-email?token=${token}`)));
  }

  /** Unless a link is on its way already. Within a write. */
  remind(user: UserRow, origin: string): void {
    if (!this.#users.hasEmailToken(user.id, seconds(this.#clock))) this.issue(user, origin);
  }

  /**
   * Says nothing about whether the address exists: the work begins once the caller has been answered, since waiting for the
   * disk would tell.
   */
  resend(email: string, origin: string): void {
    if (this.possible) setImmediate(() => this.#resend(email, origin));
  }

  /** True when the token was valid; it is used up. */
  confirm(token: string): boolean {
    return this.#db.write(() => {
      const row = this.#users.findEmailToken(sha256(token));
      if (!row) return false;
      this.#users.deleteEmailTokens(row.user_id);
      if (row.expires_at <= seconds(this.#clock)) return false;
      this.#users.update(row.user_id, { email_verified: 1 });
      return true;
    });
  }

  #resend(email: string, origin: string): void {
    const user = this.#users.findByEmail(email);
    if (user?.auth_provider !== 'local' || user.email_verified) return;
    try {
      this.#db.write(() => this.issue(user, origin));
    } catch {
      // A full disk, say. Nobody waits for an answer any more; whoever gets no mail asks again.
    }
  }
}
