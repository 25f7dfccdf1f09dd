/** Tests the fault hooks themselves: if a hook caused no fault, every test that uses it would pass. */
// Suite: faults
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../harness.ts';
import { createFaults, type Faults, whyNoFaults } from './faults.ts';

const run = (faults: Faults, code: string) => {
  const { stdout, stderr, signal } = spawnSync(process.execPath, ['-e', code], {
    env: { ...process.env, ...faults.env },
    encoding: 'utf8',
  });
  return { said: stdout.trim(), stderr, signal };
};
const trying = (what: string) => `try { ${what}; console.log('done') } catch (error) { console.log(error.code) }`;

test('writes fail from the chosen step on, with the chosen error, only under the given path', {
  skip: whyNoFaults,
}, (t) => {
  const [disk, other] = [tempFolder(t), tempFolder(t)];
  const faults = createFaults(t);
  const write = (folder: string, n: number) =>
    `require('fs').writeFileSync(${JSON.stringify(join(folder, `f${n}`))}, 'x')`;
  assert.equal(run(faults, trying(write(disk, 0))).said, 'done');
  faults.disk('enospc', disk, 3);
  // Writing a file takes two steps: create and write.
  assert.equal(
    run(faults, `${trying(write(disk, 1))}; ${trying(write(disk, 2))}; ${trying(write(other, 3))}`).said,
    'done\nENOSPC\ndone',
  );
  faults.mend();
  faults.disk('erofs', disk);
  assert.equal(run(faults, trying(`require('fs').mkdirSync(${JSON.stringify(join(disk, 'folder'))})`)).said, 'EROFS');
  faults.mend();
  faults.disk('kill', disk, 2);
  assert.equal(run(faults, write(disk, 4)).signal, 'SIGKILL');
});

test('disk fault also makes writes of SQLite fail', { skip: whyNoFaults }, (t) => {
  const disk = tempFolder(t);
  const faults = createFaults(t);
  faults.disk('eio', disk, 4);
  const sqlite = JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'));
  const code = `const db = new (require(${sqlite}))(${JSON.stringify(join(disk, 'a.db'))}); for (let i = 0; i < 5; i++) db.exec('CREATE TABLE t' + i + '(a)')`;
  assert.match(run(faults, trying(code)).said, /^SQLITE_(IOERR|FULL)/);
});

test('disk that hangs blocks its callers until it is repaired', { skip: whyNoFaults }, async (t) => {
  const disk = tempFolder(t);
  const faults = createFaults(t);
  faults.disk('hang', disk);
  const child = spawn(process.execPath, ['-e', `require('fs').statSync(${JSON.stringify(disk)})`], {
    env: { ...process.env, ...faults.env },
  });
  const ended = new Promise((done) => child.once('exit', () => done('ended')));
  assert.equal(await Promise.race([ended, new Promise((done) => setTimeout(() => done('hangs'), 700))]), 'hangs');
  faults.mend();
  assert.equal(await ended, 'ended');
});

test('hook noFork makes every start of a process fail', { skip: whyNoFaults }, (t) => {
  const faults = createFaults(t);
  faults.noFork();
  assert.equal(
    run(faults, `require('child_process').spawn('true').once('error', (error) => console.log(error.code))`).said,
    'EAGAIN',
  );
});
