/** Checks whether an actor satisfies the access declaration of an endpoint. In case of doubt, access is refused. */
import type { Access, SessionRole } from '../../shared/contract/endpoint.ts';
import { forbidden, unauthorized } from '../../shared/contract/errors.ts';
import type { Actor, DeviceActor } from '../kernel/trust/actor.ts';

/**
 * Turns an Authorization header into an actor. Not called for public endpoints.
 * @throws 401 for a missing, unknown, expired or revoked credential
 */
export type Authenticate = (
  authorization: string | undefined,
  ip: string,
  access: Access,
) => Actor | DeviceActor | null;

const SCOPES = ['read', 'write', 'full'] as const;
const WORKSPACE_ROLES = ['workspace_viewer', 'workspace_editor', 'workspace_admin'] as const;

/** Returns the actor if access is allowed. @throws 401 or 403 otherwise */
export const permit = (access: Access, actor: Actor | DeviceActor | null): Actor | DeviceActor | null => {
  if (access.kind === 'public') return null;
  if (!actor) throw unauthorized();
  if (access.kind === 'device') {
    if (!('deviceId' in actor)) throw unauthorized('Only a paired player may do this');
    return actor;
  }
  if ('deviceId' in actor) throw unauthorized();
  if (access.kind === 'session') {
    if (actor.via !== 'session') throw unauthorized('A personal access token cannot do this; sign in');
    requireRole(actor, access.role);
    return actor;
  }
  if (SCOPES.indexOf(actor.scope) < SCOPES.indexOf(access.scope))
    throw forbidden(`This needs a token with scope ${access.scope}; yours has ${actor.scope}`);
  if (!actor.workspaceId)
    throw forbidden('You do not belong to a workspace yet. Ask for an invitation, or create a workspace.');
  requireRole(actor, access.scope === 'read' ? 'viewer' : 'editor');
  return actor;
};

const atLeast = (actor: Actor, role: (typeof WORKSPACE_ROLES)[number]) =>
  actor.workspaceRole !== null && WORKSPACE_ROLES.indexOf(actor.workspaceRole) >= WORKSPACE_ROLES.indexOf(role);

const holds: Record<SessionRole, (actor: Actor) => boolean> = {
  user: () => true,
  viewer: (a) => atLeast(a, 'workspace_viewer'),
  editor: (a) => atLeast(a, 'workspace_editor'),
  manager: (a) => atLeast(a, 'workspace_admin'),
  org_admin: (a) => a.organizationRole !== null || a.platformRole === 'platform_admin',
  admin: (a) => a.platformRole !== 'user' || a.organizationRole !== null || atLeast(a, 'workspace_admin'),
  platform_admin: (a) => a.platformRole === 'platform_admin',
};

const wording: Record<SessionRole, string> = {
  user: 'a signed-in user',
  viewer: 'a member of the workspace',
  editor: 'an editor of the workspace',
  manager: 'an administrator of the workspace',
  org_admin: 'an owner or administrator of the organization',
  admin: 'an administrator',
  platform_admin: 'an administrator of the server',
};

const requireRole = (actor: Actor, role: SessionRole): void => {
  if (!holds[role](actor)) throw forbidden(`Only ${wording[role]} may do this`);
};

/**
 * Returns the bearer token of an Authorization header. The scheme is case-insensitive (RFC 9110); a header with a valid
 * token has at most 500 characters.
 */
export const bearer = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined) return undefined;
  const space = authorization.indexOf(' ');
  if (space !== 6 || authorization.length > 500 || authorization.slice(0, 6).toLowerCase() !== 'bearer')
    return undefined;
  return authorization.slice(7).trim() || undefined;
};
