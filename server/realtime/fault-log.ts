import type { Database } from '../db/database.ts';
import type { ActivityLog } from '../kernel/activity.ts';
import type { Bus } from '../kernel/bus.ts';
import { plainText } from './telemetry.ts';
import type { Wheel } from './wheel.ts';

/** The same fault again within this time says nothing new. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 5_000;

/** Faults that players report, as entries of the activity log. What is only informative is not kept. */
export class PlayerFaults {
  readonly #db: Database;
  readonly #activity: ActivityLog;
  readonly #bus: Bus;
  readonly #wheel: Wheel;
  readonly #said = new Map<string, number>();

  constructor(deps: { db: Database; activity: ActivityLog; bus: Bus; wheel: Wheel }) {
    this.#db = deps.db;
    this.#activity = deps.activity;
    this.#bus = deps.bus;
    this.#wheel = deps.wheel;
  }

  add(device: { readonly id: string; readonly workspaceId: string }, level: 'info' | 'warn' | 'error', message: string): void {
    if (level === 'info') return;
    const details = plainText(message, 500);
    const key = `${device.id} ${details}`;
    const now = this.#wheel.now();
    const before = this.#said.get(key);
    if (before !== undefined && now - before < REPEAT_MS) return;
    this.#said.delete(key);
    this.#said.set(key, now);
    if (this.#said.size > MAX_REMEMBERED) this.#said.delete(this.#said.keys().next().value!);
    this.#db.write(() => {
      this.#activity.add({ workspaceId: device.workspaceId, actor: null, action: level === 'error' ? 'device.error' : 'device.warning', details, deviceId: device.id });
      this.#db.afterCommit(() => this.#bus.emit('changed', { workspaceId: device.workspaceId, topic: 'activity', screens: false, by: null }));
    });
  }
}
