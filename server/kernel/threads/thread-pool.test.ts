import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

/** Program of the test threads. A task is a piece of JavaScript that the thread evaluates. */
const ENTRY = `import(${JSON.stringify(new URL('./thread-tasks.ts', import.meta.url).href)}).then(({ answerTasks }) => answerTasks((code) => eval(code)));`;

const openPool = (t: TestContext, options: Partial<ThreadPoolOptions> = {}) => {
  const pool = new ThreadPool<string, unknown>({
    entry: ENTRY,
    ...options,
    worker: { eval: true, execArgv: ['--no-warnings'], ...options.worker },
  });
  t.after(() => pool.end(new Error('The test is over')));
  return pool;
};

const FOR_EVER = 'for (;;);';

test('thread pool starts no thread before its first task, and then runs tasks one after the other on one thread', async (t) => {
  const pool = openPool(t);
  assert.equal(pool.running, 0);
  const answers = Promise.all(['globalThis.n = 1', '++n', 'Promise.resolve(++n)'].map((task) => pool.run(task)));
  assert.deepEqual([pool.running, pool.waiting], [1, 2]);
  assert.deepEqual(await answers, [1, 2, 3]);
});

test('thread pool with two threads runs at most two tasks at a time', async (t) => {
  const pool = openPool(t, { size: 2 });
  const endless = assert.rejects(pool.run(FOR_EVER), /over/);
  assert.deepEqual(await Promise.all([pool.run('1'), pool.run('2')]), [1, 2]);
  assert.equal(pool.running, 2);
  await pool.end(new Error('it is over'));
  await endless;
});

test('error in a task fails only that task, and keeps its message and status', async (t) => {
  const pool = openPool(t);
  await assert.rejects(pool.run('throw new TypeError("no such thing")'), /no such thing/);
  await assert.rejects(pool.run('throw Object.assign(new Error("too large"), { status: 413 })'), {
    name: 'ApiError',
    status: 413,
    message: 'too large',
  });
  assert.equal(await pool.run('globalThis.n = 1'), 1);
  assert.equal(pool.running, 1);
});

test('task that exceeds its time limit is ended with its thread, and the next task gets a new thread', async (t) => {
  const pool = openPool(t, { limit: { ms: 1_000, error: () => new Error('it takes too long') } });
  const stuck = assert.rejects(pool.run(`globalThis.n = 1; ${FOR_EVER}`), /it takes too long/);
  const next = pool.run('typeof n');
  await stuck;
  assert.equal(await next, 'undefined');
});

test('task that exceeds its memory limit is ended with its thread, and the next task gets a new thread', async (t) => {
  const pool = openPool(t, {
    worker: { resourceLimits: { maxOldGenerationSizeMb: 32 } },
    outOfMemory: () => new Error('it takes too much'),
  });
  await assert.rejects(pool.run('const all = []; for (;;) all.push(new Array(10_000).fill(0))'), /it takes too much/);
  assert.equal(await pool.run('1 + 1'), 2);
});

test('idle thread ends after the idle time', async (t) => {
  const pool = openPool(t, { idleMs: 0 });
  await pool.run('1');
  while (pool.running > 0) await new Promise((turn) => setTimeout(turn, 1));
  assert.equal(await pool.run('2'), 2);
});

test('task fails when its thread exits by itself', async (t) => {
  const pool = openPool(t);
  await assert.rejects(pool.run('process.exit()'), /The task was interrupted/);
  assert.equal(await pool.run('1'), 1);
});

test('running and waiting tasks are rejected with the given reason when the thread pool is closed', async (t) => {
  const pool = openPool(t);
  const told = [pool.run(FOR_EVER), pool.run('1'), pool.run('2', { isPatient: true })].map((asked) =>
    assert.rejects(asked, /the server is stopping/),
  );
  await pool.end(new Error('the server is stopping'));
  await Promise.all(told);
  assert.equal(pool.running, 0);
});
