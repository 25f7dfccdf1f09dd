/**
 * `vitrine <command>`: manages a server without a window. Commands are loaded on demand. Exit codes: 0 done, 1 failed,
 * 2 wrong command line, 3 a check found a problem (verify, doctor, restore with media missing).
 */
import { pathToFileURL } from 'node:url';
import type { Entry } from '../../shared/desktop/entries.ts';
import { wordsOfDisk } from '../kernel/disk/disk-words.ts';
import { pathOf } from '../kernel/place.ts';
import { VERSION } from '../version.ts';
import { type Command, CommandFailed, Exit, type ExitCode, parseArguments, WrongUse } from './command.ts';

/** Commands by name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  verify: async () => (await import('./verify.ts')).verify,
  export: async () => (await import('./exchange.ts')).exportCommand,
  import: async () => (await import('./exchange.ts')).importCommand,
  'reset-password': async () => (await import('./reset-password.ts')).resetPassword,
  'new-key': async () => (await import('./new-key.ts')).newKey,
  'release-key': async () => (await import('./release-key.ts')).releaseKey,
  doctor: async () => (await import('./doctor.ts')).doctor,
  hq: async () => (await import('./hq/hq.ts')).hq,
  'install-service': async () => (await import('./service/install-service.ts')).installService,
  'remove-service': async () => (await import('./service/install-service.ts')).removeService,
  service: async () => (await import('./service/install-service.ts')).service,
  'move-data': async () => (await import('./move-data.ts')).moveData,
  'set-up': async () => (await import('./set-up.ts')).setUp,
  licenses: async () => (await import('./licenses.ts')).licenses,
};

/** Programs that run for long and parse their own options. */
const PROGRAMS: Readonly<Record<string, { readonly entry: Entry; readonly summary: string }>> = {
  serve: { entry: 'server/main', summary: 'run the server until it is stopped' },
  player: { entry: 'player/main', summary: 'run the player of a screen until it is stopped' },
};

const help = async (): Promise<string> => {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const rows = [
    ...Object.entries(PROGRAMS).map(([name, { summary }]) => ({ usage: `${name} [options]`, summary })),
    ...commands,
  ];
  const lines = rows.map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return `Vitrine ${VERSION}\n\nUsage: vitrine <command> [options]\n\n${lines.join('\n')}\n\n"vitrine <command> --help" shows the details. Exit codes: 0 done, 1 failed, 2 wrong use, 3 problems found.\n`;
};

const helpOf = ({ usage, summary, help: more }: Command): string =>
  `vitrine ${usage}\n\n${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\n${more}`;

/** Runs the program in this process. The program itself parses the rest of the command line. */
const become = async (entry: Entry): Promise<void> => {
  process.argv.splice(2, 1);
  await import(pathToFileURL(pathOf(entry)).href);
};

const run = async (load: () => Promise<Command>, args: readonly string[]): Promise<ExitCode> => {
  const command = await load();
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpOf(command));
    return Exit.done;
  }
  // The option is detected before the command line is parsed, so that parse errors are also printed as JSON.
  const wantsJson = args.includes('--json');
  let folder = 'A file';
  try {
    const parsed = parseArguments(command, args, process.env);
    folder = parsed.data;
    const { result, exit = Exit.done } = await command.run(parsed, {
      json: parsed.json,
      print: (line) => void (parsed.json || process.stdout.write(`${line}\n`)),
    });
    if (parsed.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    return exit;
  } catch (error) {
    const sentence = sentenceOf(error, folder);
    if (sentence === undefined) throw error;
    if (wantsJson) process.stdout.write(`${JSON.stringify({ error: sentence })}\n`);
    else process.stderr.write(`${sentence}\n`);
    return error instanceof WrongUse ? Exit.wrongUse : Exit.failed;
  }
};

/**
 * Names of errors whose messages are written for people. Their classes belong to commands that are loaded on demand.
 */
const MADE_FOR_PEOPLE: ReadonlySet<string> = new Set([
  'BackupFailed',
  'BackupDamaged',
  'RestoreFailed',
  'FolderInUse',
  'DatabaseRefused',
  'DatabaseDamaged',
  'IdentityError',
  'ConfigError',
  'ListenError',
  'Unwritable',
  'MoveFailed',
]);

const sentenceOf = (error: unknown, folder: string): string | undefined => {
  if (error instanceof WrongUse || error instanceof CommandFailed) return error.message;
  const { name, message } = error as Error;
  if (MADE_FOR_PEOPLE.has((error as Error).constructor?.name) || name === 'ApiError') return message;
  return wordsOfDisk(error, folder);
};

const main = async (): Promise<void> => {
  const [asked, ...args] = process.argv.slice(2);
  // `--licenses` prints the licences, as with other programs.
  const word = asked === '--licenses' ? 'licenses' : asked;
  if (word === undefined || word === 'help' || word === '--help' || word === '-h') {
    const load = COMMANDS[args[0] ?? ''];
    process.stdout.write(word === 'help' && load ? helpOf(await load()) : await help());
    process.exitCode = word === undefined ? Exit.wrongUse : Exit.done;
    return;
  }
  if (word === '--version' || word === '-v') return void process.stdout.write(`${VERSION}\n`);
  const program = Object.hasOwn(PROGRAMS, word) ? PROGRAMS[word] : undefined;
  if (program) return become(program.entry);
  const load = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (!load) {
    process.stderr.write(`There is no command ${JSON.stringify(word)}. "vitrine --help" lists them.\n`);
    process.exitCode = Exit.wrongUse;
    return;
  }
  process.exitCode = await run(load, args);
};

await main();
