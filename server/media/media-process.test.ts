import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { ResultMessage, TaskMessage } from './kinds/inspection.ts';
import { type LaunchWorker, type MediaChild, MediaProcess } from './media-process.ts';

/** Starts fake media processes. Each test defines how they react to a task. */
const fakes = (behave: (task: TaskMessage, worker: { answer(message: ResultMessage): void; die(): void }) => void) => {
  const state = { launched: 0, running: 0, most: 0, killed: 0 };
  const launch = (): MediaChild => {
    state.launched++;
    let onMessage: (message: ResultMessage) => void = () => {};
    let onExit: () => void = () => {};
    return {
      post: (message) => {
        state.most = Math.max(state.most, ++state.running);
        const worker = {
          answer: (result: ResultMessage) => {
            state.running--;
            onMessage(result);
          },
          die: () => {
            state.running = 0;
            onExit();
          },
        };
        setImmediate(() => behave(message, worker));
      },
      onMessage: (listener) => {
        onMessage = listener;
      },
      onEnd: (listener) => {
        onExit = listener;
      },
      kill: () => {
        state.killed++;
        state.running = 0;
        onExit();
      },
    };
  };
  return { state, launch };
};
const path = (message: TaskMessage) => (message.task.do === 'inspect' ? message.task.path : '');
const refused = (id: number): ResultMessage => ({ id, result: { refused: 'no' } });

test('media process is started only for the first task', () => {
  const { state, launch } = fakes(() => {});
  const media = new MediaProcess({ launch });
  media.start();
  media.stop();
  assert.equal(state.launched, 0);
});

test('media process runs at most the allowed number of tasks at a time', async () => {
  const { state, launch } = fakes(({ id }, worker) => worker.answer(refused(id)));
  const media = new MediaProcess({ launch, width: 2 });
  await Promise.all(Array.from({ length: 9 }, () => media.inspect('x', 1)));
  assert.deepEqual([state.launched, state.most], [1, 2]);
  media.stop();
});

test('file that crashes the media process fails, and files that were being processed at the same time succeed', async () => {
  const { launch } = fakes((message, worker) =>
    path(message) === 'bad' ? worker.die() : worker.answer(refused(message.id)),
  );
  const media = new MediaProcess({ launch, width: 4 });
  const results = await Promise.allSettled(
    ['good', 'bad', 'good', 'good', 'good'].map((name) => media.inspect(name, 1)),
  );
  assert.deepEqual(
    results.map((r) => r.status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
  media.stop();
});

test('task that hangs ends its process after 45 s, and the next task gets a new process', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { state, launch } = fakes((message, worker) => {
    if (path(message) !== 'hangs') worker.answer(refused(message.id));
  });
  const media = new MediaProcess({ launch, width: 1 });
  const stuck = assert.rejects(media.inspect('hangs', 1), /crashed its decoder/);
  for (let i = 0; i < 2; i++) {
    await new Promise((go) => setImmediate(go));
    mock.timers.tick(45_000);
  }
  await stuck;
  await media.inspect('fine', 1);
  assert.deepEqual([state.launched, state.killed], [3, 2]);
  media.stop();
});

test('an idle process ends after a minute', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { state, launch } = fakes(({ id }, worker) => worker.answer(refused(id)));
  const media = new MediaProcess({ launch });
  await media.inspect('x', 1);
  mock.timers.tick(59_000);
  assert.equal(state.killed, 0);
  mock.timers.tick(1_000);
  assert.equal(state.killed, 1);
});

test('stopping the media process rejects the waiting tasks', async () => {
  const { launch } = fakes(() => {});
  const media = new MediaProcess({ launch, width: 1 });
  const both = Promise.allSettled([media.inspect('a', 1), media.inspect('b', 1)]);
  media.stop();
  assert.deepEqual(
    (await both).map((r) => r.status),
    ['rejected', 'rejected'],
  );
});

test('real media process inspects files and ends on request', async () => {
  const media = new MediaProcess();
  const found = await media.inspect(import.meta.filename, 100);
  assert.match('refused' in found ? found.refused : '', /is text/);
  assert.equal(await media.shrink(Buffer.from('no picture')), null);
  media.stop();
});

test('decoders run in a separate process, also under Electron, and their crash does not end the server', async (t) => {
  Object.defineProperty(process.versions, 'electron', { value: '45.0.0', configurable: true });
  t.after(() => Reflect.deleteProperty(process.versions, 'electron'));
  const media = new MediaProcess();
  t.after(() => media.stop());
  await media.inspect(import.meta.filename, 100);
  assert.ok(process.getActiveResourcesInfo().includes('ProcessWrap'));
});

test('error names the machine, not the file, when no process can be started, and later files succeed', async () => {
  const failure = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
  const { state, launch } = fakes(({ id }, worker) => worker.answer(refused(id)));
  const late: LaunchWorker = () => ({
    post: () => {},
    onMessage: () => {},
    onEnd: (listener) => void setImmediate(() => listener(failure)),
    kill: () => {},
  });
  const atOnce: LaunchWorker = () => {
    throw failure;
  };
  for (const broken of [late, atOnce]) {
    let isBroken = true;
    const media = new MediaProcess({ launch: (entry) => (isBroken ? broken : launch)(entry), width: 2 });
    const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => media.inspect(name, 1)));
    for (const one of results) {
      assert.equal(one.status, 'rejected');
      assert.deepEqual(
        [one.reason.status, /could not start another program just now \(EMFILE\)/.test(one.reason.message)],
        [503, true],
      );
    }
    isBroken = false;
    await media.inspect('f', 1);
    media.stop();
  }
  assert.equal(state.launched, 2);
});
