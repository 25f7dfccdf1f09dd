/** systeminformation behind the questions telemetry asks. Loaded when first asked: it takes 40 ms that the first picture need not wait for. */
import { uptime } from 'node:os';
import type * as SystemInformation from 'systeminformation';
import { addressesBeside, localAddressTowards } from './interfaces.ts';
import type { MachineInfo } from './telemetry.ts';
import { keepToPath } from './windows-programs.ts';

const load = () => {
  keepToPath(process.platform, process.env);
  return import('systeminformation').then((module) => module.default as typeof SystemInformation);
};

/** `serverHost`: the server being talked to; null: none. */
export const machineInfo = (serverHost: () => string | null): MachineInfo => ({
  wifi: async () => (await load()).wifiConnections(),
  wireless: async () => {
    const found = await (await load()).networkInterfaces();
    return (Array.isArray(found) ? found : [found]).filter((each) => each.type === 'wireless').map((each) => each.iface);
  },
  battery: async () => (await load()).battery(),
  storage: async () => (await load()).fsSize(),
  memory: async () => (await load()).mem(),
  load: async () => (await load()).currentLoad(),
  uptime: async () => uptime(),
  addresses: async () => {
    const host = serverHost();
    return addressesBeside(host ? await localAddressTowards(host) : null);
  },
});
