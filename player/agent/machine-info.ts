/** systeminformation behind the questions telemetry asks. Loaded when first asked: it takes 40 ms that the first picture need not wait for. */
import { uptime } from 'node:os';
import type * as SystemInformation from 'systeminformation';
import { addressesTowards } from './interfaces.ts';
import type { MachineInfo } from './telemetry.ts';
import { keepToPath } from './windows-programs.ts';

const load = () => {
  keepToPath(process.platform, process.env);
  return import('systeminformation').then((module) => module.default as typeof SystemInformation);
};

interface Asked {
  /** The server being talked to; null: none. */
  readonly serverHost: () => string | null;
  /** Of the disk on which the player keeps its files. */
  readonly space: MachineInfo['storage'];
}

export const machineInfo = ({ serverHost, space }: Asked): MachineInfo => ({
  wifi: async () => (await load()).wifiConnections(),
  wireless: async () => {
    const found = await (await load()).networkInterfaces();
    return (Array.isArray(found) ? found : [found]).filter((each) => each.type === 'wireless').map((each) => each.iface);
  },
  battery: async () => (await load()).battery(),
  storage: space,
  memory: async () => (await load()).mem(),
  load: async () => (await load()).currentLoad(),
  uptime: async () => uptime(),
  addresses: async () => addressesTowards(serverHost()),
});
