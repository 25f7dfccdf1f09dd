import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import {
  deletesData,
  firstSaid,
  INSTALL_VALUES,
  type InstallValues,
  installFile,
  readValues,
  valuesInEnvironment,
  valuesInFile,
  valuesInLine,
} from '../../shared/desktop/install-values.ts';
import { type Command, CommandFailed, WrongUse } from './command.ts';
import { type Computer, type Step, stepsAway, stepsTo, stepsToStop } from './set-up/plan.ts';
import { end, running, runningIn } from './set-up/running.ts';

/** Time in milliseconds for a launcher to end. A launcher closes its windows within ten seconds. */
const END_WITHIN_MS = 12_000;

export const setUp: Command = {
  name: 'set-up',
  usage: 'set-up [--role server|player|both] [--server URL] [--code CODE] | --stop | --remove [--delete-data]',
  summary: 'set up this computer as the store’s server, a screen, or both, for everybody who signs in',
  help: `Installers run this command. Without an installer (AppImage, zip, macOS), run it yourself as an administrator. A server becomes a
service, a screen starts for everybody who signs in, and the firewall opens the ports that they need. One file stores the values.
Options that you leave out keep their stored values, so that an update needs no options. Changing the role stops the old one.

  --role ROLE     server, player or both                                    VITRINE_ROLE
  --server URL    for a screen: its server (default: found on the network)  VITRINE_SERVER
  --code CODE     for a screen: the code to connect it                     VITRINE_CODE
  --print         only print the steps; nothing is changed
  --check         only check the values; exit code 2 when one is wrong
  --stop          stop everything until the next set-up, for example while files are replaced
  --remove        stop everything and no longer start it; data is kept
  --delete-data   with --remove: also delete the server’s data and the file
  --json          print one JSON value instead of sentences
`,
  options: {
    role: 'text',
    server: 'text',
    code: 'text',
    print: 'flag',
    check: 'flag',
    remove: 'flag',
    'delete-data': 'flag',
    stop: 'flag',
  },
  takes: [0, 0],
  async run(args, { print }) {
    const computer = thisComputer();
    const line = process.env['VITRINE_INSTALLER_LINE'] ?? '';
    if (args.isSet('remove')) {
      const steps = stepsAway(computer, { deletesData: args.isSet('delete-data') || deletesData(line) });
      if (args.isSet('print')) return printed(steps, print);
      const failed = await perform(steps, computer, print);
      print('Nothing of Vitrine runs or starts on this computer any more.');
      return { result: { removed: true, failed } };
    }
    if (args.isSet('stop')) {
      const steps = stepsToStop(computer);
      if (args.isSet('print')) return printed(steps, print);
      return { result: { stopped: true, failed: await perform(steps, computer, print) } };
    }
    const given = readValues(
      Object.fromEntries(INSTALL_VALUES.map(({ name }) => [name, args.text(name)])),
      'on the command line',
    );
    const said = [given, valuesInLine(line), valuesInEnvironment(process.env)];
    const { values, wrong } = firstSaid([
      ...said,
      valuesInFile(contentsOf(computer.installFile), computer.installFile),
    ]);
    // Wrong values are refused before anything is changed: a computer with a wrong role is worse than a computer
    // without a role.
    const refused = firstSaid(said).wrong[0] ?? (values.role === undefined ? wrong[0] : undefined);
    if (refused) throw new WrongUse(refused);
    if (args.isSet('check')) return { result: { values } };
    const steps = stepsTo(computer, values);
    if (args.isSet('print')) return printed(steps, print);
    if (values.role && values.role !== 'server' && computer.folder === undefined && !process.env['APPIMAGE'])
      throw new CommandFailed(
        'A screen that starts for everybody needs the packaged program: install it, or run the player of a checkout with "npm run player".',
      );
    const failed = await perform(steps, computer, print);
    for (const line of wrong) print(line);
    print(sentenceOf(values));
    if (computer.platform === 'darwin')
      print('If the firewall of macOS is on, it asks once whether Vitrine may receive connections: allow it.');
    return { result: { values, failed } };
  },
};

const sentenceOf = ({ role, server }: InstallValues): string => {
  if (!role) return 'What this computer is was not said: Vitrine asks when it is opened.';
  const screen = `a screen${server ? ` of ${server}` : ', which looks for its server on the network'}`;
  return `This computer is ${role === 'server' ? 'the store’s server' : role === 'player' ? screen : `the store’s server, and ${screen}`}.`;
};

