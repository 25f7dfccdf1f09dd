/** Lists what is told to the outside: webhook, MQTT, mail. */
import type { Storage } from '../../../shared/contract/upkeep.ts';

interface Screen {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
}

interface PlayFacts {
  readonly id: string;
  readonly device_id: string;
  readonly device_name: string;
  readonly workspace_id: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly playlist_id: string | null;
  /** In ISO 8601, UTC. */
  readonly started_at: string;
  readonly ended_at: string;
  readonly completed: boolean;
}

interface AlertFacts {
  readonly id: string;
  readonly kind: string;
  /** Id of what it is about. */
  readonly ref: string;
  readonly name: string;
  readonly workspace_id: string;
  /** In ISO 8601, UTC. */
  readonly since: string;
}

export type EventFacts =
  | { readonly type: 'screen.online' | 'screen.offline'; readonly screen: Screen }
  /** Tells of a screen that was offline for longer than was chosen, and is back after that. */
  | { readonly type: 'screen.dark' | 'screen.back'; readonly screen: Screen; readonly offline_since: string }
  | { readonly type: 'alert.raised' | 'alert.ended'; readonly alert: AlertFacts }
  | { readonly type: 'plays'; readonly plays: readonly PlayFacts[] }
  | { readonly type: 'disk.low' | 'disk.full' | 'disk.ok'; readonly level: Storage['level']; readonly message: string }
  | {
      readonly type:
        | 'database.damaged'
        | 'disk.failing'
        | 'certificate.ends'
        | 'backup.failed'
        | 'update.stopped'
        | 'clock.doubtful'
        | 'clock.sure';
      readonly message: string;
    }
  | { readonly type: 'test'; readonly message: string };

export type Notice = EventFacts & {
  readonly id: string;
  /** In ISO 8601, UTC. */
  readonly at: string;
  readonly server: { readonly id: string; readonly name: string };
};

/** Where notices go. It never throws and never waits. */
export interface Outlet {
  send(notice: Notice): void;
}
