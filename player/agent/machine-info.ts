/** Answers telemetry's questions: most from Node; drivers are asked elsewhere. */
import { cpus, freemem, totalmem, uptime } from 'node:os';
import type { Hardware } from './hardware.worker.ts';
import { addressesTowards } from './interfaces.ts';
import type { MachineInfo } from './telemetry.ts';

interface Asked {
  /** The server being talked to; null: none. */
  readonly serverHost: () => string | null;
  /** Of the disk on which the player keeps its files. */
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

/** Percent for which the cores were busy since the last reading. */
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
