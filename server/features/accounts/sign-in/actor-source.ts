/**
 * Turns the credential of a request into an actor. Recent actors are cached, so a request costs one SHA-256 and a map
 * lookup. Every change of an account announces `accountsChanged`, which clears the cache: a revoked credential fails
 * with the next request.
 */

import type { Access } from '../../../../shared/contract/endpoint.ts';
import { ApiError, unauthorized } from '../../../../shared/contract/errors.ts';
import type { RegionRole } from '../../../../shared/contract/people/rights.ts';
import { type Authenticate, bearer } from '../../../http/credentials.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import { recent } from '../../../kernel/time/recent.ts';
import type { Actor, DeviceActor, Limits, PlatformRole, WorkspaceRole } from '../../../kernel/trust/actor.ts';
import { roleInForce } from '../../../kernel/trust/roles.ts';
import { PREFIX, sha256 } from '../secrets.ts';
import type { ActorStore, PlaceRow, SessionRow, TokenRow } from './actor.store.ts';

/** Lifetime of a session in seconds, counted from its last use. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** Interval at which last uses are saved. When unsaved uses are lost, a session ends up to a minute early. */
const WRITE_EVERY_SECONDS = 60;
/**
 * Maximum number of cached actors, more than any store has users and integrations. The limit keeps a flood of sign-ins
 * from filling the memory.
 */
const MAX_REMEMBERED = 10_000;

type Remembered = { readonly actor: Actor; readonly tokenId: string | null; expiresAt: number; noteAfter: number };

/** Returns the actor of a player's secret (features/devices); undefined when the secret is wrong. */
export type AuthenticateDevice = (authorization: string, ip: string) => DeviceActor | undefined;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: ActorStore;
  readonly device: AuthenticateDevice;
}

export class ActorSource implements Lifecycle {
  readonly name = 'actors';
  readonly #deps: Deps;
  readonly #remembered = recent<string, Remembered>(MAX_REMEMBERED);
  /** Last uses that are not saved yet: session hash → new end, token id → last use. */
  readonly #slides = new Map<string, number>();
  readonly #uses = new Map<string, number>();
  readonly #undo: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#undo.push(this.#deps.bus.on('accountsChanged', () => this.#remembered.clear()));
    // A failed write transaction clears the cache, because actors may have been read within it.
    this.#undo.push(this.#deps.db.onLost(() => this.#remembered.clear()));
    this.#timer = setInterval(() => this.#writeQuietly(), WRITE_EVERY_SECONDS * 1000);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const undo of this.#undo.splice(0)) undo();
    this.#remembered.clear();
    this.#writeQuietly();
  }

  readonly authenticate: Authenticate = (authorization, ip, access: Access) => {
    if (access.kind === 'public' || !authorization) return null;
    if (access.kind === 'device')
      return this.#deps.device(authorization, ip) ?? fail('This player is not known here. Pair it again.');
    const credential = bearer(authorization);
    return credential === undefined ? fail() : this.actor(credential, ip);
  };

  /**
   * Returns the actor of a session or token from an Authorization header, also for the sockets of admin windows.
   * @throws 401
   */
  actor(credential: string, ip: string): Actor {
    const now = seconds(this.#deps.clock);
    const hash = sha256(credential);
    let known = this.#remembered.get(hash);
    if (!known) {
      known = credential.startsWith(PREFIX.token) ? this.#fromToken(hash) : this.#fromSession(hash);
      this.#remembered.set(hash, known);
    }
    if (known.expiresAt <= now) {
      this.#remembered.delete(hash);
      return fail('Your session or token has expired. Sign in again.');
    }
    if (known.noteAfter <= now) this.#note(hash, known, now);
    return { ...known.actor, ip };
  }

  /** Saves the last uses of all credentials. Called every minute, and when the server stops. */
  writeUses(): void {
    if (this.#slides.size + this.#uses.size === 0) return;
    this.#deps.db.write(() => {
      for (const [hash, expiresAt] of this.#slides) this.#deps.store.slideSession(hash, expiresAt);
      for (const [id, at] of this.#uses) this.#deps.store.tokenUsed(id, at);
    });
    this.#slides.clear();
    this.#uses.clear();
  }

  /** Saves the last uses. An error, such as a full disk, is ignored: the uses stay in memory until the next attempt. */
  #writeQuietly(): void {
    try {
      this.writeUses();
    } catch {}
  }

  #note(hash: string, known: Remembered, now: number): void {
    known.noteAfter = now + WRITE_EVERY_SECONDS;
    if (known.tokenId !== null) {
      this.#uses.set(known.tokenId, now);
      return;
    }
    known.expiresAt = now + SESSION_SECONDS;
    this.#slides.set(hash, known.expiresAt);
  }

  #fromSession(hash: string): Remembered {
    const { store } = this.#deps;
    const row = store.session(hash) ?? fail();
    if (row.kind === 'mfa')
      throw new ApiError(
        401,
        'Finish signing in first: send the code of your authenticator app to /api/auth/totp/verify.',
        { code: 'mfa_required' },
      );
    // The workspace may have been deleted, or the user may have lost access. Then the first available workspace is
    // used.
    const confinedTo = row.password_organization_id;
    const whose = { id: row.user_id, role: row.role, password_organization_id: confinedTo };
    const place = (row.workspace_id && store.place(whose, row.workspace_id)) || store.places(whose)[0];
    const actor = actorOf(row, {
      via: 'session',
      scope: 'full',
      platformRole: confinedTo === null ? row.role : 'user',
      confinedTo,
      credentialHash: hash,
      place,
    });
    return { actor, tokenId: null, expiresAt: Math.max(row.expires_at, this.#slides.get(hash) ?? 0), noteAfter: 0 };
  }

  #fromToken(hash: string): Remembered {
    const row = this.#deps.store.token(hash);
    if (!row || row.revoked_at !== null) return fail();
    const place =
      this.#deps.store.place({ id: row.user_id, role: 'user', password_organization_id: null }, row.workspace_id) ??
      fail('The owner of this token is no longer a member of the token’s workspace. Use a token of a current member.');
    const actor = actorOf(row, {
      via: 'token',
      scope: row.scope,
      platformRole: 'user',
      confinedTo: null,
      credentialHash: hash,
      place,
    });
    return { actor, tokenId: row.id, expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY, noteAfter: 0 };
  }
}

