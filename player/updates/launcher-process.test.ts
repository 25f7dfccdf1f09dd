/** Tests the launcher as a real process, with a small program in place of the program with the windows. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/until.ts';
import { folderFor } from '../agent/testing/folder.ts';
import { argsOfLauncher, launcherArgs, launcherIn, windowsProgramOf } from './installed.ts';
import { readMishaps } from './mishaps.ts';
import { startVersion } from './start-version.ts';

const skip = process.platform === 'win32' && 'the program of this test is a shell script';
const LAUNCHER = join(import.meta.dirname, '..', 'launcher.ts');
const LIMIT_MS = 60_000;
const PROTOCOL = new URL('../../shared/protocol/releases/launcher.ts', import.meta.url).href;

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A dead child process still has its process id until its parent has read its exit status.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT' && process.platform !== 'linux';
  }
};

/**
 * Small program that acts like the program with the windows. It reports that it is alive, ends on request, and ends
 * when its launcher is gone. SIGUSR2: ends with 0 without a message.
 */
const scene = (t: TestContext) => {
  const folder = folderFor(t);
  const [program, diary, updates] = [join(folder, 'program'), join(folder, 'diary'), join(folder, 'updates')];
  writeFileSync(
    `${program}.ts`,
    `import { appendFileSync } from 'node:fs';
    import { launcherOf } from '${PROTOCOL}';
    const launcher = launcherOf(process);
    process.on('SIGUSR2', () => process.exit(0));
    launcher.listen({ stop: () => { appendFileSync('${diary}', 'stopped\\n'); process.exit(0); }, gone: () => process.exit(0) });
    appendFileSync('${diary}', JSON.stringify({ pid: process.pid, args: process.argv.slice(2), env: process.env.VITRINE_LAUNCHER, updates: process.env.VITRINE_UPDATES }) + '\\n');
    setInterval(() => launcher.send({ type: 'alive' }), 200);`,
  );
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${program}.ts' "$@"\n`);
  chmodSync(program, 0o755);
  const pids = new Set<number>();
  const launch = (
    command = [process.execPath, LAUNCHER, '--program', program, `--updates=${updates}`, '--role=player'],
  ): ChildProcess => {
    const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
    pids.add(child.pid!);
    return child;
  };
  t.after(() => {
    for (const pid of pids) if (isThere(pid)) process.kill(pid, 'SIGKILL');
  });
  const lines = () => (existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : []);
  const starts = () =>
    lines().flatMap((line) =>
      line.startsWith('{') ? [JSON.parse(line) as { pid: number; args: string[]; env: string; updates: string }] : [],
    );
  const start = (n: number) =>
    until(`start ${n}`, LIMIT_MS, () => {
      const found = starts()[n - 1];
      if (found) pids.add(found.pid);
      return found;
    });
  return { launch, start, starts, lines, updates };
};

test('launcher restarts a program that was killed or ended with 0, runs only once, and ends after its program', {
  skip,
}, async (t) => {
  const { launch, start, starts, lines, updates } = scene(t);
  const launcher = launch();
  const first = await start(1);
  assert.deepEqual([first.args, first.updates], [['--role=player'], updates]);
  process.kill(first.pid, 'SIGKILL');
  const second = await start(2);
  process.kill(second.pid, 'SIGUSR2');
  await start(3);
  assert.deepEqual(await once(launch(), 'exit'), [0, null]);
  assert.equal(starts().length, 3);
  const { crashes, hangs, last } = await readMishaps(join(updates, 'mishaps.json'));
  assert.deepEqual([crashes, hangs, last.map(({ why }) => why)], [2, 0, ['it ended by SIGKILL', 'it ended with 0']]);
  launcher.kill();
  assert.deepEqual(await once(launcher, 'exit'), [0, null]);
  assert.equal(lines().at(-1), 'stopped');
});

test('killed launcher leaves no process behind and can be started again with the same command', { skip }, async (t) => {
  const { launch, start } = scene(t);
  const launcher = launch();
  const first = await start(1);
  launcher.kill('SIGKILL');
  await until('it is gone', LIMIT_MS, () => !isThere(first.pid));
  const next = launch([...launcherIn({ VITRINE_LAUNCHER: first.env })]);
  assert.deepEqual((await start(2)).args, ['--role=player']);
  next.kill();
  assert.deepEqual(await once(next, 'exit'), [0, null]);
});

test('program that hangs is killed with all its child processes', { skip }, async (t) => {
  const folder = folderFor(t);
  const [program, pids] = [join(folder, 'program'), join(folder, 'pids')];
  writeFileSync(
    program,
    `#!/bin/sh\ntrap '' TERM\nsleep 300 &\necho $$ $! > '${pids}.tmp'; mv '${pids}.tmp' '${pids}'\nwhile :; do sleep 1; done\n`,
  );
  chmodSync(program, 0o755);
  const started = startVersion({ program, args: [], env: {}, hear: () => {} });
  const both = (await until('it runs', LIMIT_MS, () => existsSync(pids) && readFileSync(pids, 'utf8')))
    .trim()
    .split(' ')
    .map(Number);
  started.send({ type: 'stop' });
  started.kill();
  assert.equal(await started.ended, 'by SIGKILL');
  await until('both are gone', LIMIT_MS, () => both.every((pid) => !isThere(pid)));
});

test('missing program counts as a program that ended, with a reason', async () => {
  assert.match(
    await startVersion({ program: join('/', 'no', 'such', 'program'), args: [], env: {}, hear: () => {} }).ended,
    /^before it began: .*ENOENT/,
  );
});

test('launcher keeps the options that are meant for it, and passes all other options to the program', () => {
  const rest = ['--role', 'player', '--displays=all', '--at-login'];
  const args = argsOfLauncher({ updates: '/a b', installedOnly: true, rest });
  assert.deepEqual(launcherArgs(args), { updates: '/a b', program: undefined, installedOnly: true, rest });
  assert.deepEqual(launcherArgs(['--updates', '/a', '--role=player', '--program', '/p']), {
    updates: '/a',
    program: '/p',
    installedOnly: false,
    rest: ['--role=player'],
  });
  assert.deepEqual(launcherArgs([]), { updates: undefined, program: undefined, installedOnly: false, rest: [] });
});

test('installed program is found by the path of the folder with the programs inside of it', () => {
  const at = (platform: NodeJS.Platform, env = {}) =>
    windowsProgramOf(join('/opt/Vitrine/resources/vitrine'), platform, env);
  assert.equal(at('linux'), join('/opt/Vitrine/vitrine'));
  assert.equal(at('win32'), join('/opt/Vitrine/Vitrine.exe'));
  assert.equal(
    windowsProgramOf('/Applications/Vitrine.app/Contents/Resources/vitrine', 'darwin', {}),
    join('/Applications/Vitrine.app/Contents/MacOS/Vitrine'),
  );
  assert.equal(at('linux', { APPIMAGE: '/home/Vitrine.AppImage', APPDIR: '/opt/Vitrine' }), '/home/Vitrine.AppImage');
  assert.equal(
    at('linux', { APPIMAGE: '/home/other.AppImage', APPDIR: '/tmp/.mount' }),
    join('/opt/Vitrine/vitrine'),
    'of another program',
  );
});
