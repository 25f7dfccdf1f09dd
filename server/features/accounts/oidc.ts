/**
 * An OpenID Connect provider, as we need it: who does this token speak for, and was it issued to us? Nothing is tied to a
 * vendor; everything but issuer and client id is discovered.
 */
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { unauthorized } from '../../../shared/contract/errors.ts';

export interface ProviderSettings {
  /** `{tenant}` in it stands for the tenant id. */
  readonly issuer: string;
  readonly clientId: string;
  /** When the provider has many: a token of another one is refused. */
  readonly tenantId?: string | undefined;
  /** Where the profile is; default: the discovered userinfo endpoint. */
  readonly profileUrl?: string | undefined;
}

export interface Identity {
  /** Lower-cased. */
  readonly email: string;
  readonly name?: string | undefined;
  readonly avatarUrl: string;
}

export interface ProviderLog {
  warn(message: string, facts: Record<string, unknown>): void;
}

const TIMEOUT_MS = 10_000;
/** A profile is a few hundred bytes. */
const MAX_BYTES = 256 * 1024;
/** How long a discovered document is good. */
const DISCOVERY_MS = 3600_000;
/** How soon a provider that did not answer is asked again for the sign-in page. */
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
const Profile = z.object({
  sub: optionalText,
  email: optionalText,
  mail: optionalText,
  userPrincipalName: optionalText,
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((v) => v === 'true')])
    .nullish()
    .catch(undefined),
  name: optionalText,
  displayName: optionalText,
  picture: optionalText,
});
type Profile = z.infer<typeof Profile>;

/** What a provider says about a token: the claims of a signed one, the answer of its introspection, or its profile. */
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

