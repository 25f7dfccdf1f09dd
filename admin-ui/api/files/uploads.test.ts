import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Send, Uploads, uploadSummary } from './uploads.ts';

const setUp = () => {
  const sending = new Map<string, Parameters<Send>[1] & { aborted: boolean }>();
  const answers: unknown[] = [];
  const uploads = new Uploads({
    send: (file, callbacks) => {
      const entry = { ...callbacks, aborted: false };
      sending.set(file.name, entry);
      return { abort: () => (entry.aborted = true) };
    },
    onDone: (answer) => answers.push(answer),
  });
  const states = () => uploads.all().map((u) => `${u.name} ${u.state}`);
  return { uploads, sending, answers, states };
};
const file = (name: string, size = 100) => ({ name, size }) as File;

test('two files are sent at a time, and the third file starts when one upload is complete', () => {
  const { uploads, sending, states } = setUp();
  uploads.add([file('a'), file('b'), file('c')]);
  assert.deepEqual(states(), ['a sending', 'b sending', 'c waiting']);
  sending.get('a')!.done({ id: '1' });
  assert.deepEqual(states(), ['a done', 'b sending', 'c sending']);
});

test('each file can have its own folder and its own callback', () => {
  const { uploads, sending } = setUp();
  const ends: string[] = [];
  uploads.add([file('a'), file('b')], ({ name }) => ({
    folderId: name,
    onEnd: (answer) => ends.push(`${name} ${answer}`),
  }));
  sending.get('b')!.done('2');
  sending.get('a')!.failed(0, null);
  assert.deepEqual(ends, ['b 2', 'a undefined']);
});

test('file is in state "checking" after its last byte was sent until the server answers', () => {
  const { uploads, sending, states, answers } = setUp();
  uploads.add([file('a')]);
  sending.get('a')!.progress(100);
  assert.deepEqual(states(), ['a checking']);
  sending.get('a')!.done({ id: '1' });
  assert.deepEqual(answers, [{ id: '1' }]);
});

test('cancelling stops the sending and starts the next file', () => {
  const { uploads, sending, states } = setUp();
  uploads.add([file('a'), file('b'), file('c')]);
  uploads.cancel(1);
  assert.equal(sending.get('a')!.aborted, true);
  assert.deepEqual(states(), ['a cancelled', 'b sending', 'c sending']);
});

test('failed upload can be retried, and stays in the list when new files are added', () => {
  const { uploads, sending, states } = setUp();
  uploads.add([file('a')]);
  sending.get('a')!.failed(0, null);
  uploads.add([file('b')]);
  assert.deepEqual(states(), ['a failed', 'b sending']);
  uploads.retry(1);
  assert.deepEqual(states(), ['a sending', 'b sending']);
});

test('callback gets the new content after a successful upload, and undefined after a failed upload', () => {
  const { uploads, sending } = setUp();
  const ends: unknown[] = [];
  const give = (name: string, size?: number) => uploads.add([file(name, size)], { onEnd: (end) => ends.push(end) });
  give('a');
  sending.get('a')!.failed(0, null);
  uploads.retry(1);
  sending.get('a')!.done({ id: '1' });
  give('b');
  uploads.cancel(2);
  give('c', 0);
  assert.deepEqual(ends, [undefined, { id: '1' }, undefined, undefined]);
});

test('empty file is refused without a request', () => {
  const { uploads, sending } = setUp();
  uploads.add([file('empty', 0)]);
  assert.equal(sending.size, 0);
  assert.equal(uploads.all()[0]!.status, -1);
});

test('total progress counts bytes, not files, and leaves out failed uploads', () => {
  const { uploads, sending } = setUp();
  uploads.add([file('a', 300), file('b', 100), file('c', 1000)]);
  sending.get('a')!.done(null);
  sending.get('c')!.failed(415, 'no');
  sending.get('b')!.progress(50);
  assert.deepEqual(uploadSummary(uploads.all()), { running: 1, done: 1, failed: 1, share: 350 / 400 });
});
