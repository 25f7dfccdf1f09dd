/** The small programs behind the two commands, each run as a process as npm would. */
import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const build = (file: string): string => new URL(file, import.meta.url).href;
const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const script = (t: TestContext, text: string): ChildProcess => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'], detached: true } satisfies SpawnOptions);
  t.after(() => child.kill('SIGKILL'));
  child.stdout!.setEncoding('utf8');
  return child;
};
const line = async (child: ChildProcess): Promise<string> => String((await once(child.stdout!, 'data'))[0]).trim();
const end = async (child: ChildProcess): Promise<[number | null, string | null]> => [...(await once(child, 'exit'))] as [number | null, string | null];

/** As on Windows and on an old Node, where a process cannot replace itself. */
for (const replaces of [true, false]) {
  const how = replaces ? 'by replacing the process' : 'by a child';
  const become = (program: string, t: TestContext, env = '') => {
    const file = join(folderOf(t), 'program.mjs');
    writeFileSync(file, program);
    return script(
      t,
      `${env}${replaces ? '' : 'process.execve = undefined;'} const { become } = await import('${build('become.mjs')}'); await become(process.execPath, ['${file}', 'a b']);`,
    );
  };

  test(`${how}, the program gets its arguments and its exit code goes on`, async (t) => {
    const child = become('console.log(process.argv[2]); process.exitCode = 3;', t);
    const [said, [code]] = await Promise.all([line(child), end(child)]);
    assert.deepEqual([said, code], ['a b', 3]);
  });

  test(`${how}, SIGTERM and SIGINT reach the program`, async (t) => {
    for (const [signal, expected] of [
      ['SIGTERM', 7],
      ['SIGINT', 8],
    ] as const) {
      const child = become("setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(7)); process.on('SIGINT', () => process.exit(8)); console.log('up');", t);
      await line(child);
      child.kill(signal);
      assert.deepEqual(await end(child), [expected, null]);
    }
  });

  test(`${how}, a signal to the whole group arrives once`, async (t) => {
    const child = become(
      "let count = 0; setInterval(() => {}, 1000); process.on('SIGTERM', () => { if (++count === 1) setTimeout(() => process.exit(10 + count), 150); }); console.log('up');",
      t,
    );
    await line(child);
    process.kill(-child.pid!, 'SIGTERM');
    assert.deepEqual(await end(child), [11, null]);
  });
}

test('a program started under npm ends in order when npm’s shell is killed', async (t) => {
  const file = join(folderOf(t), 'program.mjs');
  const note = `${file}.note`;
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'; setInterval(() => {}, 1000); process.on('SIGTERM', () => { writeFileSync('${note}', 'ended'); process.exit(); }); console.log('up');`,
  );
  const shell = script(
    t,
    `import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['--input-type=module', '-e', "const { become } = await import('${build('become.mjs')}'); await become(process.execPath, ['${file}']);"], { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' } });`,
  );
  await line(shell);
  shell.kill('SIGKILL');
  while (!existsSync(note)) await new Promise((done) => setTimeout(done, 20));
  assert.equal(readFileSync(note, 'utf8'), 'ended');
});

test('of two starts at once one works and the other waits, and a lock left by a dead process is taken over', async (t) => {
  const name = `test-${process.pid}`;
  const work = (mark: string) =>
    script(
      t,
      `const { withLock } = await import('${build('install.mjs')}'); await withLock('${name}', async () => { console.log('${mark} in'); await new Promise((done) => setTimeout(done, 300)); console.log('${mark} out'); });`,
    );
  const first = work('1');
  await line(first);
  const second = work('2');
  const [, said] = await Promise.all([end(first), line(second)]);
  assert.equal(said, '2 in');
  second.kill('SIGKILL');
  await end(second);
  const third = work('3');
  assert.equal(await line(third), '3 in');
  await end(third);
});