/** Asymmetric ones only: a key that the provider publishes must not be able to make a token. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const REFUSED = 'The identity provider does not confirm this sign-in. Try again.';

export class IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly #profileUrl: string | undefined;
  readonly #log: ProviderLog;
  readonly #now: () => number;
  #discovered: { at: number; document: Promise<Discovery> } | undefined;
  #entrance: { readonly url: string | null; readonly until: number } | undefined;
  #isAskingForEntrance = false;
  #keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  constructor(settings: ProviderSettings, deps: { log: ProviderLog; clock: { now(): number } }) {
    this.tenantId = settings.tenantId ?? '';
    this.issuer = settings.issuer.replace('{tenant}', this.tenantId).replace(/\/+$/, '');
    this.clientId = settings.clientId;
    this.#profileUrl = settings.profileUrl;
    this.#log = deps.log;
    this.#now = () => deps.clock.now();
  }

  /** @throws 401 for whatever is not certain: a bad token, one issued to somebody else, a provider that cannot be asked */
  async identify(token: string, allow: { idToken: boolean }): Promise<Identity> {
    try {
      const claims = allow.idToken && isJwt(token) ? await this.#verifyIdToken(token) : undefined;
      return identityOf(claims ?? (await this.#askWith(token)));
    } catch (error) {
      this.#log.warn('A sign-in by an identity provider was refused', { issuer: this.issuer, reason: (error as Error).message });
      throw unauthorized(REFUSED);
    }
  }

  /** Asks it afresh for what it publishes of itself. @throws Error saying why it cannot be used */
  async check(): Promise<void> {
    this.#discovered = undefined;
    await this.#discover();
  }

  /** Where people sign in, as far as it is known now: asking goes on behind. Null while the provider cannot be asked. */
  entrance(): string | null {
    if (!this.#isAskingForEntrance && (this.#entrance?.until ?? 0) <= this.#now()) void this.#askForEntrance();
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
    this.#entrance = { url, until: this.#now() + (url === null ? RETRY_MS : DISCOVERY_MS) };
    this.#isAskingForEntrance = false;
  }

  /** Undefined: it is a good token of this provider, but no ID token for us. It may be an access token of ours: its aud is the API it is for. */
  async #verifyIdToken(token: string): Promise<Profile | undefined> {
    const jwt = await this.#verify(token);
    const { aud, azp } = jwt.claims;
    const audiences = Array.isArray(aud) ? aud : [aud];
    if (jwt.isAccessToken || !audiences.includes(this.clientId)) return undefined;
    // OpenID Connect Core 3.1.3.7: with several audiences azp says to whom it was issued.
    if ((audiences.length > 1 || azp !== undefined) && azp !== this.clientId) throw new Error('azp is not our client id');
    return Profile.parse(jwt.claims);
  }

  /** The profile that an access token opens, once the provider has confirmed that it was issued to us. */
  async #askWith(token: string): Promise<Profile> {
    const { userinfo_endpoint } = await this.#discover();
    const url = this.#profileUrl ?? userinfo_endpoint;
    if (!url) throw new Error('no profile endpoint');
    const confirmed = await this.#confirm(token);
    const answer = await fetchJson(url, { headers: { Authorization: `Bearer ${token}` } });
    const subject = confirmed ? confirmed.subject : this.#subjectIfOurs(Confirmation.parse(answer));
    const profile = Profile.parse(answer);
    // OpenID Connect Core 5.3.2: a profile of somebody else must not be used.
    if (subject && profile.sub && profile.sub !== subject) throw new Error('sub of the profile differs');
    return profile;
  }

  /**
   * Asks the provider to whom it issued the token: its signature on a token that says so, else its introspection (RFC 7662).
   * Undefined: it has neither, and the profile itself must say so.
   */
  async #confirm(token: string): Promise<{ subject: string | undefined } | undefined> {
    const { introspection_endpoint } = await this.#discover();
    if (isJwt(token)) {
      const { claims } = await this.#verify(token);
      return { subject: this.#subjectIfOurs(Confirmation.parse({ ...claims, aud: undefined, client_id: claims['client_id'] ?? claims['appid'] })) };
    }
    if (!introspection_endpoint) return undefined;
    const body = new URLSearchParams({ token, token_type_hint: 'access_token', client_id: this.clientId });
    const answer = Confirmation.parse(await fetchJson(introspection_endpoint, { method: 'POST', body }));
    if (answer.active !== true) throw new Error('the access token is not active');
    return { subject: this.#subjectIfOurs({ ...answer, aud: undefined }) };
  }

  /** `aud` of an access token is the API it is for, so that only a profile's counts. */
  #subjectIfOurs(said: z.infer<typeof Confirmation>): string | undefined {
    const clients = [said.client_id ?? said.azp ?? said.aud].flat();
    if (clients.length !== 1 || clients[0] !== this.clientId) throw new Error('the access token was not issued to our client id');
    this.#requireTenant(said.tid);
    return said.sub ?? undefined;
  }

  /** Signature, issuer, expiry, tenant. */
  async #verify(token: string): Promise<{ claims: JWTPayload; isAccessToken: boolean }> {
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    const { issuer, jwks_uri } = await this.#discover();
    if (this.#keys?.uri !== jwks_uri) this.#keys = { uri: jwks_uri, get: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: TIMEOUT_MS }) };
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys.get, {
      issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(this.#now()),
      clockTolerance: 60,
    });
    this.#requireTenant(payload['tid']);
    return { claims: payload, isAccessToken: protectedHeader.typ?.toLowerCase().replace('application/', '') === 'at+jwt' };
  }

  #requireTenant(tid: unknown): void {
    if (this.tenantId && tid !== undefined && tid !== null && tid !== this.tenantId) throw new Error('the token is of another tenant');
  }

  #discover(): Promise<Discovery> {
    if (!this.#discovered || this.#discovered.at + DISCOVERY_MS < this.#now()) {
      const document = this.#fetchDiscovery();
      this.#discovered = { at: this.#now(), document };
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
    return document;
  }
}

const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

const identityOf = (profile: Profile): Identity => {
  if (profile.email_verified === false) throw new Error('the provider has not verified the address');
  const email = [profile.email, profile.mail, profile.userPrincipalName]
    .find((e) => e?.includes('@'))
    ?.trim()
    .toLowerCase();
  if (!email || email.length > 254 || !/^[^\s@<>]+@[^\s@<>]+$/.test(email)) throw new Error('the profile has no address');
  const name = (profile.name ?? profile.displayName)
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200);
  return { email, name: name || undefined, avatarUrl: avatar(profile.picture) };
};

const avatar = (url: string | null | undefined): string => (url && url.length <= 1000 && /^https:\/\/[^\s"'<>]+$/.test(url) ? url : '');

/** The addresses are the owner's configuration and what its provider publishes. Plain http only to this machine. */
const fetchJson = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  requireSafe(url);
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { Accept: 'application/json', ...(init.headers as Record<string, string>) },
  });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
  const text = await readLimited(response);
  return JSON.parse(text);
};

const requireSafe = (url: string): void => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))) throw new Error(`${url} must be https`);
};

const readLimited = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
