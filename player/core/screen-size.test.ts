import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScreenSize } from './screen-size.ts';
import { FakeTime, MemoryDocuments, MemoryLog, settle } from './testing/fakes.ts';

const start = async (documents = new MemoryDocuments()) => {
  const [time, log] = [new FakeTime(), new MemoryLog()];
  const size = new ScreenSize({ documents, time, log });
  await size.start();
  let runs = 0;
  return { documents, time, log, size, runs: () => runs, run: () => void runs++ };
};
const HD = { width: 1_920, height: 1_080, touch: false };

test('the size is 0 × 0 until it is told, written when it changes, and known at the next start', async () => {
  const { documents, log, size } = await start();
  assert.deepEqual(size.get(), { width: 0, height: 0, touch: false });
  let writes = 0;
  const write = documents.write.bind(documents);
  documents.write = (name, text) => {
    writes++;
    return write(name, text);
  };
  const sizes = [HD, HD, { ...HD, width: 1 }, { ...HD, height: 1 }, HD, { ...HD, touch: true }];
  for (const one of sizes) size.set(one);
  await settle();
  assert.deepEqual([writes, size.get()], [5, { ...HD, touch: true }]);
  assert.deepEqual((await start(documents)).size.get(), { ...HD, touch: true });
  documents.all.set('screen', '{"width":1,"height":2}');
  assert.deepEqual((await start(documents)).size.get(), { width: 1, height: 2, touch: false });
  documents.write = () => Promise.reject(new Error('full'));
  size.set(HD);
  await settle();
  assert.equal(log.lines.length, 1);
});

test('who waits for the size is told once: when it is known, at the latest when the time is over, or never once it is undone', async () => {
  const atOnce = await start();
  atOnce.size.whenKnown(0, atOnce.run);
  assert.equal(atOnce.runs(), 1);
  atOnce.size.set(HD);
  atOnce.size.whenKnown(5_000, atOnce.run);
  assert.equal(atOnce.runs(), 2);
  const late = await start();
  late.size.whenKnown(3_000, late.run);
  await late.time.advance(2_999);
  assert.equal(late.runs(), 0);
  await late.time.advance(1);
  late.size.set(HD);
  assert.equal(late.runs(), 1);
  const early = await start();
  early.size.whenKnown(3_000, early.run);
  early.size.set(HD);
  early.size.set({ ...HD, width: 1 });
  await early.time.advance(5_000);
  assert.equal(early.runs(), 1);
  const undone = await start();
  undone.size.whenKnown(3_000, undone.run)();
  undone.size.set(HD);
  await undone.time.advance(5_000);
  assert.equal(undone.runs(), 0);
});
