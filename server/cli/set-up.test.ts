import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { INSTALL_VALUES, installFile, ROLES, type Role } from '../../shared/desktop/install-values.ts';
import { type Computer, type Step, stepsAway, stepsTo, stepsToStop } from './set-up/plan.ts';
import { end, running, runningIn } from './set-up/running.ts';
import { setUp } from './set-up.ts';

const WINDOWS = { SystemRoot: 'C:\\Windows', ProgramData: 'C:\\ProgramData' };
const computer = (platform: NodeJS.Platform): Computer => ({
  platform,
  env: WINDOWS,
  installFile: installFile(platform, WINDOWS),
  folder: '/opt/Vitrine',
  node: '/opt/Vitrine/resources/node/node',
  commands: '/opt/Vitrine/main.js',
  launcher: '/opt/Vitrine/launcher.js',
  start: () => ({ program: 'node', args: ['launcher.js'] }),
});
const SYSTEMS = ['win32', 'darwin', 'linux'] as const;

/**
 * For each thing that the steps create: its name, the calls of system programs that create the thing, and the calls
 * that remove the thing.
 */
const MADE: readonly (readonly [string, RegExp, RegExp])[] = [
  ['service', /main\.js install-service server/, /main\.js remove-service server/],
  ['task', /schtasks\.exe \/Create/, /schtasks\.exe \/Delete/],
  ['agent', /launchctl bootstrap/, /launchctl bootout/],
  ['rule 8710', /netsh\.exe .* add rule .*localport=8710/, /netsh\.exe .* delete rule name=Vitrine \(HTTP\)/],
  ['rule 8711', /netsh\.exe .* add rule .*localport=8711/, /netsh\.exe .* delete rule name=Vitrine \(HTTPS\)/],
  ['rule 5353', /netsh\.exe .* add rule .*localport=5353/, /netsh\.exe .* delete rule name=Vitrine \(mDNS\)/],
  ['ufw', /ufw allow/, /ufw delete allow/],
  ['firewalld', /--add-service/, /--remove-service/],
];
const after = (there: ReadonlySet<string>, steps: readonly Step[]): Set<string> => {
  const now = new Set(there);
  for (const step of steps) {
    if (step.do === 'write') now.add(step.file);
    else if (step.do === 'delete') now.delete(step.file);
    else if (step.do === 'run') {
      const line = [step.program, ...step.args].join(' ');
      for (const [name, makes, takes] of MADE)
        if (makes.test(line)) now.add(name);
        else if (takes.test(line)) now.delete(name);
    }
  }
  return now;
};
const NONE: ReadonlySet<string> = new Set();

test('each role on each system creates what the role needs from any earlier state, and a second run changes nothing', () => {
  for (const platform of SYSTEMS) {
    const as = (role: Role, before: ReadonlySet<string> = NONE) => after(before, stepsTo(computer(platform), { role }));
    for (const role of ROLES) {
      for (const before of ROLES)
        assert.deepEqual([...as(role, as(before))].sort(), [...as(role)].sort(), `${platform}: ${before} to ${role}`);
      const there = as(role);
      assert.equal(there.has('service'), role !== 'player', `${platform} ${role}`);
      const shows = [...there].some((name) => name === 'task' || name === 'agent' || name.endsWith('.desktop'));
      assert.equal(shows, role !== 'server', `${platform} ${role}`);
      if (platform === 'win32')
        assert.deepEqual(
          [there.has('rule 8710'), there.has('rule 8711'), there.has('rule 5353')],
          [role !== 'player', role !== 'player', true],
        );
    }
  }
});

test('removal leaves only the install values, and leaves no file when the caller also deletes the data', () => {
  for (const platform of SYSTEMS)
    for (const role of ROLES) {
      const there = after(NONE, stepsTo(computer(platform), { role }));
      assert.deepEqual(
        [...after(there, stepsAway(computer(platform), { deletesData: false }))],
        [computer(platform).installFile],
      );
      assert.deepEqual([...after(there, stepsAway(computer(platform), { deletesData: true }))], []);
    }
});

test('set-up ends processes only after the steps that prevent their restart', () => {
  for (const platform of SYSTEMS)
    for (const steps of [stepsAway(computer(platform), { deletesData: false }), stepsToStop(computer(platform))]) {
      assert.ok(steps.some((step) => step.do === 'end' && step.script === undefined));
      const lastStart = steps.findLastIndex(
        (step) => step.do === 'run' && /DISABLE|bootout|-service|stop/.test(step.args.join(' ')),
      );
      assert.ok(lastStart < steps.findIndex((step) => step.do === 'end' && step.script === undefined), platform);
    }
});

test('the service’s record is not removed while the program’s files are replaced', () => {
  for (const platform of SYSTEMS)
    assert.ok(
      stepsToStop(computer(platform)).every((step) => step.do !== 'run' || !step.args.includes('remove-service')),
    );
});

