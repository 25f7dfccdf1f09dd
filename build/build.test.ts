/** The small programs behind the two commands, each run as a process as npm would. */
import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
