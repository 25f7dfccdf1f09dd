import type { Actor } from '../../kernel/trust/actor.ts';
import type { LiveAuthenticate } from './live-gateway.ts';

/** Authenticates sessions and tokens as for an Authorization header (features/accounts). */
interface Actors {
  /** @throws ApiError 401 */
  actor(credential: string, ip: string): Actor;
}

/** Authenticates an admin window. Anybody who may read the workspace may receive its changes. */
export const liveAuthenticate =
  (actors: Actors): LiveAuthenticate =>
  (token, ip) => {
    let actor: Actor;
    try {
      actor = actors.actor(token, ip);
    } catch {
      return undefined;
    }
    const { workspaceId, workspaceRole, userId } = actor;
    if (workspaceId === null || workspaceRole === null || actor.mustChangePassword) return undefined;
    return { userId, workspaceId, editor: actor.via === 'session' && workspaceRole !== 'workspace_viewer' };
  };
