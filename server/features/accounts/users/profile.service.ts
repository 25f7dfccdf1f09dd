/**
 * Endpoints for the signed-in user: identity, current workspace, and switching the workspace (accounts API, /me and
 * /switch-workspace).
 */

import type { BodyOf } from '../../../../shared/contract/endpoint.ts';
import { ApiError, badRequest, forbidden, notFound } from '../../../../shared/contract/errors.ts';
import type { AccessibleWorkspace, Me, updateMe } from '../../../../shared/contract/people/auth.ts';
import { isLanguage } from '../../../../shared/contract/people/language.ts';
import type { Database } from '../../../db/database.ts';
import { type Clock, seconds } from '../../../kernel/time/clock.ts';
import { isOver } from '../../../kernel/time/window.ts';
import type { Actor, PlatformRole } from '../../../kernel/trust/actor.ts';
import type { AccountLog } from '../account-log.ts';
import type { PlaceRow } from '../sign-in/actor.store.ts';
import { rightsAt, roleAt } from '../sign-in/actor-source.ts';
import type { Lockout } from '../sign-in/lockout.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { UserChange, UserRow, UsersStore } from './users.store.ts';
import { toUser } from './users.view.ts';

/**
 * Personal access tokens of a user (features/workspaces). `within`: only tokens of this organization; null: all
 * tokens.
 */
export interface PersonalTokens {
  /** Returns the number of valid tokens. */
  countOf(userId: string, within: string | null): number;
  /** Called within a write transaction. */
  revokeAllOf(userId: string, by: { actor: Actor; within: string | null }): void;
}

/** Time after a sign-in in which no further proof is needed. */
const PROVEN_SECONDS = 15 * 60;

export class ProfileService {
  readonly #deps;

  constructor(deps: {
    db: Database;
    clock: Clock;
    users: UsersStore;
    sessions: Sessions;
    passwords: Passwords;
    lockout: Lockout;
    log: AccountLog;
    tokens: PersonalTokens;
    /** Returns whether the workspace exists, regardless of the user's access. */
    workspaces: { exists(id: string): boolean };
    options: { readonly hosted: boolean; readonly headquarters: boolean };
  }) {
    this.#deps = deps;
  }

  me(actor: Actor): Me {
    const { users, tokens, sessions, options } = this.#deps;
    const user = this.#user(actor);
    const places = sessions.places(user);
    const here = places.find((place) => place.workspace_id === actor.workspaceId);
    return {
      ...toUser(user),
      hide_billing: !options.hosted,
      current_workspace_id: here?.workspace_id ?? null,
      current_workspace: here
        ? { id: here.workspace_id, name: here.workspace_name, organization_id: here.organization_id }
        : null,
      current_organization: here ? { id: here.organization_id, name: here.organization_name } : null,
      current_workspace_role: here?.workspace_role ?? null,
      current_org_role: here?.organization_role ?? null,
      is_platform_admin: actor.platformRole === 'platform_admin',
      acting_as: here !== undefined && here.workspace_role === null,
      can_write: here !== undefined && roleAt(actor.platformRole, here) !== 'workspace_viewer',
      can_admin: here !== undefined && roleAt(actor.platformRole, here) === 'workspace_admin',
      ...rightsOf(actor.platformRole, here),
      accessible_workspaces: places.map((place) => toAccessible(actor.platformRole, place)),
      password_organization:
        user.password_organization_id === null
          ? null
          : { id: user.password_organization_id, name: users.organizationName(user.password_organization_id) ?? '' },
      live_tokens: tokens.countOf(user.id, actor.confinedTo),
      language: isLanguage(user.language) ? user.language : null,
      headquarters: options.headquarters,
    };
  }

  async update(actor: Actor, change: BodyOf<typeof updateMe>) {
    const { db, users, sessions, log, tokens } = this.#deps;
    const user = this.#user(actor);
    const password_hash =
      change.password === undefined ? undefined : await this.#newHash(user, change.password, change.current_password);
    return db.write(() => {
      const present = this.#user(actor);
      if (password_hash !== undefined && present.password_hash !== user.password_hash) throw wrongPassword();
      const set: UserChange = {
        ...(change.name !== undefined && { name: change.name }),
        ...(change.email_alerts !== undefined && { email_alerts: change.email_alerts }),
        ...(change.language !== undefined && { language: change.language }),
        ...(password_hash !== undefined && { password_hash, must_change_password: 0 }),
      };
      const changed = Object.keys(set).length > 0 ? users.update(user.id, set) : present;
      if (password_hash !== undefined) sessions.endAllOf(user.id, actor.credentialHash);
      else sessions.announce();
      if (change.revoke_tokens) tokens.revokeAllOf(user.id, { actor, within: actor.confinedTo });
      log.own(user, actor.ip, password_hash === undefined ? 'user.updated' : 'user.password_changed', user.email);
      const { id, email, name, role, auth_provider, avatar_url, plan_id, email_alerts, must_change_password } =
        toUser(changed);
      return { id, email, name, role, auth_provider, avatar_url, plan_id, email_alerts, must_change_password };
    });
  }

