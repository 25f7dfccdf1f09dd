/**
 * Tests of the small programs behind `npm start` and `npm run player`, run as processes in the way that npm runs them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const build = (file: string): string => new URL(file, import.meta.url).href;
const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const script = (t: TestContext, text: string): ChildProcess => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  } satisfies SpawnOptions);
  t.after(() => child.kill('SIGKILL'));
  child.stdout!.setEncoding('utf8');
  return child;
};
const line = async (child: ChildProcess): Promise<string> => String((await once(child.stdout!, 'data'))[0]).trim();
const end = async (child: ChildProcess): Promise<[number | null, string | null]> =>
  [...(await once(child, 'exit'))] as [number | null, string | null];

/**
 * Tests both ways to start the program. With `false`, a child process runs the program, as on Windows and with an old
 * Node, where a process cannot replace itself.
 */
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

  test(`program started ${how} gets its arguments, and the command ends with its exit code`, async (t) => {
    const child = become('console.log(process.argv[2]); process.exitCode = 3;', t);
    const [said, [code]] = await Promise.all([line(child), end(child)]);
    assert.deepEqual([said, code], ['a b', 3]);
  });

  test(`program started ${how} receives SIGTERM and SIGINT`, async (t) => {
    for (const [signal, expected] of [
      ['SIGTERM', 7],
      ['SIGINT', 8],
    ] as const) {
      const child = become(
        "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(7)); process.on('SIGINT', () => process.exit(8)); console.log('up');",
        t,
      );
      await line(child);
      child.kill(signal);
      assert.deepEqual(await end(child), [expected, null]);
    }
  });

  test(`program started ${how} receives a signal to the whole process group only once`, async (t) => {
    const child = become(
      "let count = 0; setInterval(() => {}, 1000); process.on('SIGTERM', () => { if (++count === 1) setTimeout(() => process.exit(10 + count), 150); }); console.log('up');",
      t,
    );
    await line(child);
    process.kill(-child.pid!, 'SIGTERM');
    assert.deepEqual(await end(child), [11, null]);
  });
}

