import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { tempFolder } from '../../../test/harness.ts';
import { type LaunchUpkeep, TaskFailed, TaskUnavailable, type UpkeepChild, UpkeepProcess } from './process.ts';
import type { Task, TaskWord } from './tasks.ts';

const failure = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code });
const listOf = (folder: string): Extract<Task, { do: 'list' }> => ({
  do: 'list',
  place: { folder, chosen: true, data: '/data' },
});

/** Fake child processes that act as the test says, and a list of the started processes. */
const fakes = (onPost: (child: Fake, message: unknown) => void) => {
  const children: Fake[] = [];
  const launch: LaunchUpkeep = () => {
    const child = new Fake(onPost);
    children.push(child);
    return child;
  };
  return { children, launch };
};

class Fake implements UpkeepChild {
  killed = 0;
  readonly #onPost: (child: Fake, message: unknown) => void;
  readonly #words: ((word: TaskWord) => void)[] = [];
  readonly #ends: ((failed?: Error) => void)[] = [];
  constructor(onPost: (child: Fake, message: unknown) => void) {
    this.#onPost = onPost;
  }
  post(message: unknown): void {
    this.#onPost(this, message);
  }
  onMessage(listener: (word: TaskWord) => void): void {
    this.#words.push(listener);
  }
  onEnd(listener: (failed?: Error) => void): void {
    this.#ends.push(listener);
  }
  kill(): void {
    this.killed++;
  }
  say(word: TaskWord): void {
    for (const listener of this.#words) listener(word);
  }
  end(failed?: Error): void {
    for (const listener of this.#ends) listener(failed);
  }
}

for (const code of ['EMFILE', 'ENOMEM', 'EAGAIN', 'ERR_WORKER_INIT_FAILED']) {
  test(`request fails when its process cannot be started (${code}), at once or later, and other requests succeed`, async () => {
    let broken = true;
    const launch: LaunchUpkeep = () => {
      if (broken) throw failure(code);
      return new Fake((child) => queueMicrotask(() => child.say({ result: [] })));
    };
    const process = new UpkeepProcess({ launch });
    for (let i = 0; i < 10; i++)
      await assert.rejects(process.run(listOf('/usb')), {
        constructor: TaskUnavailable,
        message: new RegExp(`could not start another program just now \\(${code}\\)`),
      });
    broken = false;
    assert.deepEqual(await process.run(listOf('/usb')), []);

    const { launch: late } = fakes((child) => queueMicrotask(() => child.end(failure(code))));
    const other = new UpkeepProcess({ launch: late });
    for (let i = 0; i < 10; i++) await assert.rejects(other.run(listOf('/usb')), TaskUnavailable);
    await assert.rejects(other.read({ ...listOf('/usb'), do: 'read', name: 'a' }), TaskUnavailable);
  });
}

test('concurrent equal requests share one process, and at most four processes run at once', async () => {
  const { children, launch } = fakes(() => {});
  const process = new UpkeepProcess({ launch });
  const same = Array.from({ length: 60 }, () => process.run(listOf('/usb')));
  const others = Array.from({ length: 9 }, (_, i) => process.run(listOf(`/usb${i}`)));
  await later(0);
  assert.equal(children.length, 4);
  for (let i = 0; i < 10; i++) {
    assert.ok(children.filter((_, n) => n >= i).length <= 4);
    children[i]!.say({ result: [] });
    await later(0);
  }
  await Promise.all([...same, ...others]);
  assert.equal(children.length, 10);
  // A later equal request starts a new process, because the first request has ended.
  const again = process.run(listOf('/usb'));
  await later(0);
  children[10]!.say({ result: [] });
  assert.deepEqual(await again, []);
});

test('task on a hanging disk fails, and no second process uses the disk while the first process cannot be killed', async () => {
  const { children, launch } = fakes((child, task) => (task === 'more' ? undefined : child.say({ aliveFor: 20 })));
  const process = new UpkeepProcess({ launch });
  await assert.rejects(process.run(listOf('/usb')), {
    constructor: TaskUnavailable,
    message: /The disk of \/usb does not answer/,
  });
  assert.ok(children[0]!.killed > 0);
  for (let i = 0; i < 10; i++) await assert.rejects(process.run(listOf('/usb')), TaskUnavailable);
  assert.equal(children.length, 1);
  // A task on another disk runs normally meanwhile and does not wait.
  const other = process.run(listOf('/nas'));
  await later(0);
  children[1]!.say({ result: [] });
  await other;
  children[0]!.end();
  const again = process.run(listOf('/usb'));
  await later(0);
  children[2]!.say({ result: [] });
  assert.deepEqual(await again, []);
});

test('signs of life keep a long task running, and a client that reads a file slowly does not count as a hanging disk', async () => {
  const { children, launch } = fakes((child) => child.say({ aliveFor: 60 }));
  const process = new UpkeepProcess({ launch });
  const long = process.run(listOf('/usb'));
  for (let i = 0; i < 5; i++) {
    await later(30);
    children[0]!.say({ aliveFor: 60 });
  }
  children[0]!.say({ result: [] });
  await long;

  const reading = process.read({ ...listOf('/usb'), do: 'read', name: 'a.vitrine' });
  await later(0);
  children[1]!.say({ result: { size: 3, changedAt: 0 } });
  const file = (await reading)!;
  const pieces = file.pieces();
  for (const piece of [new Uint8Array([1]), new Uint8Array([2])]) {
    const next = pieces.next();
    children[1]!.say({ piece });
    assert.deepEqual((await next).value, piece);
    await later(80);
  }
  await assert.rejects(pieces.next(), TaskUnavailable);
  assert.ok(children[1]!.killed > 0);
});

test('waiting requests are rejected when the server stops', async () => {
  const { children, launch } = fakes(() => {});
  const process = new UpkeepProcess({ launch });
  const asked = Array.from({ length: 6 }, (_, i) => process.run(listOf(`/usb${i}`)));
  const ended = Promise.allSettled(asked);
  await later(0);
  process.stop();
  for (const child of children) {
    assert.ok(child.killed > 0);
    child.end();
  }
  for (const one of await ended) assert.ok(one.status === 'rejected' && one.reason instanceof TaskFailed);
  assert.equal(children.length, 4);
});

test('real upkeep process sends signs of life while it works', { timeout: 60_000 }, async (t) => {
  const folder = tempFolder(t);
  const process = new UpkeepProcess();
  assert.deepEqual(
    await process.run({ do: 'list', place: { folder: join(folder, 'none'), chosen: false, data: folder } }),
    [],
  );
  await assert.rejects(process.run(listOf(join(folder, 'gone'))), {
    constructor: TaskFailed,
    message: /Check whether its disk is connected/,
  });
});
