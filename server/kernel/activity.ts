import type { ActivityAction } from '../../shared/contract/activity.ts';
import type { Actor } from './actor.ts';

/**
 * What features tell the activity log. Called inside the write it describes, so that both are saved or neither. No
 * secrets in `details`.
 */
export interface ActivityLog {
  add(entry: {
    readonly workspaceId: string;
    /** Null: the system or a device. */
    readonly actor: Pick<Actor, 'userId' | 'userName' | 'ip'> | null;
    readonly action: ActivityAction;
    /** For people: the name of what was touched. */
    readonly details: string;
    readonly deviceId?: string | null;
  }): void;
}
