/** `node player/main.ts`: reads the configuration and runs the agent until it is told to stop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RESTART_CODE } from '../shared/desktop/update-state.ts';
import { releaseKeysIn } from '../shared/protocol/releases/release-signature.ts';
import { shellOf } from '../shared/protocol/shell.ts';
import { Agent } from './agent/agent.ts';
import { HELP, readConfig } from './agent/config.ts';
import { stderrLog } from './agent/node-ports.ts';
import { ROOT } from './agent/place.ts';
import { panelsOf } from './desktop/panels.ts';
import { picturesOf } from './desktop/shell-pictures.ts';

/**
 * Time limit for the end of the process, longer than the browser's own limit. After this time the process ends in any
 * case.
 */
const STOP_MS = 4_800;

const Package = z.object({ version: z.string() });
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { version } = Package.parse(manifest);

async function main(): Promise<void> {
  const asked = readConfig(process.argv.slice(2), process.env);
  if ('show' in asked) {
    process.stdout.write(asked.show === 'help' ? HELP : `${version}\n`);
    return;
  }
  const { config } = asked;
  // Other users of a machine must not read the secret, the programs and the profile of the browser. (No effect on
  // Windows, where the profile folder is private.)
  process.umask(0o077);
  const pages = join(ROOT, 'dist', 'screen');
  const shell = shellOf(process);
  // Updates need a launcher (launcher.ts). A program that runs from its sources is updated by its owner.
  const folder = process.env['VITRINE_UPDATES'];
  const updates = folder ? { folder, keys: releaseKeysIn(manifest), restart: () => void end(RESTART_CODE) } : undefined;
  const mishaps = process.env['VITRINE_MISHAPS'];
  const agent: Agent = new Agent({
    config,
    version,
    pages,
    log: stderrLog,
    updates,
    mishaps,
    picture: shell && picturesOf(shell),
    panels: shell && panelsOf(shell),
  });
  const started = agent.start();
  const end = endOnce(agent, started);
  shell?.listen((message) => {
    if (message.type === 'stop') void end(0);
    else if (message.type === 'alive') shell.send({ type: 'alive' });
    else if (message.type === 'befell') agent.reportFault(message.sentence);
  });
  const url = await started;
  shell?.send({ type: 'screen', url });
  const where = config.server ? `server ${config.server}` : 'looking for the server on this network';
  process.stdout.write(`Vitrine player "${config.name}", ${where}, data in ${config.data}\nscreen: ${url}\n`);
}

/** Ends the program in order: after a signal, on request of the desktop shell, or for a new version. */
function endOnce(agent: Agent, started: Promise<unknown>): (code: number) => Promise<void> {
  let stopping = false;
  const end = async (code: number) => {
    // Signals repeat: a terminal sends SIGINT to the whole group, and an operator may press it twice.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code || 1), STOP_MS).unref();
    await started.catch(() => {});
    await agent.stop();
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
  return end;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${plain(error)}\n`);
  process.exit(1);
}

/** Returns an error message of one sentence for the person who started the program. */
function plain(error: unknown): string {
  const { code, message, path } = error as { code?: string; message?: string; path?: string };
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `The data folder cannot be written: ${path ?? message}`;
  return message ?? String(error);
}
