/**
 * Makes accounts (accounts API, POST /register; POST /provider-a, rule 1): who may, with which role and plan, with or
 * without a workspace of one's own.
 */
import type { Registered, VerificationRequired } from '../../../shared/contract/auth.ts';
import { conflict, forbidden } from '../../../shared/contract/errors.ts';
import type { Language } from '../../../shared/contract/language.ts';
import { seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { languageOf, type MailWords, type Reader, wordsIn } from '../../mails/words.ts';
import type { AccountLog } from './account-log.ts';
import type { EmailVerification } from './email-verification.service.ts';
import type { Passwords } from './passwords.ts';
import type { Post } from './post.ts';
import type { ServerSettings } from './server-settings.service.ts';
import type { Sessions } from './sessions.service.ts';
import type { UserRow, UsersStore } from './users.store.ts';
import { toRegisteredUser } from './users.view.ts';

/** Gives users a place (features/workspaces). Called within a write. */
export interface Homes {
  /** Makes an organization with a Default workspace that the user owns. */
  found(user: { id: string; name: string }): void;
  /** Returns the invite behind a link when it is good for this address. @throws 404, 403 or 410 like accepting it */
  invite(id: string, email: string): HomeInvite;
  /** Returns one that is good for this address. Only for who has proved that the address is theirs. */
  inviteFor(email: string): HomeInvite | undefined;
}

export interface HomeInvite {
  /** Makes the user a member of its workspace and uses it up. Called within a write. */
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
  /** Where the account begins, instead of in an organization of its own. */
  readonly home?: HomeInvite | undefined;
  /** Of mails to it. */
  readonly language?: Language | undefined;
}

/**
 * Says from where a request came: the address of the client, and the one under which it reached us, for links in mails.
 */
export interface Origin {
  readonly ip: string;
  readonly origin: string;
  /** Says that it came from the server's own machine. */
  readonly here?: boolean;
}

interface AccountsOptions {
  readonly hosted: boolean;
  /** VITRINE_CREATE_ORG: whether an account gets an organization when it does not say. */
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

  /** Says that no user exists: the first to register owns the server. */
  get needsSetup(): boolean {
    return !this.#deps.users.any();
  }

  get registrationEnabled(): boolean {
    return this.needsSetup || this.#deps.settings.current().registration === 'open';
  }

  async register({ invite, ...body }: RegisterBody, from: Origin): Promise<Registered | VerificationRequired> {
    const { db, users, sessions, passwords, options, verification } = this.#deps;
    // It is checked before the costly hash, and again below, since a lot can happen while that is computed.
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
   * Returns the invite that lets an address in while registration is closed, to be handed to `create`; undefined when
   * it needs none. An identity provider vouches for the address. Called within a write.
   * @throws 403 while registration is closed and nobody invited the address
   */
  requireMayRegister(email: string): HomeInvite | undefined {
    return this.registrationEnabled ? undefined : (this.#deps.homes.inviteFor(email) ?? refuseClosed());
  }

  /** Makes the account. Called within a write, after `requireMayRegister`. */
  create(
    account: NewAccount,
    credentials: Pick<UserRow, 'auth_provider' | 'password_hash'> & { email_verified: 0 | 1; avatar_url?: string },
    from: Origin,
  ): UserRow {
    const { users, homes, log, options, clock, settings } = this.#deps;
    const now = seconds(clock);
    const first = !users.any();
    // An account that an identity provider vouches for is on trial, also when it is the first (accounts API, provider
    // sign-in, rule 1).
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
   * Checks that the address may have an account and has none. Knowing an address proves nothing: a closed registration
   * opens only to the link that was sent to it.
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
