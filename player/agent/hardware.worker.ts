/** Entry of the process that asks this machine's drivers once: says what it found and ends. */
import { readFile } from 'node:fs/promises';
import * as systeminformation from 'systeminformation';
import { wirelessIn } from './interfaces.ts';
import { keepToPath } from './windows-programs.ts';

const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/**
 * The library starts twenty programs for each interface to know as much. Without wireless drivers there is no such
 * file.
 */
const wirelessOnLinux = async (): Promise<readonly string[]> =>
  wirelessIn(await readFile('/proc/net/wireless', 'utf8').catch(() => ''));

const wirelessElsewhere = async (): Promise<readonly string[]> => {
  const found = await systeminformation.networkInterfaces();
  return (Array.isArray(found) ? found : [found]).filter(({ type }) => type === 'wireless').map(({ iface }) => iface);
};

const ask = async () => {
  const [wireless, wifi, battery, temperature, memory] = await Promise.all([
    orNull(process.platform === 'linux' ? wirelessOnLinux() : wirelessElsewhere()),
    orNull(systeminformation.wifiConnections()),
    orNull(systeminformation.battery()),
    orNull(systeminformation.cpuTemperature()),
    // What Node calls free there leaves out all that can be had.
    process.platform === 'darwin' ? orNull(systeminformation.mem()) : null,
  ]);
  return {
    /** Interfaces that are wireless and up. */
    wireless,
    wifi: wifi?.map(({ iface, ssid, signalLevel }) => ({ iface, ssid, signalLevel })) ?? null,
    battery: battery && {
      hasBattery: battery.hasBattery,
      percent: battery.percent,
      isCharging: battery.isCharging,
      acConnected: battery.acConnected,
    },
    /** Of the processor, in °C; null: no sensor, or one that is not read without rights. */
    temperature: temperature?.main ?? null,
    /** Bytes; null: what Node says is good. */
    memory: memory && { total: memory.total, available: memory.available },
  };
};

/** As far as it is used. Anything may be missing or fail: drivers, rights, virtual machines. */
export type Hardware = Partial<Awaited<ReturnType<typeof ask>>>;

keepToPath(process.platform, process.env);
process.send?.(await ask());
