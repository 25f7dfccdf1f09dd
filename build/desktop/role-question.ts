/**
 * Role of this computer: the question at the first start, the consequences of the answer, and a later change.
 * Independent of Electron.
 */
import { type InstallValues, type ReadValues, ROLES, type Role } from '../../shared/desktop/install-values.ts';
import { windowsArgument, windowsSystem } from '../../shared/desktop/system-words.ts';
import type { DesktopWords } from '../../shared/desktop/words.ts';

/** Roles in the order of the buttons; undefined: not now. */
const ANSWERS: readonly (Role | undefined)[] = [...ROLES, undefined];

/**
 * Returns options for `dialog.showMessageBox`.
 * @param notes sentences that are shown first: an invalid value, a
 * disabled sandbox
 */
export const roleQuestion = ({ question, roles }: DesktopWords, notes: readonly string[] = []) => ({
  title: 'Vitrine',
  message: question.ask,
  detail: [...notes, question.forAll, question.later].join('\n\n'),
  buttons: ANSWERS.map((role) => (role ? roles[role] : question.notNow)),
  // Closing the window and Escape count as "Not now". Without this value Electron would return the first button.
  cancelId: ANSWERS.length - 1,
  defaultId: ANSWERS.length - 1,
  noLink: true,
});

/** Returns the answer; undefined: no role is stored or started, and the next start asks again. */
export const roleAnswered = (response: number): Role | undefined => ANSWERS[response];

/**
 * Returns the role from the first source that has one: command line of this start, setting of an administrator, answer
 * of a person, built into the installer. Undefined: the person must be asked.
 */
export const roleFrom = (from: {
  readonly asked: ReadValues;
  readonly machine: ReadValues;
  readonly stored: ReadValues;
  readonly built: ReadValues;
}): { readonly role: Role | undefined; readonly notes: readonly string[] } => {
  // An invalid value is an attempt to set the role, so later sources must not override it.
  for (const { values, wrong } of [from.asked, from.machine, from.stored, from.built]) {
    if (values.role) return { role: values.role, notes: [] };
    if (wrong.some((sentence) => sentence.startsWith('role '))) return { role: undefined, notes: wrong };
  }
  return { role: undefined, notes: [] };
};

/** Returns sentences about what a change stops and starts. */
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
 * Returns whether a person has started the program with another role than the role of the machine. False when a
 * launcher starts the program, because a launcher repeats its arguments, and a screen must not show a question to the
 * public.
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

/** The first button confirms the change. */
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
 * Returns the command that sets up the machine for all users: `vitrine set-up` with administrator rights. The system
 * asks the person for these rights.
 * @param vitrine path of Node, and the script of the commands
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
    // The arguments are quoted, because Start-Process joins them with blanks.
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
