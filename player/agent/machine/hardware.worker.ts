/** Entry of the process that reads this machine's drivers once, reports the result and ends. */
import { readFile } from 'node:fs/promises';
import * as systeminformation from 'systeminformation';
import { wirelessIn } from './interfaces.ts';
import { requireFullPaths } from './windows-programs.ts';

const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/**
 * Reads the list of wireless interfaces from a file of Linux, because the library would start twenty programs per
 * interface. Without wireless drivers the file does not exist.
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
    // On macOS, Node's value for free memory excludes most of the available memory, so the library's value is used.
    process.platform === 'darwin' ? orNull(systeminformation.mem()) : null,
  ]);
  return {
    /** Names of the wireless interfaces that are active. */
    wireless,
    wifi: wifi?.map(({ iface, ssid, signalLevel }) => ({ iface, ssid, signalLevel })) ?? null,
    battery: battery && {
      hasBattery: battery.hasBattery,
      percent: battery.percent,
      isCharging: battery.isCharging,
      acConnected: battery.acConnected,
    },
    /** Temperature of the processor in °C; null: no sensor, or no permission. */
    temperature: temperature?.main ?? null,
    /** Memory in bytes; null: the memory values of Node are correct on this system. */
    memory: memory && { total: memory.total, available: memory.available },
  };
};

/** The fields that the player uses. Any field may be missing because of drivers, permissions or virtual machines. */
export type Hardware = Partial<Awaited<ReturnType<typeof ask>>>;

requireFullPaths(process.platform, process.env);
process.send?.(await ask());
