/**
 * Detects screens that have been offline for longer than the configured time, and screens that return. Reports each
 * change once.
 */

import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { DarkScreen } from '../notices/notice-mails.ts';
import type { Notices } from '../notices/notices.ts';
import type { KnownScreen, UpkeepStore } from '../upkeep.store.ts';
import type { UpkeepSettings } from '../upkeep-settings.ts';

const LOOK_EVERY_MS = 60_000;
/** Time in seconds after the start of the server in which players reconnect, so that no screen is reported. */
const GRACE_S = 180;
const KEY = 'dark_screens';

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly store: UpkeepStore;
  readonly settings: UpkeepSettings;
  readonly isOnline: (deviceId: string) => boolean;
  readonly notices: Pick<Notices, 'dark' | 'back'>;
}

export class DarkWatch implements Lifecycle {
  readonly name = 'dark-watch';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  /**
   * Screens already reported, by id, with the start of the outage (epoch seconds). Stored across restarts, so that
   * nothing is reported twice.
   */
  #told: Map<string, number> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#startedAt = seconds(this.#deps.clock);
    this.#timer = setInterval(() => this.check(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  check(): void {
    const { settings, clock, store, isOnline, notices, log, db } = this.#deps;
    const minutes = settings.values.dark_minutes;
    const now = seconds(clock);
    if (minutes === 0 || clock.doubtful || now - this.#startedAt < GRACE_S) return;
    try {
      const told = (this.#told ??= new Map(Object.entries((store.find(KEY) ?? {}) as Record<string, number>)));
      const screens = store.screens();
      const back = screens.filter(({ id }) => told.has(id) && isOnline(id));
      const fresh = screens.filter(
        ({ id, last_heartbeat }) =>
          last_heartbeat !== null &&
          last_heartbeat <= now - minutes * 60 &&
          !isOnline(id) &&
          told.get(id) !== last_heartbeat,
      );
      const gone = [...told.keys()].filter((id) => !screens.some((screen) => screen.id === id));
      if (back.length + fresh.length + gone.length === 0) return;
      notices.back(back.map((screen) => darkOf(screen, told.get(screen.id)!)));
      if (fresh.length > 0) {
        notices.dark(
          fresh.map((screen) => darkOf(screen, screen.last_heartbeat!)),
          minutes,
        );
        log.warn('screens are dark', { screens: fresh.map(({ name }) => name) });
      }
      for (const id of [...gone, ...back.map((screen) => screen.id)]) told.delete(id);
      for (const { id, last_heartbeat } of fresh) told.set(id, last_heartbeat!);
      db.write(() => store.put(KEY, Object.fromEntries(told)));
    } catch (error) {
      log.warn('Dark screens could not be looked for', { error });
    }
  }
}

const darkOf = ({ id, name, workspace_id }: KnownScreen, since: number): DarkScreen => ({
  id,
  name,
  workspace_id,
  since,
});
