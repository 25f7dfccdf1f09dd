import { RESTART_CODE } from '../shared/desktop/update-state.ts';
import { shellOf } from '../shared/protocol/shell.ts';
import { App } from './app.ts';
import { ConfigError, HELP, parseCommandLine } from './config.ts';
import { DatabaseRefused } from './db/open.ts';
import { obeyShell, reportToShell } from './desktop/shell-link.ts';
import { lanAddresses } from './discovery/addresses.ts';
import { ListenError } from './http/server.ts';
import { IdentityError } from './identity.ts';
import { diskTrouble } from './kernel/disk/disk-trouble.ts';
import { wordsOfDisk } from './kernel/disk/disk-words.ts';
import { addressesToPrint, httpsToPrint, missingHere } from './start-notes.ts';
import { FolderInUse } from './upkeep/disk/folder-lock.store.ts';
import { requireWritable, Unwritable } from './upkeep/disk/writable.ts';
import { restoreInSight } from './upkeep/restore/restore-progress-page.ts';
import { VERSION } from './version.ts';

/** Folder that is named in disk errors without a path. */
let folder = 'The data folder';

const REPEATED_SIGNAL_MS = 1000;

/** Prints one sentence to stderr and exits with code 1. */
const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** Prints why the server cannot start, and exits. Rethrows unknown errors. */
const explain = (error: unknown): never => {
  const known = [ConfigError, DatabaseRefused, ListenError, IdentityError, FolderInUse, Unwritable].some(
    (kind) => error instanceof kind,
  );
  const sentence = known ? (error as Error).message : wordsOfDisk(error, folder);
  if (sentence === undefined) throw error;
  return fail(sentence);
};

/** Keeps the server running when the reader of its output has closed (`| head -1`, a closed terminal). */
const speakToNobody = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
};

/**
 * Keeps the server running when a failing disk breaks background work, such as a timer: screens are served from memory.
 * Any other uncaught error ends the process.
 */
const surviveDisks = (app: () => App): void => {
  process.on('uncaughtException', (error) => {
    const { log } = app();
    if (diskTrouble(error)) return log.warn('The disk failed beneath work of the server’s own', { error });
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    // Also writes the message to the log, because stderr may not be visible to anybody. No acknowledged data is lost:
    // it is on disk.
    log.lastWords('The server ended by a fault of its own', { error });
    process.exit(1);
  });
};

const serve = async (): Promise<void> => {
  speakToNobody();
  const command = parseCommandLine(process.argv.slice(2));
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`${VERSION}\n`);
  const { config } = command;
  folder = config.data;
  // Sets the umask: data includes addresses of people and password hashes, which other users of the machine must not
  // read. (No effect on Windows, where the profile folder is private.)
  process.umask(0o077);
  requireWritable(config.data);
  const restart = () => void startAnew().catch(explain);
  await restoreInSight(config);
  // Exits, so that the service manager starts a new process, which chooses the version to run.
  const relaunch = config.service_note ? () => void app.stop().then(() => process.exit(RESTART_CODE)) : undefined;
  const headquarters =
    config.chain_role === 'hq' ? (await import('./compose/headquarters.ts')).createHeadquarters : undefined;
  let app = new App({ config, restart, relaunch, headquarters });
  surviveDisks(() => app);
  /** Restarts the app in this process on the same port, where admin windows and screens wait. */
  const startAnew = async () => {
    const { port } = app;
    await app.stop();
    await restoreInSight({ ...config, port });
    app = new App({ config: { ...config, port }, restart, relaunch, headquarters });
    await app.start();
  };
  let signalledAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    // Ignores a second signal soon after the first, because a service manager signals every process of a service. A
    // signal after that ends the process at once.
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    // Ends the process within 5 s even if a part hangs.
    setTimeout(() => process.exit(1), 4800).unref();
    void app.stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const shell = shellOf(process);
  if (shell) obeyShell(shell, () => stop('SIGTERM'));
  await app.start();
  if (shell)
    reportToShell(shell, {
      port: app.port,
      addresses: lanAddresses(config.host).map((address) => `http://${address}:${app.port}/`),
      screens: () => app.upkeep.screens(),
    });
  process.stdout.write(addressesToPrint(app.port, { ...config, setupCode: app.setupNote() }));
  await app.tls.https.settled;
  process.stdout.write(httpsToPrint(app.tls.status(), { port: app.port, host: config.host }));
  for (const note of await missingHere()) process.stdout.write(`${note}\n`);
};

try {
  await serve();
} catch (error) {
  explain(error);
}
