/**
 * Live state of the screens. Values that change fast arrive as patches and are stored here; values that change
 * slowly are in the query cache. A component subscribes to one screen, so that a thousand heartbeats render a
 * thousand small components again, and no whole page.
 */
import type { DevicePatch, PatchOfDevice } from '../../../shared/protocol/live.ts';

export type Connection = 'connecting' | 'open' | 'lost';

const EMPTY: DevicePatch = {};

export class LiveStore {
  #connection: Connection = 'connecting';
  readonly #devices = new Map<string, DevicePatch>();
  /**
   * Statuses of all screens. The map is replaced only when a status changes, so that a heartbeat does not cause a
   * new count of screens.
   */
  #statuses: ReadonlyMap<string, 'online' | 'offline'> = new Map();
  readonly #deviceListeners = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<() => void>();

  connection = (): Connection => this.#connection;
  device = (id: string): DevicePatch => this.#devices.get(id) ?? EMPTY;
  statuses = (): ReadonlyMap<string, 'online' | 'offline'> => this.#statuses;

  /** Calls the listener when the connection or a status changes. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  subscribeDevice(id: string, listener: () => void): () => void {
    const set = this.#deviceListeners.get(id) ?? new Set();
    this.#deviceListeners.set(id, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#deviceListeners.delete(id);
    };
  }

  setConnection(connection: Connection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#tell(this.#listeners);
  }

  patch(patches: readonly PatchOfDevice[]): void {
    const statuses = new Map<string, 'online' | 'offline'>();
    for (const { device_id: id, ...patch } of patches) {
      const before = this.device(id);
      const telemetry = patch.telemetry ? { telemetry: { ...before.telemetry, ...patch.telemetry } } : {};
      this.#devices.set(id, { ...before, ...patch, ...telemetry });
      if (patch.status && patch.status !== before.status) statuses.set(id, patch.status);
    }
    if (statuses.size > 0) {
      this.#statuses = new Map([...this.#statuses, ...statuses]);
      this.#tell(this.#listeners);
    }
    for (const { device_id: id } of patches) {
      const listeners = this.#deviceListeners.get(id);
      if (listeners) this.#tell(listeners);
    }
  }

  /**
   * Deletes all live state. Called after a lost connection, because the state may be outdated, and after a change of
   * the workspace.
   */
  forget(): void {
    if (this.#devices.size === 0) return;
    this.#devices.clear();
    this.#statuses = new Map();
    this.#tell(this.#listeners);
    for (const listeners of [...this.#deviceListeners.values()]) this.#tell(listeners);
  }

  #tell(listeners: Iterable<() => void>): void {
    for (const listener of [...listeners]) listener();
  }
}

export const liveStore = new LiveStore();
