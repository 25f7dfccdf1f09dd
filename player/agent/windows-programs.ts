/**
 * Where Windows keeps its own programs. By a bare name it looks in the present folder first: what lies there would be
 * started with our rights.
 */

type Environment = Readonly<Record<string, string | undefined>>;

const PLACES = {
  powershell: 'WindowsPowerShell\\v1.0\\powershell.exe',
  shutdown: 'shutdown.exe',
  taskkill: 'taskkill.exe',
} as const;
const USUAL_ROOT = 'C:\\Windows';

export const windowsProgram = (name: keyof typeof PLACES, env: Environment): string =>
  `${rootOf(env)}\\System32\\${PLACES[name]}`;

/** A root that is no whole path on a disk of this machine is none of Windows'. */
const rootOf = (env: Environment): string => {
  const root = [env.SystemRoot, env.SYSTEMROOT, env.windir, env.WINDIR].find(
    (each) => each && /^[a-z]:\\[^\\/]/i.test(each),
  );
  return (root ?? USUAL_ROOT).replace(/\\+$/, '');
};

/** What libraries start by name is not looked for in the present folder either (NeedCurrentDirectoryForExePath). */
export const keepToPath = (platform: NodeJS.Platform, env: Record<string, string | undefined>): void => {
  if (platform === 'win32') env.NoDefaultCurrentDirectoryInExePath ??= '1';
};