  switchTo(actor: Actor, workspaceId: string): { token: string; current_workspace_id: string } {
    const { db, sessions, workspaces } = this.#deps;
    const user = this.#user(actor);
    if (!workspaces.exists(workspaceId)) throw notFound('Workspace');
    if (!sessions.place(user, workspaceId))
      throw forbidden('You are not a member of this workspace. Ask one of its administrators for an invitation.');
    // Keeps the time of the last sign-in, because switching the workspace is no proof of identity.
    const since = sessions.since(actor.credentialHash);
    return db.write(() => ({
      token: sessions.openIn(user, workspaceId, since).token,
      current_workspace_id: workspaceId,
    }));
  }

  /**
   * Returns how the signed-in person proves their identity, so that nobody else acts at an unattended window. A recent
   * sign-in by password, second factor or provider is sufficient; users of a provider have no other proof.
   */
  proofOf(actor: Actor): 'none' | 'password' | 'sign_in' {
    const { sessions, clock } = this.#deps;
    const since = actor.via === 'session' ? sessions.since(actor.credentialHash) : undefined;
    const end = (since ?? 0) + PROVEN_SECONDS;
    if (!clock.doubtful && !isOver({ end, now: seconds(clock), length: PROVEN_SECONDS })) return 'none';
    return this.#user(actor).password_hash === null ? 'sign_in' : 'password';
  }

  /** @param password checked whenever it is given @throws ApiError 400, 401, 429 */
  async requireProof(actor: Actor, password: string | undefined): Promise<void> {
    const proof = this.proofOf(actor);
    if (proof === 'sign_in')
      throw new ApiError(401, 'You signed in more than 15 minutes ago. Sign in again, then repeat this.', {
        code: 'sign_in_again',
      });
    const user = this.#user(actor);
    if (password === undefined || user.password_hash === null) {
      if (proof === 'none') return;
      throw new ApiError(400, 'password: is required', { code: 'password_required' });
    }
    const { db, passwords, lockout } = this.#deps;
    if (await lockout.attempt(user.email, () => passwords.matches(user.password_hash, password))) return;
    await db.durable();
    throw new ApiError(401, 'password: is wrong', { code: 'wrong_password' });
  }

  async #newHash(user: UserRow, password: string, current: string | undefined): Promise<string> {
    const { db, passwords, lockout } = this.#deps;
    if (user.auth_provider !== 'local')
      throw badRequest('password: your password is managed by your sign-in provider; change it there');
    if (user.password_hash !== null) {
      if (current === undefined) throw badRequest('current_password: is required');
      const right = await lockout.attempt(user.email, () => passwords.matches(user.password_hash, current));
      if (!right) {
        await db.durable();
        throw wrongPassword();
      }
      if (user.must_change_password && password === current)
        throw badRequest('password: must differ from the password that you were given');
    }
    return passwords.hash(password);
  }

  #user(actor: Actor): UserRow {
    const user = this.#deps.users.find(actor.userId);
    if (!user) throw notFound('User');
    return user;
  }
}

const wrongPassword = () => new ApiError(401, 'current_password: is wrong', { code: 'wrong_password' });

const rightsOf = (platformRole: PlatformRole, here: PlaceRow | undefined): Pick<Me, 'rights' | 'needs_approval'> => {
  const { limits, regions, approves, needsApproval } = here
    ? rightsAt(roleAt(platformRole, here), here)
    : { limits: null, regions: null, approves: false, needsApproval: false };
  return {
    rights: {
      duty: limits?.duty ?? 'all',
      folder_ids: limits?.folderIds ? [...limits.folderIds] : null,
      group_ids: limits?.groupIds ? [...limits.groupIds] : null,
      regions: regions && [...regions],
      approves,
    },
    needs_approval: needsApproval,
  };
};

const toAccessible = (platformRole: PlatformRole, place: PlaceRow): AccessibleWorkspace => ({
  id: place.workspace_id,
  name: place.workspace_name,
  organization_id: place.organization_id,
  organization_name: place.organization_name,
  workspace_role: place.workspace_role,
  device_count: place.device_count,
  can_admin: roleAt(platformRole, place) === 'workspace_admin',
});
