/** Data for the telemetry. Node supplies most values; a separate process reads the drivers. */
import { cpus, freemem, totalmem, uptime } from 'node:os';
import type { Hardware } from './hardware.worker.ts';
import { addressesTowards } from './interfaces.ts';
import type { MachineInfo } from './telemetry.ts';

interface Asked {
  /** Host of the connected server; null: none. */
  readonly serverHost: () => string | null;
  /** Space on the disk of the player's files. */
  readonly space: MachineInfo['storage'];
  readonly hardware: () => Promise<Hardware>;
}

export const machineInfo = ({ serverHost, space, hardware }: Asked): MachineInfo => {
  const load = new LoadMeter();
  return {
    hardware,
    storage: space,
    memory: async () => ({ total: totalmem(), available: freemem() }),
    load: async () => load.read(),
    uptime: async () => uptime(),
    addresses: async () => addressesTowards(serverHost()),
  };
};

/** Percentage of busy core time since the last reading. */
class LoadMeter {
  #before = coreTimes();

  read(): number {
    const now = coreTimes();
    const [all, idle] = [now.all - this.#before.all, now.idle - this.#before.idle];
    this.#before = now;
    return (1 - idle / all) * 100;
  }
}

const coreTimes = (): { readonly all: number; readonly idle: number } => {
  const times = cpus().map((core) => core.times);
  return { all: sum(times.flatMap(Object.values)), idle: sum(times.map(({ idle }) => idle)) };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
