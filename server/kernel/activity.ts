import type { ActivityAction } from '../../shared/contract/activity.ts';
import type { Actor } from './actor.ts';
import { announce } from './bus.ts';

/**
 * Takes what features tell the activity log. It is called inside the write it describes, so that both are saved or
 * neither.
 */
export interface ActivityLog {
  add(entry: {
    readonly workspaceId: string;
    /** Null for the system or a device. */
    readonly actor: Pick<Actor, 'userId' | 'userName' | 'ip'> | null;
    readonly action: ActivityAction;
    /** Names what was touched, for people. It never holds a secret. */
    readonly details: string;
    readonly deviceId?: string | null;
    /** The record that was changed. With it the activity is announced on the bus (`acted`) after the commit. */
    readonly record?: { readonly id: string; readonly name: string };
  }): void;
}

/** Records and announces that settings of the server were changed. Called within the write that changes them. */
export const settingsChanged = (
  deps: Parameters<typeof announce>[0] & { readonly activity: ActivityLog },
  actor: Actor,
  details: string,
): void => {
  const workspaceId = actor.workspaceId ?? '';
  if (workspaceId) deps.activity.add({ workspaceId, actor, action: 'server.updated', details });
  announce(deps, { workspaceId, userId: actor.userId }, { topic: 'settings' });
};
