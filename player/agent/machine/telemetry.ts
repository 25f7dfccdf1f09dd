/** Telemetry of the machine. Null: unknown on this platform, or no answer in time. */
import { MEGABYTE, type TelemetryFields } from '../../../shared/protocol/telemetry.ts';
import type { Time } from '../../core/ports.ts';
import type { Hardware } from './hardware.worker.ts';
import type { Addresses } from './interfaces.ts';

/** Functions that read the machine's data. Each function may fail. */
export interface MachineInfo {
  hardware(): Promise<Hardware>;
  /** Free and total bytes on the disk of the player's files. */
  storage(): Promise<{ readonly free: number; readonly total: number } | null>;
  memory(): Promise<{ readonly total: number; readonly available: number }>;
  /** Percentage of the busy time of all cores. */
  load(): Promise<number>;
  uptime(): Promise<number>;
  addresses(): Promise<Addresses>;
}

/** Time limit per value. A late answer is used by the next heartbeat. */
const WAIT_MS = 3_000;
/** Interval of values that start processes or read disks. Once a minute is enough. */
const SLOW_MS = 60_000;
const FAST_MS = 10_000;

/** The last answer of one function, and its time. */
interface Cell {
  value: unknown;
  at: number;
  running: Promise<void> | undefined;
}

interface Deps {
  readonly info: MachineInfo;
  readonly time: Time;
}

export class MachineTelemetry {
  readonly #deps: Deps;
  readonly #cells = new Map<keyof MachineInfo, Cell>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async read(): Promise<TelemetryFields> {
    const [hardware, storage, freeMemory, load, uptime, addresses] = await Promise.all([
      this.#ask('hardware', SLOW_MS),
      this.#ask('storage', SLOW_MS),
      this.#ask('memory', FAST_MS),
      this.#ask('load', FAST_MS),
      this.#ask('uptime', 0),
      this.#ask('addresses', FAST_MS),
    ]);
    const battery = hardware?.battery;
    const memory = hardware?.memory ?? freeMemory;
    return {
      local_ip: addresses?.ip4 ?? null,
      local_ip6: addresses?.ip6 ?? null,
      ...wifiOf(addresses?.name ?? null, hardware),
      battery_level: battery?.hasBattery ? Math.min(100, Math.max(0, Math.round(battery.percent))) : null,
      battery_charging: battery?.hasBattery ? Number(battery.isCharging || battery.acConnected) : null,
      storage_free_mb: whole(storage && storage.free / MEGABYTE),
      storage_total_mb: whole(storage && storage.total / MEGABYTE),
      ram_free_mb: whole(memory && memory.available / MEGABYTE),
      ram_total_mb: whole(memory && memory.total / MEGABYTE),
      cpu_usage: load !== undefined && Number.isFinite(load) ? Math.round(load * 10) / 10 : null,
      uptime_seconds: whole(uptime),
      temperature_c: degrees(hardware?.temperature),
    };
  }

  /**
   * Returns the last answer if it is fresh, otherwise a new answer if it arrives in time, otherwise the last answer.
   * Runs one call of each function at a time.
   */
  async #ask<K extends keyof MachineInfo>(
    what: K,
    fresh: number,
  ): Promise<Awaited<ReturnType<MachineInfo[K]>> | undefined> {
    const cell = this.#cells.get(what) ?? { value: undefined, at: Number.NEGATIVE_INFINITY, running: undefined };
    this.#cells.set(what, cell);
    if (this.#deps.time.mono() - cell.at >= fresh) {
      cell.running ??= this.#refresh(what, cell);
      const late = Promise.withResolvers<void>();
      const cancel = this.#deps.time.after(WAIT_MS, late.resolve);
      await Promise.race([cell.running, late.promise]);
      cancel();
    }
    return cell.value as Awaited<ReturnType<MachineInfo[K]>> | undefined;
  }

  async #refresh(what: keyof MachineInfo, cell: Cell): Promise<void> {
    try {
      cell.value = await this.#deps.info[what]();
    } catch {
      cell.value = undefined;
    }
    cell.at = this.#deps.time.mono();
    cell.running = undefined;
  }
}

/** Wi-Fi of the interface that reaches the server. `permission`: connected, but the system hides the name. */
function wifiOf(name: string | null, hardware: Hardware | undefined): Pick<TelemetryFields, 'wifi_ssid' | 'wifi_rssi'> {
  const connections = hardware?.wifi ?? [];
  const connection = connections.find((each) => each.iface === name) ?? (name === null ? connections[0] : undefined);
  if (!connection && !(name !== null && hardware?.wireless?.includes(name)))
    return { wifi_ssid: null, wifi_rssi: null };
  const ssid = connection?.ssid.trim().slice(0, 200) ?? '';
  const level = connection?.signalLevel;
  // Without the location permission macOS returns "<redacted>" and Windows an empty name.
  return {
    wifi_ssid: ssid === '' || ssid === '<redacted>' ? 'permission' : ssid,
    wifi_rssi: typeof level === 'number' && level < 0 ? Math.round(level) : null,
  };
}

/** Missing sensors return nothing, 0 or −1. */
const degrees = (value: number | null | undefined): number | null =>
  typeof value === 'number' && value > 0 && value <= 200 ? Math.round(value * 10) / 10 : null;

const whole = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null;
