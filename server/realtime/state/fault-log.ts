import type { LRUCache } from 'lru-cache';
import { FaultSubject } from '../../../shared/protocol/fault-subject.ts';
import { isStillLoading } from '../../../shared/protocol/still-loading.ts';
import { withoutBrowserWords } from '../../../shared/sentences/browser-words.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { Wheel } from '../wheel.ts';
import type { OpenFaults, Subject } from './open-faults.ts';
import { plainText } from './telemetry.ts';

/** Time in milliseconds after which the same fault is logged again. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 5_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly wheel: Wheel;
  readonly open: Pick<OpenFaults, 'open' | 'end'>;
}

interface Device {
  readonly id: string;
  readonly workspaceId: string;
}

type Level = 'info' | 'warn' | 'error';

/** Returns the item that a `log` message is about; undefined: the message is not about an item. */
export const subjectOf = (detail: unknown): Subject => FaultSubject.safeParse(detail).data;

// Returns the message without the error text of the browser, which older players send.
const wordsOf = (message: string): string => plainText(withoutBrowserWords(message), 500);

/** Stores faults that players report in the activity log, and tracks which faults are open. */
export class PlayerFaults {
  readonly #deps: Deps;
  readonly #said: LRUCache<string, true>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#said = recent(MAX_REMEMBERED, { ttl: REPEAT_MS, perf: deps.wheel });
  }

  /**
   * Opens a fault of the device, or ends a fault: a message of level `info` about an item means that the item plays
   * again.
   */
  note({ id }: Device, level: Level, message: string, subject?: Subject): void {
    const { open } = this.#deps;
    if (level === 'info') {
      if (subject) open.end(id, subject);
      // Ignores reports of older players about a feed that is still loading. If the source fails, the player also
      // reports an error.
    } else if (!isStillLoading(message)) open.open(id, { level, message: wordsOf(message), subject });
  }

  /** Updates the open faults with the message, and adds a fault to the activity log. */
  add(device: Device, level: Level, message: string, subject?: Subject): void {
    this.note(device, level, message, subject);
    if (level === 'info' || isStillLoading(message)) return;
    const details = wordsOf(message);
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

  /** Called when the device shows the newest program. Ends the fault about the program. */
  programTaken(deviceId: string): void {
    this.#deps.open.end(deviceId, 'program');
  }
}
