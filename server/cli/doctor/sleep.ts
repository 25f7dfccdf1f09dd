/** Finds out whether this machine may sleep while the server runs. Reads output of system programs in any language. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import { type Check, checkOf } from './check.ts';

const check = checkOf('machine');
const ANSWER_MS = 4_000;

/**
 * `never`: something keeps the machine awake, or it cannot sleep; `may`: nothing prevents sleep; undefined: unknown.
 */
export type Sleep = 'never' | 'may' | undefined;

interface LinuxSays {
  /** Content of `/sys/power/state`; undefined if the file cannot be read. */
  readonly states: string | undefined;
  /** Output of `systemctl is-enabled sleep.target`. */
  readonly target: string | undefined;
  /** Output of `systemd-inhibit --list --no-legend`. */
  readonly inhibitors: string | undefined;
}

export const linuxSleep = ({ states, target, inhibitors }: LinuxSays): Sleep => {
  if (target?.trim() === 'masked') return 'never';
  if (states !== undefined && !/\b(mem|standby|freeze|disk)\b/.test(states)) return 'never';
  if (inhibitors === undefined) return undefined;
  return inhibitors
    .split('\n')
    .some((line) => /\bVitrine\b/.test(line) && /\bsleep\b/.test(line) && /\bblock\b/.test(line))
    ? 'never'
    : 'may';
};

/** @param said output of `pmset -g` */
export const macSleep = (said: string): Sleep => {
  const line = /^\s*sleep\s+(\d+)(.*)$/m.exec(said);
  if (!line) return undefined;
  return line[1] === '0' || /prevented by[^)]*\bcaffeinate\b/.test(line[2]!) ? 'never' : 'may';
};

/**
 * @param said output of `powercfg /query SCHEME_CURRENT SUB_SLEEP STANDBYIDLE`, whose last two numbers are those of
 * mains and battery
 */
export const windowsSleep = (said: string): Sleep => {
  const [mains] = [...said.matchAll(/0x([0-9a-f]{8})\s*$/gim)].map((match) => Number.parseInt(match[1]!, 16)).slice(-2);
  return mains === undefined ? undefined : mains === 0 ? 'never' : 'may';
};

const REMEDY: Partial<Record<NodeJS.Platform, string>> = {
  linux: '"vitrine install-service server" keeps it awake; or turn sleep off in the settings of the computer.',
  darwin: '"vitrine install-service server" keeps it awake; or turn sleep off in System Settings, Energy.',
  win32: 'Turn sleep off in Settings, Power, or as administrator: powercfg /change standby-timeout-ac 0',
};

export const sleepCheck = (sleep: Sleep, platform: NodeJS.Platform): Check[] => {
  if (sleep === undefined) return [];
  if (sleep === 'never') return [check('ok', 'This computer does not fall asleep')];
  return [
    check(
      'warn',
      `This computer may fall asleep, and nobody can change anything on the screens then; they go on with what they have. ${REMEDY[platform] ?? ''}`.trim(),
    ),
  ];
};

const ask = async (program: string, ...args: readonly string[]): Promise<string | undefined> => {
  try {
    return (await promisify(execFile)(program, [...args], { timeout: ANSWER_MS, windowsHide: true })).stdout;
  } catch (error) {
    // `systemctl is-enabled` exits with an error code when it prints `masked`, so the output of the failed call is
    // used.
    const { stdout } = error as { stdout?: unknown };
    return typeof stdout === 'string' && stdout !== '' ? stdout : undefined;
  }
};

const statesOfLinux = (): string | undefined => {
  try {
    return readFileSync('/sys/power/state', 'utf8');
  } catch {
    return undefined;
  }
};

const ofThisMachine = async (): Promise<Sleep> => {
  if (process.platform === 'linux') {
    const [target, inhibitors] = await Promise.all([
      ask('systemctl', 'is-enabled', 'sleep.target'),
      ask('systemd-inhibit', '--list', '--no-legend', '--no-pager'),
    ]);
    return linuxSleep({ states: statesOfLinux(), target, inhibitors });
  }
  if (process.platform === 'darwin') return macSleep((await ask('/usr/bin/pmset', '-g')) ?? '');
  if (process.platform !== 'win32') return undefined;
  const powercfg = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'powercfg.exe');
  return windowsSleep((await ask(powercfg, '/query', 'SCHEME_CURRENT', 'SUB_SLEEP', 'STANDBYIDLE')) ?? '');
};

export const sleep = async (): Promise<Check[]> => sleepCheck(await ofThisMachine(), process.platform);
