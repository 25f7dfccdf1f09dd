import type { LRUCache } from 'lru-cache';
import { isStillLoading } from '../../shared/protocol/still-loading.ts';
import { withoutBrowserWords } from '../../shared/sentences/browser-words.ts';
import { announce } from '../kernel/bus.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { plainText } from './telemetry.ts';
import type { Wheel } from './wheel.ts';

/** The same fault again within this time says nothing new. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 5_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly wheel: Wheel;
}

/** Faults that players report, as entries of the activity log. What is only informative is not kept. */
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
    // Older players report a loading feed as a fault, too. A source that fails is reported by its own error.
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
