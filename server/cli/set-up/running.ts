/**
 * Finds and ends processes that run from a folder. A process whose files are removed would continue to show old
 * content.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { windowsSystem } from '../../../shared/desktop/system-words.ts';

export interface Running {
  readonly pid: number;
  readonly program: string;
  readonly line: string;
}

const Processes = z.array(
  z.object({ ProcessId: z.number(), ExecutablePath: z.string().nullable(), CommandLine: z.string().nullable() }),
);
const PROCESSES =
  'ConvertTo-Json -Compress @(Get-CimInstance Win32_Process | Select-Object ProcessId,ExecutablePath,CommandLine)';

const onLinux = (): Running[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // Linux appends ` (deleted)` to the path of a running program whose file was removed, for example by an
        // upgrade.
        const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
        return [
          { pid: Number(pid), program, line: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') },
        ];
      } catch {
        return [];
      }
    });

const onMac = (): Running[] =>
  execFileSync('/bin/ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((row) => {
      const [, pid, line = ''] = /^\s*(\d+) (.*)$/.exec(row) ?? [];
      return pid ? [{ pid: Number(pid), program: line, line }] : [];
    });

const onWindows = (): Running[] => {
  const powershell = `${windowsSystem(process.env)}\\WindowsPowerShell\\v1.0\\powershell.exe`;
  const said = execFileSync(powershell, ['-NoProfile', '-NonInteractive', '-Command', PROCESSES], {
    encoding: 'utf8',
    windowsHide: true,
    maxBuffer: 64 * 1024 * 1024,
  });
  return Processes.parse(JSON.parse(said)).map((each) => ({
    pid: each.ProcessId,
    program: each.ExecutablePath ?? '',
    line: each.CommandLine ?? '',
  }));
};

export const running = (platform: NodeJS.Platform = process.platform): readonly Running[] =>
  platform === 'win32' ? onWindows() : platform === 'darwin' ? onMac() : onLinux();

/** Compares paths, on Windows ignoring case. */
const isBeneath = (folder: string, program: string, platform: NodeJS.Platform): boolean => {
  const [within, path] =
    platform === 'win32' ? [`${folder}\\`.toLowerCase(), program.toLowerCase()] : [`${folder}/`, program];
  return path.startsWith(within);
};

/**
 * @param options.script limits the result to processes with this text in their command line
 * @param options.besides excludes this process and its parent
 */
export const runningIn = (
  all: readonly Running[],
  folder: string,
  {
    script,
    besides,
    platform = process.platform,
  }: { readonly script?: string | undefined; readonly besides: readonly number[]; readonly platform?: NodeJS.Platform },
): readonly number[] =>
  all
    .filter(
      ({ pid, program, line }) =>
        !besides.includes(pid) &&
        isBeneath(folder, program, platform) &&
        (script === undefined || line.includes(script)),
    )
    .map(({ pid }) => pid);

const LOOK_EVERY_MS = 100;

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/**
 * Asks processes to end where the system supports this, and kills them when they have not ended after a while. Resolves
 * with the number of processes that were found.
 */
export const end = async (find: () => readonly number[], withinMs: number): Promise<number> => {
  const asked = new Set<number>();
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const left = find();
    if (left.length === 0) return asked.size;
    for (const pid of left) {
      if (waited >= withinMs) signal(pid, 'SIGKILL');
      else if (!asked.has(pid)) signal(pid, 'SIGTERM');
      asked.add(pid);
    }
    // Processes of other users that this user may not end are not waited for.
    if (waited > withinMs) return asked.size;
    await wait(LOOK_EVERY_MS);
  }
};