test('a program started under npm stops gracefully when npm’s shell is killed', async (t) => {
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

/** Starts a process that keeps the lock until stdin says that the work is done. Returns its output line by line. */
const locked = (t: TestContext) => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { withLock } = await import('${build('install.mjs')}');
      await withLock('test-${process.pid}', async () => {
        process.stderr.write('in\\n');
        await new Promise((done) => process.stdin.once('data', done));
      });
      process.stderr.write('out\\n');
      process.stdin.destroy();`,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  return {
    child,
    says: async () => (await lines.next()).value as string | undefined,
    finish: () => child.stdin.write('done'),
  };
};

test('second of two simultaneous starts reports that it waits, and continues when the first is done', async (t) => {
  const first = locked(t);
  assert.equal(await first.says(), 'in');
  const second = locked(t);
  assert.equal(await second.says(), 'Waiting for another start of Vitrine in this folder …');
  const next = second.says();
  let isDone = false;
  void next.then(() => assert.ok(isDone, 'the second works while the first does'));
  // Long enough for the second start to check the lock twice.
  await new Promise((looked) => setTimeout(looked, 450));
  isDone = true;
  first.finish();
  assert.equal(await first.says(), 'out');
  assert.equal(await next, 'in');
  second.finish();
  assert.equal(await second.says(), 'out');
});

test('next start gets the lock when the process that held the lock was killed', async (t) => {
  const first = locked(t);
  assert.equal(await first.says(), 'in');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = locked(t);
  assert.equal(await second.says(), 'in');
  second.finish();
});

test('many simultaneous starts do their work one after the other', async () => {
  const { withLock } = await import(build('install.mjs'));
  let [inside, most, done] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((turn) => setImmediate(turn));
    inside--;
    done++;
  };
  await Promise.all(Array.from({ length: 4 }, () => withLock(`test-${process.pid}-many`, work)));
  assert.deepEqual([most, done], [1, 4]);
});

test('lock is released when the work under the lock fails with an error', async () => {
  const { withLock } = await import(build('install.mjs'));
  const name = `test-${process.pid}-fails`;
  await assert.rejects(
    withLock(name, () => Promise.reject(new Error('no disk'))),
    /no disk/,
  );
  assert.equal(await withLock(name, async () => 'in'), 'in');
});

test('child process ends when SIGTERM ends the script that started the child', async (t) => {
  const note = join(folderOf(t), 'pid');
  const child = script(
    t,
    `const { run } = await import('${build('install.mjs')}');
    await run(process.execPath, ['-e', "require('fs').writeFileSync('${note}', String(process.pid)); setInterval(() => {}, 1000)"]);`,
  );
  while (!existsSync(note) || readFileSync(note, 'utf8') === '') await new Promise((next) => setTimeout(next, 20));
  child.kill('SIGTERM');
  assert.deepEqual(await end(child), [130, null]);
  const isAlive = () => {
    try {
      return process.kill(Number(readFileSync(note, 'utf8')), 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((next) => setTimeout(next, 20));
});

/**
 * Creates a checkout with a fake bundler, which writes a program and a chunk named by the content of `server/source`.
 */
const smallCheckout = async (t: TestContext) => {
  const folder = folderOf(t);
  for (const name of ['build', 'player', 'server', 'shared']) mkdirSync(join(folder, name));
  for (const name of ['ensure-built.mjs', 'install.mjs'])
    copyFileSync(new URL(name, import.meta.url), join(folder, 'build', name));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const bundler = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    const [into, text] = [process.argv[2], readFileSync('server/source', 'utf8')];
    if (text === 'wrong') throw new Error('no such word');
    mkdirSync(into, { recursive: true });
    for (const name of ['server-main', text]) writeFileSync(into + '/' + name + '.js', text);`;
  writeFileSync(join(folder, 'build', 'bundle.mjs'), bundler);
  const { ensureBuilt, program } = await import(pathToFileURL(join(folder, 'build', 'ensure-built.mjs')).href);
  const said = t.mock.method(process.stderr, 'write', () => true);
  return {
    programs: join(folder, 'dist', 'programs'),
    program: (): string => readFileSync(program('server-main'), 'utf8'),
    write: (text: string) => writeFileSync(join(folder, 'server', 'source'), text),
    start: (): Promise<void> => ensureBuilt(process.execPath, { wanted: ['programs'] }),
    said: () => said.mock.calls.map(({ arguments: [text] }) => String(text)),
  };
};

test('programs are built when their sources have changed, and only then', async (t) => {
  const { write, start, program, said } = await smallCheckout(t);
  write('one');
  await start();
  assert.equal(program(), 'one');
  const { length } = said();
  await start();
  assert.equal(said().length, length, 'nothing to do');
  write('two');
  await start();
  assert.equal(program(), 'two');
});

test('running program still finds its chunks after the next build, and chunks of older builds are removed', async (t) => {
  const { write, start, programs } = await smallCheckout(t);
  /** Makes all built files one hour older. */
  const age = () => {
    for (const name of readdirSync(programs))
      utimesSync(
        join(programs, name),
        statSync(join(programs, name)).atime,
        statSync(join(programs, name)).mtimeMs / 1000 - 3600,
      );
  };
  for (const text of ['one', 'two', 'three']) {
    if (existsSync(programs)) age();
    write(text);
    await start();
  }
  assert.deepEqual(readdirSync(programs).toSorted(), ['server-main.js', 'three.js', 'two.js']);
});

test('failed build reports the reason, and leaves the previous build', async (t) => {
  const { write, start, program } = await smallCheckout(t);
  write('one');
  await start();
  write('wrong');
  await assert.rejects(start, /^Error: Vitrine’s programs could not be built:[\s\S]*no such word/);
  assert.equal(program(), 'one');
});
