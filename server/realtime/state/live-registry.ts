/**
 * Live state of all devices: status, telemetry, content on screen. Kept in memory because it changes with every
 * heartbeat, and written in batches, one transaction for many devices. Readers use this state, so they see a heartbeat
 * at once. A power cut loses at most two seconds of telemetry.
 */
import type { ProgramState } from '../../../shared/contract/screens/devices.ts';
import type { DevicePatch } from '../../../shared/protocol/live.ts';
import type { PlayerMessage, Showing, SyncReport } from '../../../shared/protocol/messages.ts';
import { type TelemetryFields, telemetryOf } from '../../../shared/protocol/telemetry.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Wheel } from '../wheel.ts';
import type { LiveStore, PlayerInfo } from './live.store.ts';
import { changedTelemetry } from './telemetry.ts';
import { type Noted, UndatedStatus } from './undated-status.ts';

const FLUSH_MS = 2_000;
/** Maximum number of reports per device between two flushes. A player sends one per 15 s. */
const MAX_REPORTS = 20;
/**
 * Number of devices per flush whose stored history is thinned (older reports are deleted). All of 2,000 devices take 80
 * s.
 */
const SWEEPS_PER_FLUSH = 50;
const SWEEP_EVERY_S = 3_600;
/** Maximum number of status changes that wait to be written while the disk is full. */
const MAX_CHANGES = 100_000;

export interface Report extends TelemetryFields {
  readonly reported_at: number;
}

interface LiveDevice {
  readonly id: string;
  readonly workspaceId: string;
  status: 'online' | 'offline';
  /** Time of the last heartbeat in epoch seconds; null if there was none. */
  lastHeartbeat: number | null;
  telemetry: TelemetryFields;
  showing: readonly Showing[];
  /** Value that the device reported last. Null: the device is offline, or has not reported the value. */
  screenOn: boolean | null;
  sync: SyncReport | null;
  program: ProgramState | null;
  /** Data that the player sent at sign-in. */
  info: PlayerInfo;
  /** JSON text of the formats that its screen can play; null: not reported. */
  formats: string | null;
  /** Time of a screenshot taken since this entry was created; epoch seconds. */
  screenshotAt: number | null;
}

interface Entry extends LiveDevice {
  dirty: boolean;
  newInfo: boolean;
  newFormats: boolean;
  reports: Report[];
  sweptAt: number;
}

type Listener = (workspaceId: string, deviceId: string, patch: DevicePatch) => void;

const INFO_KEYS = ['platform', 'version', 'capabilities', 'screen_width', 'screen_height', 'ip_address'] as const;
const infoOf = (known: PlayerInfo): PlayerInfo =>
  Object.fromEntries(INFO_KEYS.map((key) => [key, known[key]])) as unknown as PlayerInfo;

/** Data from the device's row, as read at its first sign-in. */
type KnownDevice = TelemetryFields &
  PlayerInfo & {
    readonly id: string;
    readonly workspace_id: string;
    readonly last_heartbeat: number | null;
    readonly formats: string | null;
  };

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: LiveStore;
  readonly wheel: Wheel;
}

