/** Lists what is told to the outside: webhook, MQTT, mail. */
import type { Storage } from '../../../shared/contract/upkeep.ts';

export interface Screen {
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
  /** Id of what it is about; of the server the code of its problem. */
  readonly ref: string;
  readonly name: string;
  /** Null: it is the server's. */
  readonly workspace_id: string | null;
  /** In ISO 8601, UTC. */
  readonly since: string;
}

/** So many stand in one notice; `count` says how many there are. */
export const MOST_LISTED = 100;

interface DarkFacts extends Screen {
  readonly offline_since: string;
}

export type EventFacts =
  /** With `screens` where there were so many at once that they are told together: `screen` is the first of them. */
  | {
      readonly type: 'screen.online' | 'screen.offline';
      readonly screen: Screen;
      readonly screens?: readonly Screen[];
      readonly count?: number;
    }
  /** Tells of a screen that was offline for longer than was chosen, and is back after that. With `screens` as above. */
  | {
      readonly type: 'screen.dark' | 'screen.back';
      readonly screen: Screen;
      readonly offline_since: string;
      readonly screens?: readonly DarkFacts[];
      readonly count?: number;
    }
  /** All of a minute; `alert` is the first of them. */
  | {
      readonly type: 'alert.raised' | 'alert.ended';
      readonly alert: AlertFacts;
      readonly alerts: readonly AlertFacts[];
      readonly count: number;
    }
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
