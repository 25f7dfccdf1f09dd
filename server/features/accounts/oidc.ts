/**
 * Asks an OpenID Connect provider what we need: who does this token speak for, and was it issued to us? Nothing is tied
 * to a vendor; everything but issuer and client id is discovered.
 */
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { emailAddress } from '../../../shared/contract/email.ts';
import { ApiError, unauthorized } from '../../../shared/contract/errors.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Parts } from '../../kernel/parts.ts';
import { sha256 } from './secrets.ts';

/** Names one of the two identity providers that a server may have. */
export type Provider = 'provider_a' | 'provider_b';

export interface ProviderSettings {
  /** The issuer's address, in which `{tenant}` stands for the tenant id. */
  readonly issuer: string;
  readonly clientId: string;
  /** Given when the provider has many: a token of another one is refused. */
  readonly tenantId?: string | undefined;
  /** Where the profile is. @default the discovered userinfo endpoint */
  readonly profileUrl?: string | undefined;
  /**
   * Says that it gives out addresses of its own domain alone, so that one of which it does not say whether it is
   * verified is its owner's.
   */
  readonly ownsAddresses?: boolean;
}

export interface Identity {
  /** How this provider knows the person, whatever their address is. */
  readonly subject: string;
  /** What is remembered of the token, so that it is good once. */
  readonly once: { readonly hash: string; readonly expiresAt: number };
  /** Lower-cased. */
  readonly email: string;
  readonly name?: string | undefined;
  readonly avatarUrl: string;
}

const TIMEOUT_MS = 10_000;
/** A profile is a few hundred bytes. */
const MAX_BYTES = 256 * 1024;
const DISCOVERY_MS = 3600_000;
/** A token that somebody signs in with may be this old (decisions, Credentials). */
const FRESH_SECONDS = 5 * 60;
/** The provider's clock may be this much ahead of ours. */
const SKEW_SECONDS = 60;
/**
 * An access token that does not say when it expires is remembered for this long, which is longer than providers give
 * them.
 */
const UNKNOWN_EXPIRY_SECONDS = 30 * 86_400;
/** OpenID Connect Core 2 gives a `sub` at most 255 characters; others have longer ids. */
const MAX_SUBJECT = 500;
/** A provider that did not answer is asked again for the sign-in page after this time. */
const RETRY_MS = 5_000;

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  authorization_endpoint: z.string().nullish().catch(undefined),
  userinfo_endpoint: z.string().optional(),
  introspection_endpoint: z.string().optional(),
});
type Discovery = z.infer<typeof Discovery>;

const optionalText = z.string().nullish().catch(undefined);
/** Some providers count their accounts. */
const optionalId = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((id) => (id === null || id === undefined ? undefined : String(id)))
  .catch(undefined);
const Profile = z.object({
  sub: optionalText,
  /** Given in profiles that are not OpenID Connect's. */
  id: optionalId,
  oid: optionalId,
  email: optionalText,
  mail: optionalText,
  userPrincipalName: optionalText,
  /** Taken as no when anything is said that is not yes. */
  email_verified: z
    .unknown()
    .optional()
    .transform((said) => (said === undefined || said === null ? undefined : said === true || said === 'true')),
  name: optionalText,
  displayName: optionalText,
  picture: optionalText,
});
type Profile = z.infer<typeof Profile>;

/**
 * What a provider says about a token: the claims of a signed one, the answer of its introspection, or its profile.
 */
const Confirmation = z.object({
  active: z.boolean().optional().catch(undefined),
  client_id: optionalText,
  azp: optionalText,
  aud: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  tid: optionalText,
  sub: optionalText,
});

const optionalNumber = z.number().finite().optional().catch(undefined);
/** Says which token it is, and from when to when it is good. */
const Life = z.object({ jti: optionalText, iat: optionalNumber, exp: optionalNumber });
type Life = z.infer<typeof Life>;

