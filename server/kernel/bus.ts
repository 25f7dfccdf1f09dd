/** Announces what was saved, once it is on disk, to whoever reacts to it. One bad listener cannot hurt the next. */
import type { ActivityAction } from '../../shared/contract/activity.ts';
import type { Topic } from '../../shared/protocol/live.ts';

export interface Change {
  readonly workspaceId: string;
  readonly topic: Topic;
  /** Lists the records concerned. Without it, any of the topic may be. */
  readonly ids?: readonly string[];
  /** Says, of what programs are made of, whether screens may show something else now. @default true */
  readonly screens?: boolean;
  /** Names who did it; null is the system or a device. */
  readonly by?: string | null;
  /** Names the admin window in which it was done. */
  readonly window?: string | undefined;
}

export type Events = {
  changed: [change: Change];
  /** An activity that names its record was saved. `by` is the name of the person, empty for the system. */
  acted: [
    act: {
      workspaceId: string;
      action: ActivityAction;
      record: { readonly id: string; readonly name: string };
      by: string;
    },
  ];
  workspaceGone: [workspaceId: string];
  /** Says that credentials, roles or memberships changed, so that what was remembered about actors is stale. */
  accountsChanged: [];
  /** Says that the clock of the server has been doubted for a while; the sentence tells how it stands. */
  clockDoubtful: [problem: string];
  /** Says that a doubt that was told is over; the sentence tells why. */
  clockSure: [why: string];
  presence: [device: { deviceId: string; workspaceId: string; status: 'online' | 'offline' }];
  /** Says what a player makes of an overlay, as soon as it is heard. */
  overlay: [
    said: { deviceId: string; pip_id: string; status: 'shown' | 'failed' | 'cleared'; error?: string | undefined },
  ];
  /** Says that a device was deleted; its player is to be told at once. */
  deviceRemoved: [device: { deviceId: string; workspaceId: string }];
};

type Listener<K extends keyof Events> = (...args: Events[K]) => void;

export class Bus {
  readonly #listeners: { [K in keyof Events]?: Listener<K>[] } = {};
  readonly #onError: (event: string, error: unknown) => void;

  constructor(onError: (event: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns what ends the subscription. */
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
 * Announces a change once it is saved. Called within the write that makes it.
 * @param by.userId is null for the system or a device
 */
export const announce = (
  { db, bus }: { readonly db: { afterCommit(work: () => void): void }; readonly bus: Bus },
  { workspaceId, userId, window }: Pick<Change, 'workspaceId' | 'window'> & { readonly userId: string | null },
  change: Omit<Change, 'workspaceId' | 'by' | 'window'>,
): void => db.afterCommit(() => bus.emit('changed', { workspaceId, by: userId, ...(window && { window }), ...change }));