/**
 * Root folder for files in tests, where programs still run. When DPKG_ROOT is set, the image of another computer is
 * being built: only files can be written there.
 */
const root = process.env['VITRINE_TEST_ROOT'] ?? process.env['DPKG_ROOT'] ?? '';
const isImage = Boolean(process.env['DPKG_ROOT']) && process.env['VITRINE_TEST_ROOT'] === undefined;
const inImage = (path: string): string => (isImage && path.startsWith(`${root}/`) ? path.slice(root.length) : path);

/**
 * Describes this computer from the path of the command: a package lies in `resources` and has its own Node beside it.
 */
const thisComputer = (): Computer => {
  const script = process.argv[1]!;
  const programs = resolve(dirname(script), '..', '..');
  const node = join(programs, '..', 'node', process.platform === 'win32' ? 'node.exe' : 'node');
  const isPacked = existsSync(node);
  const launcher = inImage(join(programs, 'player', `launcher${extname(script)}`));
  const program = isPacked ? inImage(node) : process.execPath;
  const appImage = process.env['APPIMAGE'];
  return {
    platform: process.platform,
    env: process.env,
    installFile: installFile(process.platform, process.env),
    folder: isPacked ? resolve(programs, '..', '..') : undefined,
    node: program,
    commands: inImage(script),
    launcher,
    // An AppImage is mounted at a different path with each start, so the AppImage file itself is started. On a computer
    // that is also a server, the screen runs the installed version only and does not update itself.
    start: (role) =>
      appImage
        ? { program: appImage, args: ['--at-login'] }
        : { program, args: [launcher, ...(role === 'both' ? ['--installed-only'] : []), '--at-login'] },
  };
};

const contentsOf = (file: string): string | undefined => {
  try {
    return readFileSync(root + file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const printed = (steps: readonly Step[], say: (line: string) => void) => {
  for (const step of steps) say(wordsOf(step));
  return { result: { steps } };
};

const wordsOf = (step: Step): string => {
  if (step.do === 'write') return `write ${step.file}\n${step.text.replace(/^/gm, '    ')}`;
  if (step.do === 'delete') return `delete ${step.file}`;
  if (step.do === 'end') return `end ${step.script ?? 'all that runs from the folder of Vitrine'}`;
  return `run ${[step.program, ...step.args].join(' ')}`;
};

/**
 * Runs every step, even after failures. Resolves with the failures, which have already been printed.
 * @throws
 * CommandFailed without administrator rights
 */
const perform = async (
  steps: readonly Step[],
  computer: Computer,
  say: (line: string) => void,
): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const step of steps) {
    try {
      await take(step, computer);
    } catch (error) {
      const { code, message, path } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM')
        throw new CommandFailed(
          `Setting up a computer needs the rights of an administrator (${path ?? message} cannot be changed): run it with sudo, or as administrator.`,
        );
      failed.push(message);
      say(message);
    }
  }
  return failed;
};

const take = async (step: Step, { folder, platform }: Computer): Promise<void> => {
  if (step.do === 'write') {
    mkdirSync(dirname(root + step.file), { recursive: true });
    // Adds a byte order mark, which the Windows scheduler needs to read UTF-16.
    writeFileSync(root + step.file, step.encoding ? `\uFEFF${step.text}` : step.text, {
      encoding: step.encoding ?? 'utf8',
      mode: 0o644,
      flush: true,
    });
  } else if (step.do === 'delete') rmSync(root + step.file, { force: true });
  else if (isImage) return;
  else if (step.do === 'end') {
    // In a checkout no processes are ended, because its Node may also run other programs.
    if (folder !== undefined)
      await end(
        () =>
          runningIn(running(platform), folder, { script: step.script, besides: [process.pid, process.ppid], platform }),
        END_WITHIN_MS,
      );
  } else if (
    (!step.where || says(step.where)) &&
    (!step.ifThere || step.ifThere.some((file) => existsSync(root + file)))
  ) {
    const { error, status, stderr } = spawnSync(step.program, [...step.args], {
      encoding: 'utf8',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (step.needed && (error || status !== 0))
      throw new CommandFailed(
        `${step.needed}: ${(error?.message ?? stderr.trim()) || `${step.program} ended with ${status}`}`,
      );
  }
};

const says = ({
  program,
  args,
  says: answer,
}: {
  readonly program: string;
  readonly args: readonly string[];
  readonly says: RegExp;
}): boolean => {
  const { error, stdout } = spawnSync(program, [...args], { encoding: 'utf8', windowsHide: true });
  return !error && answer.test(stdout);
};
