import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor } from '../../kernel/trust/actor.ts';

/** Logs and announces a change of access rights in a workspace. Called within the write transaction of the change. */
export const recordAccess = (
  deps: Pick<Parts, 'db' | 'bus' | 'activity'>,
  { workspaceId, actor }: { workspaceId: string; actor: Pick<Actor, 'userId' | 'userName' | 'ip'> },
  action: ActivityAction,
  details: string,
  change: { topic: Topic; ids?: readonly string[] },
): void => {
  deps.activity.add({ workspaceId, actor, action, details });
  deps.db.afterCommit(() => deps.bus.emit('accountsChanged'));
  announce(deps, { workspaceId, userId: actor.userId }, change);
};
