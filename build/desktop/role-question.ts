/**
 * What this computer is: the question at the first start, what follows from its answer, and from another answer later.
 * Without Electron.
 */
import { type InstallValues, type ReadValues, ROLES, type Role } from '../../shared/desktop/install-values.ts';
import { windowsArgument, windowsSystem } from '../../shared/desktop/system-words.ts';
import type { DesktopWords } from '../../shared/desktop/words.ts';

/** In the order of the buttons; undefined: not now. */
const ANSWERS: readonly (Role | undefined)[] = [...ROLES, undefined];

/**
 * For `dialog.showMessageBox`.
 * @param notes sentences that belong before the person who answers: a wrong value, a sandbox that is off
 */
export const roleQuestion = ({ question, roles }: DesktopWords, notes: readonly string[] = []) => ({
  title: 'Vitrine',
  message: question.ask,
  detail: [...notes, question.forAll, question.later].join('\n\n'),
  buttons: ANSWERS.map((role) => (role ? roles[role] : question.notNow)),
  // Closing the window and Escape answer nothing, as "Not now" does. Without a number of its own Electron would answer
  // with the first button.
  cancelId: ANSWERS.length - 1,
  defaultId: ANSWERS.length - 1,
  noLink: true,
});

/** Undefined: nothing is written, started or made to start; the next start asks again. */
export const roleAnswered = (response: number): Role | undefined => ANSWERS[response];

/**
 * The command line's word for this start, else what an administrator has said of the machine, else what a person
 * answered here, else what the installer was built for; undefined: to be asked.
 */
export const roleFrom = (from: {
  readonly asked: ReadValues;
  readonly machine: ReadValues;
  readonly stored: ReadValues;
  readonly built: ReadValues;
}): { readonly role: Role | undefined; readonly notes: readonly string[] } => {
  // Who says something wrong has said something: the next source is no answer to that.
  for (const { values, wrong } of [from.asked, from.machine, from.stored, from.built]) {
    if (values.role) return { role: values.role, notes: [] };
    if (wrong.some((sentence) => sentence.startsWith('role '))) return { role: undefined, notes: wrong };
  }
  return { role: undefined, notes: [] };
};

/** What a change takes away and brings, for the person who asks for it. */
export const changeOfRole = (
  from: Role | undefined,
  to: Role,
  { question }: Pick<DesktopWords, 'question'>,
): readonly string[] => {
  const [served, serves] = [from !== undefined && from !== 'player', to !== 'player'];
  const [showed, shows] = [from !== undefined && from !== 'server', to !== 'server'];
  return [
    ...(served && !serves ? [question.serverStops] : []),
    ...(!served && serves ? [question.serverStarts] : []),
    ...(showed && !shows ? [question.screensEnd] : []),
    ...(!showed && shows ? [question.screensStart] : []),
  ];
};

/**
 * A person has started the program as something else than this machine is. Not what a launcher starts: it hands on what
 * it was told once, and no screen asks the public.
 */
export const isChange = ({
  to,
  from,
  isLaunched,
}: {
  readonly to: string | undefined;
  readonly from: Role | undefined;
  readonly isLaunched: boolean;
}): boolean => !isLaunched && to !== undefined && from !== undefined && to !== from;

/** The first answer changes it. */
export const changeQuestion = (from: Role | undefined, to: Role, words: DesktopWords) => ({
  title: 'Vitrine',
  message: words.question.change,
  detail: changeOfRole(from, to, words).join('\n\n'),
  buttons: [words.question.changeIt, words.question.leaveIt],
  cancelId: 1,
  defaultId: 1,
  noLink: true,
});

/**
 * How the whole of it is done, for everybody who signs in: by `vitrine set-up` with an administrator's rights, for
 * which the system asks.
 * @param vitrine Node, and the file of the commands
 */
export const setUpAsAdministrator = (
  { platform, env }: { readonly platform: string; readonly env: Readonly<Record<string, string | undefined>> },
  [node, commands]: readonly [string, string],
  { role, server, code }: InstallValues,
): readonly [string, readonly string[]] => {
  const args = [
    commands,
    'set-up',
    ...(role ? ['--role', role] : []),
    ...(server ? ['--server', server] : []),
    ...(code ? ['--code', code] : []),
  ];
  if (platform === 'win32') {
    // Start-Process joins what it gets with blanks.
    const list = args.map((arg) => `'${windowsArgument(arg).replaceAll("'", "''")}'`).join(',');
    const script = `$p = Start-Process -FilePath '${node.replaceAll("'", "''")}' -ArgumentList ${list} -Verb RunAs -WindowStyle Hidden -PassThru -Wait; exit $p.ExitCode`;
    return [
      `${windowsSystem(env)}\\WindowsPowerShell\\v1.0\\powershell.exe`,
      ['-NoProfile', '-NonInteractive', '-Command', script],
    ];
  }
  if (platform === 'darwin') {
    const line = [node, ...args].map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    return [
      '/usr/bin/osascript',
      ['-e', `do shell script "${line.replace(/(["\\])/g, '\\$1')}" with administrator privileges`],
    ];
  }
  return ['/usr/bin/pkexec', [node, ...args]];
};
