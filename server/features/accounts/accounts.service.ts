/**
 * Making accounts (accounts API, POST /register; POST /provider-a, rule 1): who may, with which role and plan, with or without a
 * workspace of one's own.
 */
import type { Registered, VerificationRequired } from '../../../shared/contract/auth.ts';
import { conflict, forbidden } from '../../../shared/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { AccountLog } from './account-log.ts';
import type { EmailVerification, Mails } from './email-verification.service.ts';
import { newUserMail, welcomeMail } from './mails.ts';
import type { Passwords } from './passwords.ts';
import type { ServerSettings } from './server-settings.service.ts';
import type { Sessions } from './sessions.service.ts';
import type { UserRow, UsersStore } from './users.store.ts';
import { toRegisteredUser } from './users.view.ts';

/** Where a user belongs (features/workspaces). Called within a write. */
export interface Homes {
  /** Makes an organization with a Default workspace that the user owns. */
  found(user: { id: string; name: string }): void;
  /** Somebody invited this address, and the invite is still good. */
  isInvited(email: string): boolean;
}

export interface NewAccount {
  readonly email: string;
  readonly name?: string | undefined;
  readonly createOrg?: boolean | null | undefined;
}

/** From where a request came: the address of the client, and the one under which it reached us, for links in mails. */
export interface Origin {
  readonly ip: string;
  readonly origin: string;
}

export interface AccountsOptions {
  /** VITRINE_HOSTED. */
  readonly hosted: boolean;
  /** VITRINE_CREATE_ORG: whether an account gets an organization when it does not say. */
  readonly createOrg: boolean;
}

export class AccountsService {
  readonly #d;

  constructor(deps: {
    db: Database;
    users: UsersStore;
    sessions: Sessions;
    passwords: Passwords;
    verification: EmailVerification;
    settings: ServerSettings;
    homes: Homes;
    mails: Mails;
    log: AccountLog;
    clock: Clock;
    options: AccountsOptions;
  }) {
    this.#d = deps;
  }

  /** No user exists: the first to register owns the server. */
  get needsSetup(): boolean {
    return !this.#d.users.any();
  }

  get registrationEnabled(): boolean {
    return this.needsSetup || this.#d.settings.current().registration === 'open';
  }

  async register(body: NewAccount & { password: string }, from: Origin): Promise<Registered | VerificationRequired> {
    const { db, users, sessions, passwords, options } = this.#d;
    // Before the costly hash; and again below, since a lot can happen while it is computed.
    this.#requireNew(body.email);
    const password_hash = await passwords.hash(body.password);
    return db.write(() => {
      this.#requireNew(body.email);
      const first = !users.any();
      const verify = !first && this.#d.verification.possible;
      const user = this.create(body, { auth_provider: 'local', password_hash, email_verified: verify ? 0 : 1 }, from);
      if (verify) this.#d.verification.issue(user, from.origin);
      if (verify && options.hosted) return { verification_required: true, email: user.email };
      const opened = sessions.open(user);
      return { token: opened.token, user: toRegisteredUser(users.find(user.id)!), current_workspace_id: opened.current_workspace_id };
    });
  }

  /** Within a write. @throws 403 while registration is closed and nobody invited the address */
  requireMayRegister(email: string): void {
    if (this.registrationEnabled || this.#d.homes.isInvited(email)) return;
    throw forbidden('Registration is closed on this server. Ask its administrator for an invitation.');
  }

  /** Within a write, after `requireMayRegister`. */
  create(account: NewAccount, credentials: Pick<UserRow, 'auth_provider' | 'password_hash'> & { email_verified: 0 | 1; avatar_url?: string }, from: Origin): UserRow {
    const { users, homes, log, options, clock } = this.#d;
    const now = seconds(clock);
    const first = !users.any();
    // An account that an identity provider vouches for is on trial, also the first (accounts API, provider sign-in, rule 1).
    const owner = first && !options.hosted && credentials.auth_provider === 'local';
    const user = users.insert({
      id: newId(),
      email: account.email,
      name: account.name ?? account.email.slice(0, account.email.indexOf('@')),
      role: first ? 'platform_admin' : 'user',
      plan_id: owner ? 'enterprise' : 'pro',
      trial_started_at: owner ? null : now,
      created_at: now,
      ...credentials,
    });
    if (first || (account.createOrg ?? options.createOrg)) homes.found(user);
    log.own(user, from.ip, 'user.registered', user.email);
    if (options.hosted) this.#greet(user, from.origin);
    return user;
  }

  #requireNew(email: string): void {
    this.requireMayRegister(email);
    if (this.#d.users.findByEmail(email)) throw conflict('There is an account with this e-mail address already. Sign in instead.');
  }

  #greet(user: UserRow, origin: string): void {
    const { db, mails, users, settings } = this.#d;
    const admins = users.adminAddresses().filter((address) => address !== user.email);
    db.afterCommit(() => {
      mails.send(welcomeMail(user, settings.name, origin));
      for (const admin of admins) mails.send(newUserMail(admin, settings.name, user));
    });
  }
}
