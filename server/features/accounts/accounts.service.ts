/**
 * Creates accounts (accounts API, POST /register; POST /provider-a, rule 1): decides who may register, with which role
 * and plan, with or without a workspace.
 */

import { conflict, forbidden } from '../../../shared/contract/errors.ts';
import type { Registered, VerificationRequired } from '../../../shared/contract/people/auth.ts';
import type { Language } from '../../../shared/contract/people/language.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { languageOf, type MailWords, type Reader, wordsIn } from '../../mails/words.ts';
import type { AccountLog } from './account-log.ts';
import type { Post } from './mail/post.ts';
import type { ServerSettings } from './server-settings.service.ts';
import type { Passwords } from './sign-in/passwords.ts';
import type { Sessions } from './sign-in/sessions.service.ts';
import type { EmailVerification } from './users/email-verification.service.ts';
import type { UserRow, UsersStore } from './users/users.store.ts';
import { toRegisteredUser } from './users/users.view.ts';

/**
 * Gives a user a workspace, by a new organization or an invite (features/workspaces). Called within a write
 * transaction.
 */
export interface Homes {
  /** Creates an organization with a Default workspace that the user owns. */
  found(user: { id: string; name: string }): void;
  /** Returns the invite of a link if it is valid for this address. @throws 404, 403 or 410 like accepting the invite */
  invite(id: string, email: string): HomeInvite;
  /** Returns an invite for this address. Called only after the user has proved that the address is theirs. */
  inviteFor(email: string): HomeInvite | undefined;
}

export interface HomeInvite {
  /** Makes the user a member of the invite's workspace and uses up the invite. Called within a write transaction. */
  join(user: { id: string; name: string }, ip: string): void;
}

type RegisterBody = Omit<NewAccount, 'home'> & {
  readonly password: string;
  readonly invite?: string | null | undefined;
};

export interface NewAccount {
  readonly email: string;
  readonly name?: string | undefined;
  readonly createOrg?: boolean | null | undefined;
  /** Invite to a workspace. The account starts in this workspace and gets no organization of its own. */
  readonly home?: HomeInvite | undefined;
  /** Language of e-mails to the account. */
  readonly language?: Language | undefined;
}

/** Origin of a request: address of the client, and server address that the client used, for links in e-mails. */
export interface Origin {
  readonly ip: string;
  readonly origin: string;
  /** True if the request came from the server's own machine. */
  readonly here?: boolean;
}

interface AccountsOptions {
  readonly hosted: boolean;
  /** VITRINE_CREATE_ORG: whether an account gets an organization if the request does not say. */
  readonly createOrg: boolean;
}

export class AccountsService {
  readonly #deps;

  constructor(
    deps: Pick<Parts, 'db' | 'clock'> & {
      users: UsersStore;
      sessions: Sessions;
      passwords: Passwords;
      verification: EmailVerification;
      settings: ServerSettings;
      homes: Homes;
      mails: Post;
      log: AccountLog;
      options: AccountsOptions;
    },
  ) {
    this.#deps = deps;
  }

  /** Whether the server has no user yet. The first user who registers becomes the owner of the server. */
  get needsSetup(): boolean {
    return !this.#deps.users.any();
  }

  get registrationEnabled(): boolean {
    return this.needsSetup || this.#deps.settings.current().registration === 'open';
  }

  async register({ invite, ...body }: RegisterBody, from: Origin): Promise<Registered | VerificationRequired> {
    const { db, users, sessions, passwords, options, verification } = this.#deps;
    // Checks the right to register before the costly hashing, and again below, because the state may change meanwhile.
    this.#requireNew(body.email, invite);
    const password_hash = await passwords.hash(body.password);
    return db.write(() => {
      const home = this.#requireNew(body.email, invite);
      const first = !users.any();
      const verify = !first && verification.possible;
      const user = this.create(
        { ...body, home },
        { auth_provider: 'local', password_hash, email_verified: verify ? 0 : 1 },
        from,
      );
      if (verify) verification.issue(user, from.origin);
      if (verify && options.hosted) return { verification_required: true, email: user.email };
      return { ...sessions.open(user), user: toRegisteredUser(users.find(user.id)!) };
    });
  }

  /**
   * Returns the invite that admits an address while registration is closed, to be passed to `create`; undefined when
   * none is needed. A sign-in provider has verified the address. Called within a write transaction.
   * @throws 403 while registration is closed and the address is not invited
   */
  requireMayRegister(email: string): HomeInvite | undefined {
    return this.registrationEnabled ? undefined : (this.#deps.homes.inviteFor(email) ?? refuseClosed());
  }

  /** Creates the account. Called within a write transaction, after `requireMayRegister`. */
  create(
    account: NewAccount,
    credentials: Pick<UserRow, 'auth_provider' | 'password_hash'> & { email_verified: 0 | 1; avatar_url?: string },
    from: Origin,
  ): UserRow {
    const { users, homes, log, options, clock, settings } = this.#deps;
    const now = seconds(clock);
    const first = !users.any();
    // Only a local first user of a self-hosted server is not on trial: accounts from a sign-in provider always are
    // (accounts API, provider sign-in, rule 1).
    const owner = first && !options.hosted && credentials.auth_provider === 'local';
    const user = users.insert({
      id: newId(),
      email: account.email,
      name: account.name ?? account.email.slice(0, account.email.indexOf('@')),
      role: first ? 'platform_admin' : 'user',
      plan_id: owner ? 'enterprise' : 'pro',
      trial_started_at: owner ? null : now,
      language: account.language,
      created_at: now,
      ...credentials,
    });
    if (account.home) account.home.join(user, from.ip);
    else if (first || (account.createOrg ?? options.createOrg)) homes.found(user);
    if (first && account.language) settings.begin(account.language);
    log.own(user, from.ip, 'user.registered', user.email);
    if (options.hosted) this.#greet(user, from.origin);
    return user;
  }

  /**
   * Checks that the address may register and has no account. Knowing an invited address proves nothing, so a closed
   * registration requires the link that was sent to it.
   */
  #requireNew(email: string, invite: string | null | undefined): HomeInvite | undefined {
    const home = invite ? this.#deps.homes.invite(invite, email) : undefined;
    if (!home && !this.registrationEnabled) refuseClosed();
    if (this.#deps.users.findByEmail(email))
      throw conflict('This e-mail address already has an account. Sign in instead.');
    return home;
  }

  #greet(user: UserRow, origin: string): void {
    const { db, mails, users, settings } = this.#deps;
    const { name: server } = settings;
    const admins = users.alertedAdmins().filter(({ email }) => email !== user.email);
    const words = (reader: Reader): MailWords => wordsIn(languageOf(reader, settings.language));
    const link = `${origin}/#/sign-in`;
    mails.post({ to: user.email, ...words(user).texts.welcome({ name: user.name, server, link }) });
    db.afterCommit(() => {
      for (const admin of admins)
        mails.send({ to: admin.email, ...words(admin).texts.newUser({ name: user.name, email: user.email, server }) });
    });
  }
}

const refuseClosed = (): never => {
  throw forbidden(
    'Registration is closed on this server. Ask its administrator for an invitation, and open the link in it.',
  );
};
