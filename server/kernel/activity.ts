import type { ActivityAction } from '../../shared/contract/server/activity.ts';
import { announce } from './bus.ts';
import type { Actor } from './trust/actor.ts';

/**
 * Interface through which features write to the activity log. Called inside the write transaction that the entry
 * describes, so that both are saved or neither.
 */
export interface ActivityLog {
  add(entry: {
    readonly workspaceId: string;
    /** User; null for the system or a device. */
    readonly actor: Pick<Actor, 'userId' | 'userName' | 'ip'> | null;
    readonly action: ActivityAction;
    /** Text that names the changed record, for people. Never contains a secret. */
    readonly details: string;
    readonly deviceId?: string | null;
    /** The changed record. If set, the activity is also announced on the bus (`acted`) after the commit. */
    readonly record?: { readonly id: string; readonly name: string };
  }): void;
}

/** Records and announces a change of the server's settings. Called within the write transaction that changes them. */
export const settingsChanged = (
  deps: Parameters<typeof announce>[0] & { readonly activity: ActivityLog },
  actor: Actor,
  details: string,
): void => {
  const workspaceId = actor.workspaceId ?? '';
  if (workspaceId) deps.activity.add({ workspaceId, actor, action: 'server.updated', details });
  announce(deps, { workspaceId, userId: actor.userId }, { topic: 'settings' });
};
