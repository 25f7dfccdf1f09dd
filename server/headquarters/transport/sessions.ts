/**
 * Sign-in of stores: a store signs a nonce with the key of its server and gets a token for a quarter of an hour. The
 * store's private key is never sent.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SESSION_MINUTES, sessionText } from '../../../shared/chain/wire.ts';
import type { Parts } from '../../kernel/parts.ts';
import { recent } from '../../kernel/time/recent.ts';
import { isSignedBy } from '../../kernel/trust/signed-by.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { StoreRegistry } from '../stores/store-registry.ts';

const NONCE_MS = 60_000;
/** Maximum number of used nonces, each of which is remembered for a minute. Only enrolled stores can add nonces. */
const MAX_USED = 20_000;
const MAX_SESSIONS = 20_000;

interface Deps extends Pick<Parts, 'mono'> {
  readonly registry: Pick<StoreRegistry, 'byRef'>;
  /** Fingerprint of this server's key, hex. */
  readonly fingerprint: string;
}

interface Session {
  readonly ref: string;
  readonly key: string;
  readonly endsAt: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export class Sessions {
  readonly #deps: Deps;
  readonly #secret = randomBytes(32);
  readonly #used = recent<string, true>(MAX_USED);
  readonly #sessions = recent<string, Session>(MAX_SESSIONS);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns a nonce. The server stores nothing: the nonce contains its time, random bytes, and an HMAC over both and
   * the store.
   */
  challenge(ref: string): string {
    const time = Math.floor(this.#deps.mono()).toString(16).padStart(16, '0');
    return this.#sealed(ref, time + randomBytes(8).toString('hex'));
  }

  /** Appends an HMAC over `said` and the store. @param said 32 digits: time and random bytes */
  #sealed(ref: string, said: string): string {
    return said + createHmac('sha256', this.#secret).update(`${said} ${ref}`).digest('hex').slice(0, 32);
  }

  /** Opens a session and returns its token. @throws Refused */
  open({ store: ref, nonce, signature }: { store: string; nonce: string; signature: string }): string {
    const { mono, registry, fingerprint } = this.#deps;
    const known = knownOf(registry.byRef(ref));
    if (!known) throw notEnrolled();
    const isOurs = timingSafeEqual(Buffer.from(nonce), Buffer.from(this.#sealed(ref, nonce.slice(0, 32))));
    const at = Number.parseInt(nonce.slice(0, 16), 16);
    const isFresh = isOurs && at + NONCE_MS > mono() && !this.#used.has(nonce);
    if (!isFresh) throw new Refused('session_ended', 401, 'The sign-in to headquarters took too long. Try again.');
    if (!isSignedBy(known.key, sessionText(ref, nonce, fingerprint), signature)) throw notEnrolled();
    this.#used.set(nonce, true);
    const token = randomBytes(32).toString('hex');
    this.#sessions.set(hashOf(token), { ref, key: known.key, endsAt: mono() + SESSION_MINUTES * 60_000 });
    return token;
  }

  /** Returns the store of a token, in its current state. @throws Refused */
  of(authorization: string | undefined): KnownStore {
    const { mono, registry } = this.#deps;
    const token = /^Bearer ([0-9a-f]{64})$/.exec(authorization ?? '')?.[1];
    const session = token === undefined ? undefined : this.#sessions.get(hashOf(token));
    if (!session || session.endsAt <= mono()) throw new Refused('session_ended', 401, 'Sign in to headquarters first.');
    const known = knownOf(registry.byRef(session.ref));
    // The session ends when another PC has replaced the server or the store was removed.
    if (!known || known.key !== session.key) throw notEnrolled();
    return known;
  }
}

export const knownOf = (store: ReturnType<StoreRegistry['byRef']>): KnownStore | undefined =>
  store?.key ? { id: store.id, ref: store.ref, workspaceId: store.workspace_id, key: store.key } : undefined;

export const notEnrolled = () =>
  new Refused(
    'not_enrolled',
    403,
    'Headquarters does not know this server: the server was removed there, or another server has replaced it. Leave headquarters, then enrol with a new code.',
  );