/** A lock as an earlier start left it, and a start that finds it; time goes on when told. */
const findLock = async (t: TestContext, text: string, { touchedMsAgo = 0 } = {}) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { withLock, root } = await import(build('install.mjs'));
  const name = `test-${process.pid}-${++locks}`;
  const folder = join(root, '.vitrine');
  const file = join(folder, `${name}.lock`);
  const left = () => readdirSync(folder).filter((entry) => entry.startsWith(`${name}.lock`));
  t.after(() => {
    for (const entry of left()) rmSync(join(folder, entry));
  });
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', (line: string) => said.push(line) > 0);
  const touch = (msAgo = 0) => utimesSync(file, (Date.now() - msAgo) / 1000, (Date.now() - msAgo) / 1000);
  writeFileSync(file, text);
  touch(touchedMsAgo);
  /** The test says when the work is done. */
  const start = () => {
    let finish = () => {};
    let isIn = false;
    const ended: Promise<void> = withLock(name, () => new Promise<void>((resolve) => void ([isIn, finish] = [true, resolve])));
    const end = () => {
      finish();
      return ended;
    };
    return { isIn: () => isIn, end };
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      t.mock.timers.tick(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { start, pass, file, touch, said, left };
};
let locks = 0;
/** Of another program, as after a reboot. */
const another = String(process.ppid);

test('an empty lock is taken over after some seconds, and what is waited for names the file to delete', async (t) => {
  const { start, pass, file, said, left } = await findLock(t, '');
  const { isIn, end } = start();
  await pass(5_000);
  assert.equal(isIn(), false, 'its maker may be about to write into it');
  assert.deepEqual(said, [`Waiting for another start of Vitrine in this folder … Should there be none, delete ${file}\n`]);
  await pass(2_000);
  assert.equal(isIn(), true);
  assert.equal(readFileSync(file, 'utf8'), String(process.pid));
  await end();
  assert.deepEqual(left(), []);
});

test('a lock whose process id is another program’s is taken over: after some seconds when it is old, else after two minutes without a touch', async (t) => {
  for (const [touchedMsAgo, uptime, waits] of [
    [130_000, 1_000_000, 7_000],
    // Quickly rebooted: older than the machine's start.
    [30_000, 20, 7_000],
    [30_000, 1_000_000, 121_000],
    // The clock was ahead before.
    [-1_000_000, 20, 121_000],
  ] as const) {
    const uptimeOf = t.mock.method(os, 'uptime', () => uptime);
    const { start, pass } = await findLock(t, another, { touchedMsAgo });
    const { isIn, end } = start();
    await pass(waits - 2_000);
    assert.equal(isIn(), false, `${touchedMsAgo}`);
    await pass(2_000);
    assert.equal(isIn(), true, `${touchedMsAgo}`);
    await end();
    uptimeOf.mock.restore();
    t.mock.timers.reset();
    t.mock.restoreAll();
  }
});

test('a lock that is touched is not taken, however old it looks: the clock of a machine may be set', async (t) => {
  const { start, pass, touch, file } = await findLock(t, another);
  const { isIn, end } = start();
  for (let i = 1; i < 100; i++) {
    touch(1_000_000 - i);
    await pass(2_000);
  }
  assert.equal(isIn(), false);
  rmSync(file);
  await pass(200);
  assert.equal(isIn(), true);
  await end();
});

test('who works under a lock touches it every few seconds', async (t) => {
  const { start, pass, touch, file } = await findLock(t, another);
  rmSync(file);
  const { isIn, end } = start();
  await pass(100);
  assert.equal(isIn(), true);
  touch(60_000);
  await pass(2_000);
  assert.ok(Date.now() - statSync(file).mtimeMs < 30_000);
  await end();
});

test('of two starts that find the same dead lock, the later does not remove the lock that the other has made meanwhile', async (t) => {
  const { start, pass, file, left } = await findLock(t, '4194999');
  // Between its look at the dead lock and what it does about it, the other is through with both.
  const kill = t.mock.method(process, 'kill', (pid: number) => {
    if (pid !== 4_194_999) return true;
    rmSync(file);
    writeFileSync(file, another);
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  const { isIn, end } = start();
  await pass(1_000);
  assert.equal(isIn(), false);
  assert.equal(readFileSync(file, 'utf8'), another);
  kill.mock.restore();
  rmSync(file);
  await pass(200);
  await end();
  assert.deepEqual(left(), []);
});

test('of many starts that find the same dead lock one works at a time', async (t) => {
  const { start, pass } = await findLock(t, '');
  const starts = Array.from({ length: 5 }, () => start());
  await pass(7_000);
  for (let done = 0; done < 5; done++) {
    const inside = starts.filter(({ isIn }) => isIn());
    assert.equal(inside.length, 1);
    await inside[0]!.end();
    starts.splice(starts.indexOf(inside[0]!), 1);
    await pass(200);
  }
});

test('a start that died while it removed a dead lock stops nobody for ever', async (t) => {
  const { start, pass, file, left } = await findLock(t, '4194999', { touchedMsAgo: 60_000 });
  const { ino, mtimeMs } = statSync(file);
  const claim = `${file}.${ino}-${mtimeMs}-4194999`;
  writeFileSync(claim, '');
  const { isIn, end } = start();
  await pass(1_000);
  assert.equal(isIn(), false, 'it may be at it');
  utimesSync(claim, 1, 1);
  await pass(400);
  assert.equal(isIn(), true);
  await end();
  assert.deepEqual(left(), []);
});
