import type { LRUCache } from 'lru-cache';
import { isStillLoading } from '../../shared/protocol/still-loading.ts';
import { withoutBrowserWords } from '../../shared/sentences/browser-words.ts';
import { announce } from '../kernel/bus.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { plainText } from './telemetry.ts';
import type { Wheel } from './wheel.ts';

/** The same fault is logged again only after this time. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 5_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly wheel: Wheel;
}

/** Writes faults reported by players to the activity log. Messages of level `info` are dropped. */
export class PlayerFaults {
  readonly #deps: Deps;
  readonly #said: LRUCache<string, true>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#said = recent(MAX_REMEMBERED, { ttl: REPEAT_MS, perf: deps.wheel });
  }

  add(
    device: { readonly id: string; readonly workspaceId: string },
    level: 'info' | 'warn' | 'error',
    message: string,
  ): void {
    // Older players also report a loading feed as a fault. A failing source is reported by a separate error.
    if (level === 'info' || isStillLoading(message)) return;
    const details = plainText(withoutBrowserWords(message), 500);
    const key = `${device.id} ${details}`;
    if (this.#said.has(key)) return;
    this.#said.set(key, true);
    this.#deps.db.write(() => {
      this.#deps.activity.add({
        workspaceId: device.workspaceId,
        actor: null,
        action: level === 'error' ? 'device.error' : 'device.warning',
        details,
        deviceId: device.id,
      });
      announce(this.#deps, { workspaceId: device.workspaceId, userId: null }, { topic: 'activity' });
    });
  }
}
