/** Signs users in through an external sign-in provider (accounts API). */

import { ApiError, conflict, notFound, unauthorized } from '../../../../shared/contract/errors.ts';
import type { SignedIn } from '../../../../shared/contract/people/auth.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import type { AccountLog } from '../account-log.ts';
import type { AccountsService, Origin } from '../accounts.service.ts';
import type { Lockout } from '../sign-in/lockout.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { SignInService } from '../sign-in/sign-in.service.ts';
import type { UserRow, UsersStore } from '../users/users.store.ts';
import type { IdentitiesStore } from './identities.store.ts';
import type { Identity, IdentityProvider, Provider } from './oidc.ts';

export class ProvidersService {
  readonly #deps;

  constructor(
    deps: Pick<Parts, 'db' | 'clock'> & {
      users: UsersStore;
      identities: IdentitiesStore;
      accounts: AccountsService;
      signIn: SignInService;
      sessions: Sessions;
      log: AccountLog;
      /** Limits how often refused sign-ins are logged. */
      refusals: Lockout;
      /** Return the currently configured providers; undefined when not configured. */
      providers: Readonly<Record<Provider, () => IdentityProvider | undefined>>;
    },
  ) {
    this.#deps = deps;
  }

  /** Returns the settings with which a sign-in page sends people to the providers. */
  publicFacts() {
    const { provider_a, provider_b } = this.#deps.providers;
    const [a, b] = [provider_a(), provider_b()];
    return {
      providerAEnabled: a !== undefined,
      providerAClientId: a?.clientId ?? '',
      providerAIssuer: a?.issuer ?? '',
      providerAName: nameOf(a),
      providerAAuthorizationEndpoint: a?.entrance() ?? null,
      providerBEnabled: b !== undefined,
      providerBClientId: b?.clientId ?? '',
      providerBTenantId: b?.tenantId ?? '',
      providerBIssuer: b?.issuer ?? '',
      providerBName: nameOf(b),
      providerBAuthorizationEndpoint: b?.entrance() ?? null,
    };
  }

  /** @param token for `provider_a` may be an ID token; an access token works for both */
  async signIn(which: Provider, token: string, from: Origin): Promise<SignedIn> {
    const provider = this.#deps.providers[which]();
    if (!provider) throw unauthorized('This server does not accept sign-ins from this sign-in provider');
    const identity = await provider.identify(token, { idToken: which === 'provider_a' });
    return this.#enter(which, provider.issuer, identity, from);
  }

  /** Fetches a provider's metadata and returns a sentence that says whether the provider is usable. */
  async check(which: Provider): Promise<{ ok: boolean; text: string }> {
    const provider = this.#deps.providers[which]();
    if (!provider) return { ok: false, text: 'It needs an issuer and a client id.' };
    try {
      await provider.check();
      return { ok: true, text: `${provider.issuer} answers as it should.` };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      return { ok: false, text: `${provider.issuer} cannot be asked: ${cause?.code ?? message}` };
    }
  }

  /**
   * Releases the binding, so that the next provider sign-in with the account's address binds a new subject. Meant for
   * people who have got another account at the provider.
   */
  release(actor: Actor, userId: string): void {
    const { db, users, identities, sessions, log } = this.#deps;
    db.write(() => {
      const user = users.find(userId);
      if (!user) throw notFound('User');
      if (identities.deleteOf(userId) === 0) return;
      // Ends all sessions, so that the user of the account must prove again that the address is theirs.
      sessions.endAllOf(userId);
      log.add(user, { action: 'user.identity_released', details: user.email, by: actor, also: actor.workspaceId });
    });
  }

  async #enter(provider: Provider, issuer: string, identity: Identity, from: Origin): Promise<SignedIn> {
    const { db, users, accounts, signIn } = this.#deps;
    const found = users.findByEmail(identity.email);
    if (found?.auth_provider === 'headquarters') {
      this.#logRefusal(found, from, 'a sign-in provider was used, but this account belongs to headquarters');
      throw conflict('You cannot sign in here with this e-mail address.');
    }
    // An account with a password is opened only by this password, so the sign-in through a provider is refused.
    if (found && found.auth_provider !== provider && found.password_hash !== null) {
      this.#logRefusal(found, from, 'a sign-in provider was used, but this account uses a password');
      throw conflict('There is an account with a password for this e-mail address. Sign in with the password.');
    }
    if (found && this.#isBoundToAnother(found, issuer, identity)) {
      this.#logRefusal(found, from, 'another account of the sign-in provider was used than the connected one');
      await db.durable();
      throw new ApiError(
        401,
        'This e-mail address is connected to another account at the sign-in provider. An administrator of this server can disconnect that account (People, Accounts).',
        {
          code: 'identity_bound',
        },
      );
    }
    return db.write(() => {
      this.#take(identity);
      const user = found
        ? this.#link(found, provider, identity)
        : accounts.create(
            { ...identity, home: accounts.requireMayRegister(identity.email) },
            { auth_provider: provider, password_hash: null, email_verified: 1, avatar_url: identity.avatarUrl },
            from,
          );
      this.#bind(user, issuer, identity);
      return signIn.open(user, from);
    });
  }

  /**
   * Marks the token as used; undone with the write transaction when the sign-in is refused.
   * @throws 401 for a used token
   */
  #take({ once }: Identity): void {
    const { clock, identities } = this.#deps;
    const now = seconds(clock);
    if (!clock.doubtful) identities.forgetExpired(now);
    if (!identities.consumeToken(once.hash, once.expiresAt))
      throw unauthorized('This sign-in was already used. Sign in again with the sign-in provider.');
  }

  #isBoundToAnother(user: UserRow, issuer: string, { subject }: Identity): boolean {
    const bound = this.#deps.identities.subject(user.id, issuer);
    return bound !== undefined && bound !== subject;
  }

  #bind(user: UserRow, issuer: string, { subject }: Identity): void {
    const { identities, clock } = this.#deps;
    if (identities.subject(user.id, issuer) === undefined)
      identities.insert({ user_id: user.id, issuer, subject, created_at: seconds(clock) });
  }

  /** Logs a refusal, at most as often as wrong passwords, so that repetitions cannot fill the log. */
  #logRefusal(user: UserRow, from: Origin, why: string): void {
    const { db, signIn, refusals } = this.#deps;
    if (refusals.isLocked(user.email)) return;
    db.write(() => {
      refusals.failed(user.email);
      signIn.failed(user, from, why);
    });
  }

  #link(user: UserRow, provider: Provider, identity: Identity): UserRow {
    if (user.auth_provider === provider) return user;
    return this.#deps.users.update(user.id, {
      auth_provider: provider,
      email_verified: 1,
      ...(identity.avatarUrl && { avatar_url: identity.avatarUrl }),
    });
  }
}

/** Returns the provider's host, by which people know it. */
const nameOf = (provider: IdentityProvider | undefined): string =>
  provider && URL.canParse(provider.issuer) ? new URL(provider.issuer).host : '';