export const roleAt = (platformRole: PlatformRole, place: PlaceRow) =>
  roleInForce({ platformRole, organizationRole: place.organization_role, membership: place.workspace_role });

const idsOf = (json: string | null): readonly string[] | null =>
  json === null ? null : (JSON.parse(json) as string[]);

/** Returns the rights of a membership. Only an editor can have fewer rights than the role. */
export const rightsAt = (
  role: WorkspaceRole | null,
  place: Pick<PlaceRow, 'workspace_role' | 'approval' | 'duty' | 'folder_ids' | 'group_ids' | 'approves' | 'regions'>,
): Pick<Actor, 'limits' | 'regions' | 'approves' | 'needsApproval'> => {
  const isEditor = role === 'workspace_editor' && place.workspace_role === 'workspace_editor';
  const limits: Limits = {
    duty: place.duty ?? 'all',
    folderIds: idsOf(place.folder_ids),
    groupIds: idsOf(place.group_ids),
  };
  const isLimited = limits.duty !== 'all' || limits.folderIds !== null || limits.groupIds !== null;
  const approves = role === 'workspace_admin' || (isEditor && place.approves === 1);
  return {
    limits: isEditor && isLimited ? limits : null,
    // A user who has access by more than a membership, such as an organization role, sees everything in the workspace.
    regions:
      role !== 'workspace_admin' && role === place.workspace_role && place.regions !== null
        ? (JSON.parse(place.regions) as RegionRole[])
        : null,
    approves,
    needsApproval: place.approval === 1 && !approves,
  };
};
const NOWHERE = { limits: null, regions: null, approves: false, needsApproval: false };

const actorOf = (
  row: SessionRow | TokenRow,
  {
    place,
    ...as
  }: Pick<Actor, 'via' | 'scope' | 'platformRole' | 'confinedTo' | 'credentialHash'> & { place: PlaceRow | undefined },
): Actor => ({
  ...as,
  ...(place ? rightsAt(roleAt(as.platformRole, place), place) : NOWHERE),
  ...(row.auth_provider === 'headquarters' && { visits: true }),
  userId: row.user_id,
  userName: row.name,
  email: row.email,
  mustChangePassword: row.must_change_password === 1,
  workspaceId: place?.workspace_id ?? null,
  organizationId: place?.organization_id ?? null,
  workspaceRole: place ? roleAt(as.platformRole, place) : null,
  organizationRole: place?.organization_role ?? null,
  ip: '',
});

const fail = (message?: string): never => {
  throw unauthorized(message);
};
