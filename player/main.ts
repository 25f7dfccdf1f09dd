/** `node player/main.ts`: reads the configuration, runs the agent until it is told to stop. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Agent } from './agent/agent.ts';
import { HELP, readConfig } from './agent/config.ts';
import { stderrLog } from './agent/node-ports.ts';

/** Longer than the browser's own deadline; after it the process ends however things are. */
const STOP_MS = 4_800;

const Package = z.object({ version: z.string() });
const { version } = Package.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

async function main(): Promise<void> {
  const asked = readConfig(process.argv.slice(2), process.env);
  if ('show' in asked) {
    process.stdout.write(asked.show === 'help' ? HELP : `${version}\n`);
    return;
  }
  const { config } = asked;
  // Secret, programs and the browser's profile are nobody else's on a shared machine. (No effect on Windows, where the profile folder is private.)
  process.umask(0o077);
  const pages = fileURLToPath(new URL('../dist/screen/', import.meta.url));
  const agent = new Agent({ config, version, pages, log: stderrLog });
  const started = agent.start();
  stopOnSignals(agent, started);
  const url = await started;
  const where = config.server ? `server ${config.server}` : 'looking for the server on this network';
  process.stdout.write(`Vitrine player "${config.name}", ${where}, data in ${config.data}\nscreen: ${url}\n`);
}

function stopOnSignals(agent: Agent, started: Promise<unknown>): void {
  let stopping = false;
  const stop = async () => {
    // Signals repeat: a terminal sends SIGINT to the whole group, an impatient operator twice.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await started.catch(() => {});
    await agent.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${plain(error)}\n`);
  process.exit(1);
}

/** One sentence for whoever started it. */
function plain(error: unknown): string {
  const { code, message, path } = error as { code?: string; message?: string; path?: string };
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `The data folder cannot be written: ${path ?? message}`;
  return message ?? String(error);
}
