import { accessSync, constants, mkdirSync } from 'node:fs';
import { App } from './app.ts';
import { ConfigError, HELP, parseCommandLine } from './config.ts';
import { DatabaseRefused } from './db/open.ts';
import { ListenError } from './http/server.ts';
import { IdentityError } from './identity.ts';
import { addressesToPrint, missingHere } from './start-notes.ts';
import { FolderInUse } from './upkeep/folder-lock.store.ts';
import { VERSION } from './version.ts';

const REPEATED_SIGNAL_MS = 1000;

/** One clear sentence on stderr, exit code 1. */
const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const requireWritable = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    fail(`The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another with --data, or give this user the right to write there.`);
  }
};

const serve = async (): Promise<void> => {
  const command = parseCommandLine(process.argv.slice(2));
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`${VERSION}\n`);
  const { config } = command;
  requireWritable(config.data);
  const app = new App({ config });
  let signalledAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    // A service manager signals every process of a service: the same wish may arrive twice. A later one is impatience.
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    // The last resort: whatever hangs, the process is gone within 5 s.
    setTimeout(() => process.exit(1), 4800).unref();
    void app.stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.start();
  process.stdout.write(addressesToPrint(app.port, config));
  for (const note of await missingHere()) process.stdout.write(`${note}\n`);
};

try {
  await serve();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DatabaseRefused || error instanceof ListenError || error instanceof IdentityError || error instanceof FolderInUse;
  if (!known) throw error;
  fail(error.message);
}