/** Lists asymmetric ones only: a key that the provider publishes must not be able to make a token. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const REFUSED = 'The identity provider does not confirm this sign-in. Try again.';
const NOT_VERIFIED =
  'The identity provider has not verified this e-mail address. Confirm the address there, then sign in again.';
const NOT_KNOWN_TO_BE_VERIFIED =
  'The identity provider does not say whether it has verified this e-mail address. An administrator can trust its addresses (Settings, Server, identity providers).';
const NOT_FRESH = 'This sign-in with the identity provider is too old. Sign in there again.';

export class IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly #settings: ProviderSettings;
  readonly #deps: Pick<Parts, 'log' | 'clock'>;
  #discovered: { at: number; document: Promise<Discovery> } | undefined;
  #entrance: { readonly url: string | null; readonly until: number } | undefined;
  #isAskingForEntrance = false;
  #keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  constructor(settings: ProviderSettings, deps: Pick<Parts, 'log' | 'clock'>) {
    this.tenantId = settings.tenantId ?? '';
    this.issuer = settings.issuer.replace('{tenant}', this.tenantId).replace(/\/+$/, '');
    this.clientId = settings.clientId;
    this.#settings = settings;
    this.#deps = deps;
  }

  /**
   * Returns who signs in. Whether the token was taken before is the caller's to know (`once`).
   * @throws 401 for whatever is not certain: a bad token, one issued to somebody else, a provider that cannot be asked
   */
  async identify(token: string, allow: { idToken: boolean }): Promise<Identity> {
    try {
      const said =
        (allow.idToken && isJwt(token) ? await this.#verifyIdToken(token) : undefined) ?? (await this.#askWith(token));
      return {
        ...identityOf(said.profile, this.#settings),
        subject: subjectOf(said),
        once: this.#onceOf(token, said.life),
      };
    } catch (error) {
      this.#deps.log.warn('A sign-in by an identity provider was refused', {
        issuer: this.issuer,
        reason: (error as Error).message,
      });
      throw error instanceof ApiError ? error : unauthorized(REFUSED);
    }
  }

  /**
   * Returns what makes the token good once.
   * @throws when the token is not of now, as far as it says when it was made
   */
  #onceOf(token: string, { jti, iat, exp }: Life): Identity['once'] {
    const now = seconds(this.#deps.clock);
    if (iat !== undefined && (iat < now - FRESH_SECONDS || iat > now + SKEW_SECONDS)) throw unauthorized(NOT_FRESH);
    // A signature can be written in several ways, what it signs in one alone.
    const signed = isJwt(token) ? token.slice(0, token.lastIndexOf('.')) : token;
    const fresh = iat === undefined ? Number.POSITIVE_INFINITY : iat + FRESH_SECONDS;
    const expires = Math.min(
      fresh,
      exp ?? Math.max(now, iat ?? now) + UNKNOWN_EXPIRY_SECONDS,
      Number.MAX_SAFE_INTEGER - SKEW_SECONDS,
    );
    return {
      hash: sha256(JSON.stringify([this.issuer, jti ? { jti } : { signed }])),
      expiresAt: Math.ceil(expires) + SKEW_SECONDS + 1,
    };
  }

  /** Asks the provider afresh for what it publishes of itself. @throws Error saying why it cannot be used */
  async check(): Promise<void> {
    this.#discovered = undefined;
    await this.#discover();
  }

  /**
   * Returns where people sign in, as far as it is known now; asking goes on behind. Null while the provider cannot be
   * asked.
   */
  entrance(): string | null {
    if (!this.#isAskingForEntrance && (this.#entrance?.until ?? 0) <= this.#deps.clock.now())
      void this.#askForEntrance();
    return this.#entrance?.url ?? null;
  }

  async #askForEntrance(): Promise<void> {
    this.#isAskingForEntrance = true;
    let url: string | null = null;
    try {
      url = (await this.#discover()).authorization_endpoint ?? null;
      if (url !== null) requireSafe(url);
    } catch {
      url = null;
    }
    this.#entrance = { url, until: this.#deps.clock.now() + (url === null ? RETRY_MS : DISCOVERY_MS) };
    this.#isAskingForEntrance = false;
  }

  /**
   * Returns undefined for a good token of this provider that is no ID token for us. It may be an access token of ours,
   * whose aud is the API it is for.
   */
  async #verifyIdToken(token: string): Promise<Said | undefined> {
    const jwt = await this.#verify(token);
    const { aud, azp } = jwt.claims;
    const audiences = Array.isArray(aud) ? aud : [aud];
    if (jwt.isAccessToken || !audiences.includes(this.clientId)) return undefined;
    // By OpenID Connect Core 3.1.3.7 azp says to whom it was issued, with several audiences.
    if ((audiences.length > 1 || azp !== undefined) && azp !== this.clientId)
      throw new Error('azp is not our client id');
    const life = Life.parse(jwt.claims);
    if (life.iat === undefined) throw new Error('the ID token does not say when it was issued');
    return { profile: Profile.parse(jwt.claims), subject: jwt.claims.sub, life };
  }

  /** Returns the profile that an access token opens, once the provider has confirmed that it was issued to us. */
  async #askWith(token: string): Promise<Said> {
    const { userinfo_endpoint } = await this.#discover();
    const url = this.#settings.profileUrl || userinfo_endpoint;
    if (!url) throw new Error('no profile endpoint');
    const confirmed = await this.#confirm(token);
    const answer = await fetchJson(url, { headers: { Authorization: `Bearer ${token}` } });
    const subject = confirmed ? confirmed.subject : this.#subjectIfOurs(Confirmation.parse(answer));
    const profile = Profile.parse(answer);
    // By OpenID Connect Core 5.3.2 a profile of somebody else must not be used.
    if (subject && profile.sub && profile.sub !== subject) throw new Error('sub of the profile differs');
    return { profile, subject, life: confirmed?.life ?? {} };
  }

  /**
   * Asks the provider to whom it issued the token: by its signature on a token that says so, else by its introspection
   * (RFC 7662). Returns undefined when it has neither, and the profile itself must say so.
   */
  async #confirm(token: string): Promise<{ subject: string | undefined; life: Life } | undefined> {
    const { introspection_endpoint } = await this.#discover();
    if (isJwt(token)) {
      const { claims } = await this.#verify(token);
      const said = Confirmation.parse({ ...claims, aud: undefined, client_id: claims['client_id'] ?? claims['appid'] });
      return { subject: this.#subjectIfOurs(said), life: Life.parse(claims) };
    }
    if (!introspection_endpoint) return undefined;
    const body = new URLSearchParams({ token, token_type_hint: 'access_token', client_id: this.clientId });
    const said = await fetchJson(introspection_endpoint, { method: 'POST', body });
    const answer = Confirmation.parse(said);
    if (answer.active !== true) throw new Error('the access token is not active');
    return { subject: this.#subjectIfOurs({ ...answer, aud: undefined }), life: Life.parse(said) };
  }

  /**
   * Returns whose token it is. Of `aud` only a profile's counts, because that of an access token is the API it is for.
   */
  #subjectIfOurs(said: z.infer<typeof Confirmation>): string | undefined {
    const clients = [said.client_id ?? said.azp ?? said.aud].flat();
    if (clients.length !== 1 || clients[0] !== this.clientId)
      throw new Error('the access token was not issued to our client id');
    this.#requireTenant(said.tid);
    return said.sub ?? undefined;
  }

  /** Checks signature, issuer, expiry and tenant. */
  async #verify(token: string): Promise<{ claims: JWTPayload; isAccessToken: boolean }> {
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
    const { issuer, jwks_uri } = await this.#discover();
    if (this.#keys?.uri !== jwks_uri)
      this.#keys = {
        uri: jwks_uri,
        get: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: TIMEOUT_MS, [customFetch]: fetchSafely }),
      };
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys.get, {
      issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(this.#deps.clock.now()),
      clockTolerance: SKEW_SECONDS,
    });
    this.#requireTenant(payload['tid']);
    return {
      claims: payload,
      isAccessToken: protectedHeader.typ?.toLowerCase().replace('application/', '') === 'at+jwt',
    };
  }

  #requireTenant(tid: unknown): void {
    if (this.tenantId && tid !== undefined && tid !== null && tid !== this.tenantId)
      throw new Error('the token is of another tenant');
  }

  #discover(): Promise<Discovery> {
    if (!this.#discovered || this.#discovered.at + DISCOVERY_MS < this.#deps.clock.now()) {
      const document = this.#fetchDiscovery();
      this.#discovered = { at: this.#deps.clock.now(), document };
      // What failed is tried again with the next sign-in.
      document.catch(() => {
        this.#discovered = undefined;
      });
    }
    return this.#discovered.document;
  }

  async #fetchDiscovery(): Promise<Discovery> {
    const document = Discovery.parse(await fetchJson(`${this.issuer}/.well-known/openid-configuration`));
    if (document.issuer.replace(/\/+$/, '') !== this.issuer) throw new Error('the discovered issuer is another one');
    requireSafe(document.jwks_uri);
    return document;
  }
}

