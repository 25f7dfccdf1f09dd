/** Finds a Chromium on this machine: the first of Chromium, Chrome or Edge. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export interface Places {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly executable: (path: string) => Promise<boolean>;
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];
const MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const WINDOWS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** `VITRINE_BROWSER` (a path or a name on the PATH) is the only candidate if it is set. Undefined: none found. */
export async function findBrowser({ platform, env, executable }: Places): Promise<string | undefined> {
  for (const path of candidates(platform, env)) if (await executable(path)) return path;
  return undefined;
}

function candidates(platform: NodeJS.Platform, env: Places['env']): string[] {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const onPath = (names: readonly string[]) => names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const chosen = env.VITRINE_BROWSER;
  if (chosen) return isAbsolute(chosen) ? [chosen] : onPath([chosen]);
  if (platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return WINDOWS.flatMap((path) => roots.map((root) => `${root}\\${path}`));
  }
  if (platform === 'darwin') return [...MAC, ...onPath(NAMES)];
  return [
    ...onPath(NAMES),
    '/usr/bin/chromium',
    '/usr/lib/chromium/chromium',
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
  ];
}

export const thisMachine = (): Places => ({
  platform: process.platform,
  env: process.env,
  executable: (path) =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    ),
});
