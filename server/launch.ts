/**
 * Runs newer versions of the server: the installed version is their launcher. A newer version gets the same arguments
 * and terminal, and stops when this process is stopped. This process ends with the exit code of the newer version.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getHealth, workingVersion } from '../shared/contract/server/health.ts';
import { ProgramSays, type ShellSays, shellOf } from '../shared/protocol/shell.ts';
import { parseCommandLine } from './config.ts';
import { inspectDatabase } from './db/open.ts';
import { ROOT } from './kernel/place.ts';
import { DATABASE } from './upkeep/backup/archive.ts';
import { orderRestore } from './upkeep/restore/restore-order.ts';
import { VERSION } from './version.ts';
import { type Running, VersionLauncher } from './versions/launcher.ts';
import { nodeVersionNow } from './versions/node-version.ts';
import { launchedBy } from './versions/programs-folder.ts';
import { schemaIn, VersionFolder, type VersionProgram } from './versions/version-folder.ts';
import { nodeFor } from './versions/way.ts';

const HEALTH_MS = 2_000;

/**
 * Writes a line to stderr, which is the terminal or the log of the service. There is no other log before the server
 * runs.
 */
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/**
 * Runs another version if necessary. Resolves when the installed version is to run in this process; ends the process
 * otherwise.
 */
export const launch = async (data: string, args: readonly string[]): Promise<void> => {
  const command = parseCommandLine(args);
  if (command.kind !== 'serve') return;
  const { config } = command;
  const shell = shellOf(process);
  const folder = new VersionFolder(data);
  let child: { tell(message: ShellSays): void } | undefined;
  const launcher = new VersionLauncher({
    folder,
    installed: VERSION,
    trialMs: config.trial_seconds * 1000,
    start: (program, version) => {
      const started = startVersion(program, version, {
        args,
        host: config.host,
        hear: (message) => shell?.send(message),
      });
      child = started;
      return started;
    },
    makeFit: (version, program) => makeFit(data, folder, { version, root: program?.root ?? ROOT }),
    become: becomeOf(args),
    now: () => performance.now(),
    pause: (ms) => pause(ms),
    log: say,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => launcher.stop());
  shell?.listen((message) => (message.type === 'stop' ? launcher.stop() : child?.tell(message)));
  const how = await launcher.run();
  if (how !== 'serve') process.exit(how);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal);
};

const envOf = (): NodeJS.ProcessEnv => {
  // Leaves out NODE_COMPILE_CACHE, because each version has its own compile cache.
  const { NODE_COMPILE_CACHE: _ours, ...env } = process.env;
  return { ...env, ...launchedBy({ version: VERSION, root: ROOT }) };
};

/** Replaces this process by the program of a healthy version (exec), if the operating system supports this. */
const becomeOf = (args: readonly string[]): ((program: VersionProgram) => void) | undefined => {
  // Does not replace the process when its parent exchanges messages with it, because the new program could not continue
  // the exchange.
  if (process.platform === 'win32' || process.send || !process.execve) return undefined;
  return ({ node, main }) => {
    // Suppresses the warning that execve is experimental, which would be the first line in the log.
    process.removeAllListeners('warning');
    process.execve?.(node, [node, main, ...args], definedOnly(envOf()));
  };
};

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));

const startVersion = (
  { node, main }: VersionProgram,
  version: string,
  { args, host, hear }: { args: readonly string[]; host: string; hear: (message: ProgramSays) => void },
): Running & { tell(message: ShellSays): void } => {
  const its = { path: node, version: process.platform === 'linux' ? '' : nodeVersionNow(node) };
  const program = spawn(
    nodeFor(process.platform, { path: process.execPath, version: process.version }, its) ?? node,
    [main, ...args],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: envOf(),
      windowsHide: true,
    },
  );
  let port: number | undefined;
  program.on('message', (data: unknown) => {
    const message = ProgramSays.safeParse(data);
    if (!message.success) return;
    if (message.data.type === 'serving') port = message.data.port;
    hear(message.data);
  });
  const tell = (message: ShellSays) => void (program.connected && program.send(message, () => {}));
  return {
    tell,
    stop: () => tell({ type: 'stop' }),
    kill: () => void program.kill('SIGKILL'),
    isHealthy: async () => port !== undefined && (await isHealthyAt(addressOf(host, port), version)),
    ended: new Promise((resolve) => {
      program.once('exit', (code) => resolve(code));
      program.once('error', (error) => {
        say(`version ${version} could not be started: ${error.message}`);
        if (program.pid === undefined) resolve(null);
      });
    }),
  };
};

const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const addressOf = (host: string, port: number): string =>
  `http://${ANY[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}${getHealth.path}`;

const isHealthyAt = async (address: string, version: string): Promise<boolean> => {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(HEALTH_MS), redirect: 'error' });
    // Problems of external programs (PostgreSQL, NATS) are ignored, because they are no reason to return to the
    // previous version.
    return workingVersion(await answer.json()) === version;
  } catch {
    return false;
  }
};

/**
 * Restores the backup from before an update when the earlier version is about to start and cannot read the newer
 * database. Uses only information on the disk, so an interrupted restore is resumed. A database whose schema is not the
 * schema of the newer version stays as it is.
 */
const makeFit = (
  data: string,
  folder: VersionFolder,
  next: { readonly version: string; readonly root: string },
): void => {
  const record = folder.record();
  if (!record || record.from !== next.version || !['failed', 'returning'].includes(record.status)) return;
  const file = join(data, DATABASE);
  try {
    const [known, left] = [schemaIn(next.root), schemaIn(folder.program(record.version)?.root ?? '')];
    if (known === undefined || left === undefined || left <= known) return;
    if (!existsSync(file) || inspectDatabase(file).schema !== left) return;
    orderRestore(data, { file: record.backup, at: Date.now(), by: record.by, safety: '' });
    folder.writeRecord({ ...record, restored: true });
    say(`the database is of the version after this one: the backup from before is put in place (${record.backup})`);
  } catch (error) {
    say(`whether the database fits could not be seen: ${(error as Error).message}`);
  }
};
