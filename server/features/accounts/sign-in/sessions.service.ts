import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import { isOver } from '../../../kernel/time/window.ts';
import { newSecret, sha256 } from '../secrets.ts';
import type { UserRow, UsersStore } from '../users/users.store.ts';
import type { ActorStore, Whose } from './actor.store.ts';
import { SESSION_SECONDS } from './actor-source.ts';
import type { SessionsStore } from './sessions.store.ts';

/** Lifetime of the second step: time to look up a code and type it. */
const MFA_SECONDS = 5 * 60;

interface OpenedSession {
  readonly token: string;
  readonly current_workspace_id: string | null;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: SessionsStore;
  readonly users: UsersStore;
  readonly actors: ActorStore;
}

/** Creates and ends sessions. Called within a write transaction. */
export class Sessions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Opens a session in the last used workspace, else in the first by organization and name. */
  open(user: UserRow): OpenedSession {
    const places = this.#deps.actors.places(user);
    const place = places.find((p) => p.workspace_id === user.last_workspace_id) ?? places[0];
    this.#deps.users.update(user.id, { last_login_at: seconds(this.#deps.clock) });
    return this.openIn(user, place?.workspace_id ?? null);
  }

  /** @param since when the person proved their identity, in epoch seconds @default now */
  openIn(user: { id: string }, workspaceId: string | null, since?: number): OpenedSession {
    const token = newSecret('session');
    this.#insert('session', token, { user_id: user.id, workspace_id: workspaceId }, SESSION_SECONDS, since);
    if (workspaceId !== null) this.#deps.users.update(user.id, { last_workspace_id: workspaceId });
    return { token, current_workspace_id: workspaceId };
  }

  /** Returns a token for the second step of signing in. */
  openSecondStep(userId: string): string {
    const token = newSecret('mfa');
    this.#insert('mfa', token, { user_id: userId, workspace_id: null }, MFA_SECONDS);
    return token;
  }

  /** Returns the user of a second step; undefined when the token is unknown, used or expired. */
  secondStepOf(token: string): UserRow | undefined {
    const row = this.#deps.store.find(sha256(token));
    if (row?.kind !== 'mfa' || isOver({ end: row.expires_at, now: seconds(this.#deps.clock), length: MFA_SECONDS }))
      return undefined;
    return this.#deps.users.find(row.user_id);
  }

  /**
   * Returns when the person of a session proved their identity, in epoch seconds; undefined when the session does not
   * exist.
   */
  since(hash: string): number | undefined {
    const row = this.#deps.store.find(hash);
    return row?.kind === 'session' ? row.created_at : undefined;
  }

  end(token: { secret: string } | { hash: string }): void {
    this.#deps.store.delete('hash' in token ? token.hash : sha256(token.secret));
    this.announce();
  }

  endAllOf(userId: string, keep?: string): void {
    this.#deps.store.deleteOf(userId, keep);
    this.announce();
  }

  /** After the commit, announces that caches of credentials, roles and memberships are outdated. */
  announce(): void {
    this.#deps.db.afterCommit(() => this.#deps.bus.emit('accountsChanged'));
  }

  /** Returns undefined when the workspace does not exist, or the user has no access. */
  place(user: Whose, workspaceId: string) {
    return this.#deps.actors.place(user, workspaceId);
  }

  places(user: Whose) {
    return this.#deps.actors.places(user);
  }

  #insert(
    kind: 'session' | 'mfa',
    token: string,
    whose: { readonly user_id: string; readonly workspace_id: string | null },
    lifetime: number,
    since?: number,
  ): void {
    const { clock, store } = this.#deps;
    const now = seconds(clock);
    if (!clock.doubtful) store.deleteExpired(now);
    store.insert({
      hash: sha256(token),
      kind,
      ...whose,
      expires_at: now + lifetime,
      created_at: since ?? now,
    });
  }
}
