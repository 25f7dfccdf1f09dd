/**
 * Client for an OpenID Connect provider: determines whom a token identifies, and whether it was issued to this client.
 * Works with any vendor; everything except issuer and client id is discovered.
 */
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { ApiError, unauthorized } from '../../../../shared/contract/errors.ts';
import { emailAddress } from '../../../../shared/contract/people/email.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import { sha256 } from '../secrets.ts';

/** Name of one of the two sign-in providers that a server may have. */
export type Provider = 'provider_a' | 'provider_b';

export interface ProviderSettings {
  /** Issuer address; `{tenant}` is replaced by the tenant id. */
  readonly issuer: string;
  readonly clientId: string;
  /** Tenant, for providers with several tenants. A token of any other tenant is refused. */
  readonly tenantId?: string | undefined;
  /** Address of the profile. @default the discovered userinfo endpoint */
  readonly profileUrl?: string | undefined;
  /**
   * Whether the provider issues only addresses of its own domain, so that an address without verification status is
   * trusted.
   */
  readonly ownsAddresses?: boolean;
}

export interface Identity {
  /** Id of the person at the provider, independent of the address. */
  readonly subject: string;
  /** Hash of the token and its expiry. They are stored, so that the token is accepted only once. */
  readonly once: { readonly hash: string; readonly expiresAt: number };
  /** E-mail address in lower case. */
  readonly email: string;
  readonly name?: string | undefined;
  readonly avatarUrl: string;
}

const TIMEOUT_MS = 10_000;
/** Maximum size of an answer of the provider in bytes, where a profile has a few hundred bytes. */
const MAX_BYTES = 256 * 1024;
const DISCOVERY_MS = 3600_000;
/** Maximum age of a token at sign-in. */
const FRESH_SECONDS = 5 * 60;
/** Time by which the provider's clock may be ahead of the server's clock. */
const SKEW_SECONDS = 60;
/** Storage time for a used access token without an expiry, longer than the lifetime of real access tokens. */
const UNKNOWN_EXPIRY_SECONDS = 30 * 86_400;
/** OpenID Connect Core 2 limits `sub` to 255 characters; other providers have longer ids. */
const MAX_SUBJECT = 500;
/** Delay before an unreachable provider is contacted again for the sign-in page. */
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
/** Parses an optional id as text, because some providers use numbers as ids. */
const optionalId = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((id) => (id === null || id === undefined ? undefined : String(id)))
  .catch(undefined);