export class LiveRegistry implements Lifecycle {
  readonly name = 'live';
  readonly #deps: Deps;
  readonly #devices = new Map<string, Entry>();
  #dirty = new Set<Entry>();
  /**
   * Unwritten online and offline changes. Each contains its time on the clock of the timer wheel. The date is computed
   * when the change is written.
   */
  #changes: Noted[] = [];
  readonly #doubted: UndatedStatus;
  readonly #listeners: Listener[] = [];
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#doubted = new UndatedStatus(deps);
  }

  start(): void {
    const { db, store, wheel, bus } = this.#deps;
    // Devices that were online when the previous run of the server ended were last seen at their last heartbeat.
    db.write(() => store.closeForgotten(this.#doubted.closeEarlier()));
    this.#undo = [
      wheel.every(FLUSH_MS, () => this.flush()),
      bus.on('deviceRemoved', ({ deviceId }) => this.#forget(deviceId)),
      bus.on('workspaceGone', (workspaceId) => {
        for (const device of [...this.#devices.values()])
          if (device.workspaceId === workspaceId) this.#forget(device.id);
      }),
    ];
  }

  /** Marks all devices as offline, because their sockets are closed. */
  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    for (const device of this.#devices.values()) if (device.status === 'online') this.#note(device, 'offline');
    this.flush();
    if (!this.#deps.clock.doubtful) return;
    // While the clock is untrusted, only data without a date is saved.
    this.#attempt(() => {
      for (const device of this.#dirty) this.#deps.store.saveState(device.id, null, device.telemetry);
    });
  }

  get(deviceId: string): LiveDevice | undefined {
    return this.#devices.get(deviceId);
  }

  /** Calls the listener for every change. Returns a function that removes the listener. */
  onChange(listener: Listener): () => void {
    this.#listeners.push(listener);
    return () => this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  /** Marks a device as online. Returns whether its sign-in data has changed. */
  online(known: KnownDevice, info: PlayerInfo): boolean {
    const device = this.#devices.get(known.id) ?? this.#enter(known);
    const isNew = INFO_KEYS.some((key) => info[key] !== device.info[key]);
    if (isNew) {
      device.info = info;
      device.newInfo = true;
    }
    device.lastHeartbeat = seconds(this.#deps.clock);
    device.dirty = true;
    this.#dirty.add(device);
    if (device.status !== 'online') this.#note(device, 'online');
    return isNew;
  }

  offline(deviceId: string): void {
    const device = this.#devices.get(deviceId);
    if (!device || device.status === 'offline') return;
    device.showing = [];
    device.screenOn = device.sync = null;
    this.#note(device, 'offline');
  }

  heartbeat(deviceId: string, message: Extract<PlayerMessage, { type: 'heartbeat' }>): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    const now = seconds(this.#deps.clock);
    const patch: DevicePatch = { last_heartbeat: now };
    device.lastHeartbeat = now;
    device.dirty = true;
    this.#dirty.add(device);
    if (message.telemetry) {
      const changed = changedTelemetry(device.telemetry, message.telemetry);
      if (changed) {
        device.telemetry = { ...device.telemetry, ...changed };
        patch.telemetry = changed;
      }
      if (!this.#deps.clock.doubtful) device.reports.push({ ...device.telemetry, reported_at: now });
      if (device.reports.length > MAX_REPORTS) device.reports.shift();
    }
    if (message.showing) patch.showing = device.showing = message.showing;
    if (message.screen_on !== undefined) patch.screen_on = device.screenOn = message.screen_on;
    if (message.sync) patch.sync = device.sync = message.sync;
    const formats = message.formats && JSON.stringify(message.formats);
    if (formats && formats !== device.formats) {
      device.formats = formats;
      device.newFormats = true;
    }
    if (device.status !== 'online') this.#note(device, 'online');
    this.#announce(device, patch);
  }

  program(deviceId: string, program: ProgramState): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    device.program = program;
    this.#announce(device, { program });
  }

  screenshotTaken(deviceId: string, at: number): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    device.screenshotAt = at;
    this.#announce(device, { screenshot_at: at });
  }

  /** Writes pending changes of all devices, or of the device whose history is about to be read. */
  flush(deviceId?: string): void {
    const only = deviceId === undefined ? undefined : this.#devices.get(deviceId);
    if (deviceId !== undefined && !only) return;
    // If the disk is full, the history is returned without the pending changes.
    if (only && this.#deps.db.isHardPressed) return;
    // Writes no dates while the clock is untrusted. Wrong dates would permanently leave gaps and negative intervals in
    // histories.
    if (this.#deps.clock.doubtful) return this.#keep();
    if (this.#doubted.isOpen) this.#doubted.settle((work) => this.#attempt(work));
    if (this.#doubted.isOpen) return;
    const dirty = only ? [only].filter((device) => device.dirty) : [...this.#dirty];
    const changes = only ? this.#changes.filter((change) => change.deviceId === deviceId) : this.#changes;
    if (dirty.length === 0 && changes.length === 0) return;
    if (!this.#attempt(() => this.#write(dirty, changes))) return;
    this.#changes = only ? this.#changes.filter((change) => change.deviceId !== deviceId) : [];
    for (const device of dirty) {
      device.dirty = device.newInfo = device.newFormats = false;
      device.reports = [];
      this.#dirty.delete(device);
    }
    const lost = [...changes];
    this.#deps.db.durable()?.catch(() => this.#changes.unshift(...lost));
  }

  /** Stores changes until the time is known. Sign-in data has no date and is saved at once. */
  #keep(): void {
    const changes = this.#changes;
    const told = [...this.#dirty].filter((device) => device.newInfo || device.newFormats);
    if (told.length === 0 && this.#doubted.isKept(changes.length)) return;
    const online = [...this.#devices.values()].filter(({ status }) => status === 'online').map(({ id }) => id);
    const isKept = this.#attempt(() => {
      for (const device of told) {
        this.#deps.store.saveInfo(device.id, device.info);
        if (device.newFormats) this.#saveFormats(device);
      }
      this.#doubted.storeRow(changes, online);
    });
    if (!isKept) return;
    this.#changes = [];
    for (const device of told) device.newInfo = device.newFormats = false;
    this.#deps.db.durable()?.catch(() => this.#changes.unshift(...changes));
  }

  /** Writes. Returns false when the write failed because of a full disk; the next flush retries. */
  #attempt(work: () => void): boolean {
    try {
      this.#deps.db.write(work);
      return true;
    } catch (error) {
      this.#deps.log.warn('Telemetry could not be saved', { error });
      this.#changes = this.#changes.slice(-MAX_CHANGES);
      return false;
    }
  }

  #write(dirty: readonly Entry[], changes: readonly Noted[]): void {
    const { clock, store, wheel } = this.#deps;
    const now = seconds(clock);
    let sweeps = 0;
    for (const device of dirty) {
      if (!store.saveState(device.id, device.lastHeartbeat && Math.min(device.lastHeartbeat, now), device.telemetry))
        continue;
      if (device.newInfo) store.saveInfo(device.id, device.info);
      if (device.newFormats) this.#saveFormats(device);
      for (const report of device.reports) store.addReport(device.id, report);
      if (now - device.sweptAt >= SWEEP_EVERY_S && sweeps < SWEEPS_PER_FLUSH) {
        sweeps++;
        device.sweptAt = now;
        store.thinHistory(device.id, now);
      }
    }
    const zero = clock.now() - wheel.now();
    for (const { heard, ...change } of changes)
      store.changeStatus({ ...change, at: Math.floor((zero + heard) / 1000) });
  }

  /**
   * Saves the formats that a screen can play, and makes admin windows reload this information. Called within a write
   * transaction.
   */
  #saveFormats({ id, workspaceId, formats }: Entry): void {
    this.#deps.store.saveFormats(id, formats);
    announce(this.#deps, { workspaceId, userId: null }, { topic: 'devices', ids: [id], screens: false });
  }

  #enter(known: KnownDevice): Entry {
    const device: Entry = {
      id: known.id,
      workspaceId: known.workspace_id,
      status: 'offline',
      lastHeartbeat: known.last_heartbeat,
      telemetry: telemetryOf(known),
      showing: [],
      screenOn: null,
      sync: null,
      program: null,
      info: infoOf(known),
      formats: known.formats,
      screenshotAt: null,
      dirty: false,
      newInfo: false,
      newFormats: false,
      reports: [],
      sweptAt: 0,
    };
    this.#devices.set(device.id, device);
    return device;
  }

  #note(device: Entry, status: 'online' | 'offline'): void {
    device.status = status;
    this.#changes.push({ deviceId: device.id, status, heard: this.#deps.wheel.now() });
    this.#announce(
      device,
      status === 'online'
        ? { status, last_heartbeat: device.lastHeartbeat! }
        : { status, showing: [], screen_on: null },
    );
    this.#deps.bus.emit('presence', { deviceId: device.id, workspaceId: device.workspaceId, status });
  }

  #announce(device: Entry, patch: DevicePatch): void {
    for (const listener of this.#listeners) listener(device.workspaceId, device.id, patch);
  }

  #forget(deviceId: string): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    this.#devices.delete(deviceId);
    this.#dirty.delete(device);
    this.#changes = this.#changes.filter((change) => change.deviceId !== deviceId);
  }
}