test('data is deleted only by the program’s own remove-service call, which knows the path of the data', () => {
  for (const platform of SYSTEMS) {
    const calls = stepsAway(computer(platform), { deletesData: true }).flatMap((step) =>
      step.do === 'run' && step.args.includes('remove-service') ? [step.args] : [],
    );
    assert.deepEqual(calls, [['/opt/Vitrine/main.js', 'remove-service', 'server', '--delete-data']]);
  }
});

test('set-up without a role creates nothing, and stores the other values for later', () => {
  for (const platform of SYSTEMS) {
    assert.deepEqual(stepsTo(computer(platform), {}), []);
    assert.deepEqual(
      stepsTo(computer(platform), { server: 'http://a:8710' }).map((step) => step.do),
      ['write'],
    );
  }
});

test('set-up calls system programs of Windows by their full path', () => {
  const steps = [
    ...stepsTo(computer('win32'), { role: 'both' }),
    ...stepsAway(computer('win32'), { deletesData: true }),
    ...stepsToStop(computer('win32')),
  ];
  for (const step of steps)
    if (step.do === 'run' && step.program !== computer('win32').node)
      assert.match(step.program, /^C:\\Windows\\System32\\\w+\.exe$/);
});

test('set-up finds processes by their folder only, and never ends the calling process', () => {
  const all = [
    { pid: 1, program: '/opt/Vitrine/resources/node/node', line: 'node /opt/Vitrine/launcher.js' },
    { pid: 2, program: '/opt/Vitrine/vitrine', line: 'vitrine' },
    { pid: 3, program: '/opt/Vitrine2/vitrine', line: 'vitrine /opt/Vitrine/x' },
    { pid: 4, program: '/opt/Vitrine/resources/node/node', line: 'node set-up' },
  ];
  assert.deepEqual(runningIn(all, '/opt/Vitrine', { besides: [4], platform: 'linux' }), [1, 2]);
  assert.deepEqual(runningIn(all, '/opt/Vitrine', { script: '/launcher.js', besides: [4], platform: 'linux' }), [1]);
  const windows = [{ pid: 1, program: 'c:\\PROGRAM files\\vitrine\\Vitrine.exe', line: '' }];
  assert.deepEqual(runningIn(windows, 'C:\\Program Files\\Vitrine', { besides: [], platform: 'win32' }), [1]);
});

const start = async (
  t: TestContext,
  shell: string,
): Promise<{ readonly child: ChildProcess; readonly folder: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const program = join(folder, 'sh');
  copyFileSync('/bin/sh', program);
  chmodSync(program, 0o755);
  const child = spawn(program, ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await new Promise((resolve) => child.stdout!.once('data', resolve));
  return { child, folder };
};

test('a process that ignores the request to end is killed', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  const { child, folder } = await start(t, "trap '' TERM; echo there; while :; do read x </dev/zero || :; done");
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  // Removes the program's file, because an upgrade may remove it before the process ends.
  rmSync(join(folder, 'sh'));
  assert.equal(await end(() => runningIn(running(), folder, { besides: [] }), 300), 1);
  assert.equal(await ended, 'SIGKILL');
});

test('the set-up command has a documented option for every install value', () => {
  for (const { name, variable } of INSTALL_VALUES) {
    assert.equal(setUp.options[name], 'text');
    assert.match(setUp.help, new RegExp(`--${name} .*${variable}`));
  }
});

const vitrine = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), 'set-up', ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], VITRINE_TEST_ROOT: join(tmpdir(), 'nothing-is-here') },
    },
  );
  return { status, said: stdout + stderr };
};

test('set-up refuses a wrong value by its name before it changes anything', {
  skip: process.platform !== 'linux' && 'looks at Linux’s steps',
}, () => {
  for (const [option, value] of [
    ['--role', 'king'],
    ['--server', 'http://'],
    ['--code', '0'],
  ] as const) {
    const { status, said } = vitrine(option, value, '--print');
    assert.equal(status, 2);
    assert.match(said, new RegExp(`^${option.slice(2)} on the command line must be .+, not ${JSON.stringify(value)}`));
  }
});

test('set-up --print shows the steps, and set-up refuses to install a screen from a checkout', {
  skip: process.platform !== 'linux' && 'looks at Linux’s steps',
}, () => {
  const { status, said } = vitrine('--role', 'player', '--print');
  assert.equal(status, 0);
  assert.match(
    said,
    /^write \/etc\/vitrine\/install\.json$[\s\S]+^run ufw allow Vitrine$[\s\S]+^write \/etc\/xdg\/autostart\/vitrine-screen\.desktop$/m,
  );
  const refused = vitrine('--role', 'player');
  assert.equal(refused.status, 1);
  assert.match(refused.said, /needs the packaged program/);
});