const Profile = z.object({
  sub: optionalText,
  /** Profile fields of providers that do not follow OpenID Connect. */
  id: optionalId,
  oid: optionalId,
  email: optionalText,
  mail: optionalText,
  userPrincipalName: optionalText,
  /** Any value other than true counts as not verified. */
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
 * Says for which client and user a token is: the claims of a signed token, the answer to an introspection, or a
 * profile.
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
/** Id of a token, the time when it was issued, and its expiry. */
const Life = z.object({ jti: optionalText, iat: optionalNumber, exp: optionalNumber });
type Life = z.infer<typeof Life>;

/**
 * Algorithms of accepted signatures. Symmetric algorithms are left out: with them, anyone could sign tokens with the
 * published key.
 */
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
const REFUSED = 'The sign-in provider does not confirm this sign-in. Try again.';
const NOT_VERIFIED =
  'The sign-in provider has not verified this e-mail address. Confirm the address there, then sign in again.';
const NOT_KNOWN_TO_BE_VERIFIED =
  'The sign-in provider does not say whether this e-mail address is verified. An administrator of this server can trust the addresses of this provider (Settings, Server, Sign-in providers).';
const NOT_FRESH = 'This sign-in is too old. Sign in again with the sign-in provider.';

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
   * Returns the identity of a token. The caller checks whether the token was used before (`once`).
   * @throws 401 in case of any doubt: an invalid token, a token of another client, an unreachable provider
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
      this.#deps.log.warn('A sign-in with a sign-in provider was refused', {
        issuer: this.issuer,
        reason: (error as Error).message,
      });
      throw error instanceof ApiError ? error : unauthorized(REFUSED);
    }
  }

  /**
   * Returns the hash and the expiry that are stored, so that a token is accepted only once.
   * @throws when the token contains its issue time and is not recent
   */
  #onceOf(token: string, { jti, iat, exp }: Life): Identity['once'] {
    const now = seconds(this.#deps.clock);
    if (iat !== undefined && (iat < now - FRESH_SECONDS || iat > now + SKEW_SECONDS)) throw unauthorized(NOT_FRESH);
    // The same signature can be encoded in several ways, but the signed part cannot. So only the signed part is hashed.
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

  /** Fetches the provider's metadata again. @throws Error with the reason why it cannot be used */
  async check(): Promise<void> {
    this.#discovered = undefined;
    await this.#discover();
  }

  /**
   * Returns the sign-in address that is known now, and refreshes it in the background. Null while the provider is
   * unreachable.
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
   * Returns what an ID token says about its user. Returns undefined for a valid token of this provider that is not an
   * ID token for this client: it may be an access token, whose `aud` names the API.
   */
  async #verifyIdToken(token: string): Promise<Said | undefined> {
    const jwt = await this.#verify(token);
    const { aud, azp } = jwt.claims;
    const audiences = Array.isArray(aud) ? aud : [aud];
    if (jwt.isAccessToken || !audiences.includes(this.clientId)) return undefined;
    // With several audiences, `azp` must be this client: it names the client that the token was issued to (OpenID
    // Connect Core 3.1.3.7).
    if ((audiences.length > 1 || azp !== undefined) && azp !== this.clientId)
      throw new Error('azp is not our client id');
    const life = Life.parse(jwt.claims);
    if (life.iat === undefined) throw new Error('the ID token does not say when it was issued');
    return { profile: Profile.parse(jwt.claims), subject: jwt.claims.sub, life };
  }

  /**
   * Returns the profile of an access token, after the provider has confirmed that the token was issued to this client.
   */
  async #askWith(token: string): Promise<Said> {
    const { userinfo_endpoint } = await this.#discover();
    const url = this.#settings.profileUrl || userinfo_endpoint;
    if (!url) throw new Error('no profile endpoint');
    const confirmed = await this.#confirm(token);
    const answer = await fetchJson(url, { headers: { Authorization: `Bearer ${token}` } });
    const subject = confirmed ? confirmed.subject : this.#subjectIfOurs(Confirmation.parse(answer));
    const profile = Profile.parse(answer);
    // Refuses a profile with another subject than the token (OpenID Connect Core 5.3.2).
    if (subject && profile.sub && profile.sub !== subject) throw new Error('sub of the profile differs');
    return { profile, subject, life: confirmed?.life ?? {} };
  }

  /**
   * Verifies that an access token was issued to this client: by its signature if the token is a JWT, else by
   * introspection (RFC 7662). Returns undefined when neither is possible; the profile must then name the client.
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
   * Returns the subject of a token that was issued to this client. `aud` counts only in a profile, because the `aud` of
   * an access token names the API.
   */
  #subjectIfOurs(said: z.infer<typeof Confirmation>): string | undefined {
    const clients = [said.client_id ?? said.azp ?? said.aud].flat();
    if (clients.length !== 1 || clients[0] !== this.clientId)
      throw new Error('the access token was not issued to our client id');
    this.#requireTenant(said.tid);
    return said.sub ?? undefined;
  }

  /** Verifies signature, issuer, expiry and tenant. */
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
      // A failed fetch is not cached, so the next sign-in fetches the metadata again.
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
  /** Confirmed subject; undefined when only the profile contains it. */
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
  // An address from another field than `email` counts as not verified, because the claim `email_verified` is about
  // `email`.
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
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered with the status ${response.status}`);
  return response.json();
};

/**
 * The only function that sends requests to a provider, also for its keys. Addresses come from the owner's configuration
 * and from the provider, so redirects are refused, and time and size are limited.
 */
const fetchSafely = async (url: string, init: RequestInit = {}): Promise<Response> => {
  requireSafe(url);
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
  const response = await fetch(url, { ...init, redirect: 'error', signal });
  return new Response(await readLimited(response), { status: response.status, headers: response.headers });
};

/** Allows plain http only to this machine, because the answer decides who may sign in. */
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
  // An empty body is returned as null, because a response with a status like 204 accepts no body.
  return size === 0 ? null : Buffer.concat(chunks);
};
