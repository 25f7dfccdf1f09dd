/** Signing in with an external identity provider (accounts API; decisions, Credentials). */
import type { SignedIn } from '../../../shared/contract/auth.ts';
import { conflict, unauthorized } from '../../../shared/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { AccountsService, Origin } from './accounts.service.ts';
import type { Lockout } from './lockout.ts';
import type { Identity, IdentityProvider } from './oidc.ts';
import type { SignInService } from './sign-in.service.ts';
import type { UserRow, UsersStore } from './users.store.ts';

type Provider = 'provider_a' | 'provider_b';

export class ProvidersService {
  readonly #d;

  constructor(deps: {
    db: Database;
    users: UsersStore;
    accounts: AccountsService;
    signIn: SignInService;
    /** Refused sign-ins that were logged. */
    refusals: Lockout;
    /** As the settings are now; undefined: not configured. */
    a: () => IdentityProvider | undefined;
    b: () => IdentityProvider | undefined;
  }) {
    this.#d = deps;
  }

  /** What a sign-in page needs to send people to the providers. */
  publicFacts() {
    const [a, b] = [this.#d.a(), this.#d.b()];
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

  /** An ID token; an access token is accepted as well. */
  async signInA(credential: string, from: Origin): Promise<SignedIn> {
    const provider = enabled(this.#d.a());
    return this.#enter('provider_a', await provider.identify(credential, { idToken: true }), from);
  }

  async signInB(accessToken: string, from: Origin): Promise<SignedIn> {
    const provider = enabled(this.#d.b());
    return this.#enter('provider_b', await provider.identify(accessToken, { idToken: false }), from);
  }

  /** Asks a provider for what it publishes of itself, and says in a sentence whether it could be understood. */
  async check(which: Provider): Promise<{ ok: boolean; text: string }> {
    const provider = which === 'provider_a' ? this.#d.a() : this.#d.b();
    if (!provider) return { ok: false, text: 'It needs an issuer and a client id.' };
    try {
      await provider.check();
      return { ok: true, text: `${provider.issuer} answers as it should.` };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      return { ok: false, text: `${provider.issuer} cannot be asked: ${cause?.code ?? message}` };
    }
  }

  #enter(provider: Provider, identity: Identity, from: Origin): SignedIn {
    const { db, users, accounts, signIn } = this.#d;
    const found = users.findByEmail(identity.email);
    // Whoever has a password proves with it who they are; the provider's word does not open that account.
    if (found && found.auth_provider !== provider && found.password_hash !== null) {
      this.#logRefusal(found, from);
      throw conflict('There is an account with a password for this e-mail address. Sign in with the password.');
    }
    return db.write(() => {
      if (found) return signIn.open(this.#link(found, provider, identity), from);
      accounts.requireMayRegister(identity.email);
      return signIn.open(accounts.create(identity, { auth_provider: provider, password_hash: null, email_verified: 1, avatar_url: identity.avatarUrl }, from), from);
    });
  }

  /** As often as wrong passwords and no more: whoever repeats it must not fill the log. */
  #logRefusal(user: UserRow, from: Origin): void {
    const { db, signIn, refusals } = this.#d;
    if (refusals.isLocked(user.email)) return;
    db.write(() => {
      refusals.failed(user.email);
      signIn.failed(user, from, 'by an identity provider, but it signs in with a password');
    });
  }

  #link(user: UserRow, provider: Provider, identity: Identity): UserRow {
    if (user.auth_provider === provider) return user;
    return this.#d.users.update(user.id, { auth_provider: provider, email_verified: 1, ...(identity.avatarUrl && { avatar_url: identity.avatarUrl }) });
  }
}

/** People know a provider by its host. */
const nameOf = (provider: IdentityProvider | undefined): string => (provider && URL.canParse(provider.issuer) ? new URL(provider.issuer).host : '');

const enabled = (provider: IdentityProvider | undefined): IdentityProvider => {
  if (!provider) throw unauthorized('This server does not accept sign-ins from this identity provider');
  return provider;
};