const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

interface Said {
  readonly profile: Profile;
  /** The subject as it is confirmed; undefined when the profile alone names it. */
  readonly subject: string | undefined;
  readonly life: Life;
}

const subjectOf = ({ profile, subject }: Said): string => {
  const found = [subject, profile.sub, profile.id, profile.oid].find(Boolean);
  if (!found || found.length > MAX_SUBJECT) throw new Error('the profile does not say whose it is');
  return found;
};

const unverified = (message: string) => new ApiError(401, message, { code: 'address_unverified' });

const identityOf = (
  profile: Profile,
  { ownsAddresses }: Pick<ProviderSettings, 'ownsAddresses'>,
): Pick<Identity, 'email' | 'name' | 'avatarUrl'> => {
  const given = [profile.email, profile.mail, profile.userPrincipalName].find((e) => e?.includes('@'));
  const email = given && emailAddress(given);
  if (!email) throw new Error('the profile has no address');
  if (profile.email_verified === false) throw unverified(NOT_VERIFIED);
  // It is said of `email` alone.
  const isVerified = profile.email_verified === true && given === profile.email;
  if (!isVerified && !ownsAddresses) throw unverified(NOT_KNOWN_TO_BE_VERIFIED);
  const name = (profile.name ?? profile.displayName)
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200);
  return { email, name: name || undefined, avatarUrl: avatar(profile.picture) };
};

const avatar = (url: string | null | undefined): string =>
  url && url.length <= 1000 && /^https:\/\/[^\s"'<>]+$/.test(url) ? url : '';

const fetchJson = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetchSafely(url, {
    ...init,
    headers: { Accept: 'application/json', ...(init.headers as Record<string, string>) },
  });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
  return response.json();
};

/**
 * The one way to a provider, its keys included. The addresses are the owner's configuration and what the provider
 * publishes, so it follows no redirects and bounds time and size.
 */
const fetchSafely = async (url: string, init: RequestInit = {}): Promise<Response> => {
  requireSafe(url);
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
  const response = await fetch(url, { ...init, redirect: 'error', signal });
  return new Response(await readLimited(response), { status: response.status, headers: response.headers });
};

/** Allows plain http only to this machine: whoever answers decides who signs in. */
const requireSafe = (url: string): void => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)))
    throw new Error(`${url} must be https`);
};

const readLimited = async (response: Response): Promise<Buffer<ArrayBuffer> | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  // An answer whose status allows no body must not be given one.
  return size === 0 ? null : Buffer.concat(chunks);
};
