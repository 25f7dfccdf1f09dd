/**
 * Event bus. Announces saved changes to their listeners once they are on disk. An error in a listener does not affect
 * the next listener.
 */
import type { ActivityAction } from '../../shared/contract/server/activity.ts';
import type { Topic } from '../../shared/protocol/live.ts';

export interface Change {
  readonly workspaceId: string;
  readonly topic: Topic;
  /** Ids of the changed records; undefined: any record of the topic may have changed. */
  readonly ids?: readonly string[];
  /** Whether the change may affect what screens show, for topics from which programs are compiled. @default true */
  readonly screens?: boolean;
  /** Id of the user who made the change. Null for the system or a device. */
  readonly by?: string | null;
  /** Id of the admin window in which the change was made. */
  readonly window?: string | undefined;
}

export type Events = {
  changed: [change: Change];
  /**
   * Emitted when an activity that names its record was saved. `by` is the name of the person; empty for the system.
   */
  acted: [
    act: {
      workspaceId: string;
      action: ActivityAction;
      record: { readonly id: string; readonly name: string };
      by: string;
    },
  ];
  workspaceGone: [workspaceId: string];
  /** Credentials, roles or memberships changed, so cached actors must be discarded. */
  accountsChanged: [];
  /** The server clock has been untrusted for a while. `problem` describes the situation. */
  clockDoubtful: [problem: string];
  /** The clock is trusted again after the event that said that it was untrusted. `why` gives the reason. */
  clockSure: [why: string];
  presence: [device: { deviceId: string; workspaceId: string; status: 'online' | 'offline' }];
  /** A player reported the state of an overlay. Sent as soon as the report arrives. */
  overlay: [
    said: { deviceId: string; pip_id: string; status: 'shown' | 'failed' | 'cleared'; error?: string | undefined },
  ];
  /** A device was deleted. Listeners notify its player at once. */
  deviceRemoved: [device: { deviceId: string; workspaceId: string }];
};

type Listener<K extends keyof Events> = (...args: Events[K]) => void;

export class Bus {
  readonly #listeners: { [K in keyof Events]?: Listener<K>[] } = {};
  readonly #onError: (event: string, error: unknown) => void;

  constructor(onError: (event: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns a function that ends the subscription. */
  on<K extends keyof Events>(event: K, listener: Listener<K>): () => void {
    const list = (this.#listeners[event] ??= []) as Listener<K>[];
    list.push(listener);
    return () => {
      const at = list.indexOf(listener);
      if (at >= 0) list.splice(at, 1);
    };
  }

  emit<K extends keyof Events>(event: K, ...args: Events[K]): void {
    for (const listener of [...((this.#listeners[event] ?? []) as Listener<K>[])]) {
      try {
        listener(...args);
      } catch (error) {
        this.#onError(event, error);
      }
    }
  }
}

/**
 * Announces a change when it is saved. Called within the write transaction that makes the change.
 * @param by.userId is
 * null for the system or a device
 */
export const announce = (
  { db, bus }: { readonly db: { afterCommit(work: () => void): void }; readonly bus: Bus },
  { workspaceId, userId, window }: Pick<Change, 'workspaceId' | 'window'> & { readonly userId: string | null },
  change: Omit<Change, 'workspaceId' | 'by' | 'window'>,
): void => db.afterCommit(() => bus.emit('changed', { workspaceId, by: userId, ...(window && { window }), ...change }));
