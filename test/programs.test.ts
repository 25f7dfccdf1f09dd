/**
 * Checks how sources start programs: never by a shell, and on Windows never by a name without a path, because Windows
 * searches the current folder first.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

const walk = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['testing', 'dev', 'node_modules'].includes(entry.name) ? [] : walk(path);
    return /\.(ts|mjs)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : [];
  });

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
const sources = ['server', 'player', 'build', 'shared']
  .flatMap(walk)
  .map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), 'utf8')) }));

/** Reviewed files that may start programs: by an absolute path, with our own Node, or on systems other than Windows. */
const STARTERS = new Set([
  'build/become.mjs',
  'build/desktop/main.ts',
  'build/desktop/programs.ts',
  'build/dev.mjs',
  'build/electron.ts',
  'build/install.mjs',
  'build/packaging/parts.ts',
  'build/test-changed.mjs',
  'build/test.mjs',
  'player/agent/browser/browser.ts',
  'player/agent/machine/hardware.ts',
  'player/agent/machine/run.ts',
  'player/updates/start-version.ts',
  'player/updates/unpack.ts',
  'server/cli/doctor/machine.ts',
  'server/cli/doctor/sleep.ts',
  'server/cli/licenses.ts',
  'server/cli/service/service-steps.ts',
  'server/cli/set-up.ts',
  'server/cli/set-up/running.ts',
  'server/desktop/service-control.ts',
  'server/kernel/threads/child.ts',
  'server/media/kinds/check-pictures.ts',
  'server/media/convert.ts',
  'server/media/ffmpeg.ts',
  'server/launch.ts',
  'server/versions/node-version.ts',
  'server/versions/unpack.ts',
]);

/** Matches the name of a program without a path in the code, where it is started or is the `program` of a step. */
const BARE =
  /\b(?:execFile|execFileSync|spawn|spawnSync|execute|promisify\(execFile\)\s*\)?)\s*\(\s*(['"`])([\w.-]+)\1|\bprogram:\s*(['"`])([\w.-]+)\3/g;
const bareIn = (text: string): string[] => [...text.matchAll(BARE)].map((match) => match[2] ?? match[4] ?? '');
const exeIn = (text: string): string[] =>
  [...text.matchAll(/(['"`])([\w.-]+\.(?:exe|cmd|bat))\1/gi)].map((match) => match[2]!);

/** Programs of Linux and macOS, where the administrator controls PATH, and tools of developers. */
const ELSEWHERE: Record<string, readonly string[]> = {
  'build/test-changed.mjs': ['git'],
  'player/agent/machine/power.ts': [
    'caffeinate',
    'pmset',
    'cec-ctl',
    'cec-client',
    'wlopm',
    'swaymsg',
    'xset',
    'vcgencmd',
    'osascript',
    'systemctl',
    'loginctl',
    'shutdown',
  ],
  'server/cli/doctor/machine.ts': ['timedatectl'],
  'server/cli/service/service-steps.ts': ['id', 'useradd', 'chown', 'systemctl'],
  'server/cli/set-up/plan.ts': ['ufw', 'firewall-cmd'],
  'server/desktop/service-control.ts': ['systemctl'],
  'server/service/systemd.ts': ['systemctl'],
  'shared/desktop/unpacker.ts': ['tar'],
};
/** Names of programs that the code appends to the path of a folder. */
const JOINED: Record<string, readonly string[]> = {
  'build/desktop/programs.ts': ['node.exe'],
  'build/install.mjs': ['node.exe', 'ffmpeg.exe'],
  'build/package.mjs': ['vitrine.cmd'],
  'player/agent/machine/windows-programs.ts': ['shutdown.exe', 'taskkill.exe'],
  'player/updates/installed.ts': ['Vitrine.exe'],
  'player/updates/update-files.ts': ['Vitrine.exe'],
  'server/cli/set-up.ts': ['node.exe'],
  'server/cli/set-up/plan.ts': ['netsh.exe', 'schtasks.exe', 'conhost.exe'],
  'server/media/ffmpeg.ts': ['ffmpeg.exe'],
  'server/service/windows-task.ts': ['schtasks.exe', 'icacls.exe', 'powercfg.exe'],
  'server/cli/doctor/sleep.ts': ['powercfg.exe'],
  'server/versions/version-folder.ts': ['node.exe'],
};

test('the search for program starts finds each way to start a program', () => {
  assert.deepEqual(
    bareIn(
      "execFile('a', []); spawn(\"b.exe\"); await promisify(execFile)('c', []); return { program: 'd', args }; execute('e-f', x)",
    ),
    ['a', 'b.exe', 'c', 'd', 'e-f'],
  );
  assert.deepEqual(
    bareIn("execFile(file, []); spawn('/usr/bin/a'); { program: windowsProgram('x', env) }; spawn(process.execPath)"),
    [],
  );
  assert.deepEqual(exeIn("const a = 'tar.exe'; join(root, 'System32\\\\x.exe'); \"npm.cmd\""), ['tar.exe', 'npm.cmd']);
});

test('only reviewed files start programs', () => {
  const found = sources.filter(({ text }) => /node:child_process|\bchild_process\b/.test(text)).map(({ file }) => file);
  assert.deepEqual(found.toSorted(), [...STARTERS].toSorted());
});

test('no program is started by a name without a path on Windows', () => {
  const found = sources.flatMap(({ file, text }) => {
    const bare = bareIn(text).filter((name) => !ELSEWHERE[file]?.includes(name));
    const exe = exeIn(text).filter((name) => !JOINED[file]?.includes(name));
    return [...bare, ...exe].map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(found, []);
});

test('no program is started by a shell, except npm at the first start on Windows, where npm is a script', () => {
  const found = sources
    .filter(({ file, text }) => STARTERS.has(file) && /\bshell:\s*(?!false\b)|(?<![.\w])exec(?:Sync)?\(/.test(text))
    .map(({ file }) => file);
  assert.deepEqual(found, ['build/install.mjs']);
});

test('relative folders in PATH are ignored', () => {
  const found = sources
    .filter(({ text }) => /\bPATH\b[\s\S]{0,80}\.split\(delimiter\)/.test(text) && !/isAbsolute/.test(text))
    .map(({ file }) => file);
  assert.deepEqual(found, []);
});

test('every exception for a name without a path is still used', () => {
  const textOf = new Map(sources.map(({ file, text }) => [file, text]));
  const stale = [
    ...Object.entries(ELSEWHERE).map(([file, names]) => ({ file, names, found: bareIn(textOf.get(file) ?? '') })),
    ...Object.entries(JOINED).map(([file, names]) => ({ file, names, found: exeIn(textOf.get(file) ?? '') })),
  ].flatMap(({ file, names, found }) =>
    names.filter((name) => !found.includes(name)).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(stale, []);
});
