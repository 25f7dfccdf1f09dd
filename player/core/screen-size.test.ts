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

test('screen size is 0 × 0 until reported, saved on change, and restored at the next start', async () => {
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

test('whenKnown calls back once, when the size is known or the time limit is over, and never after a cancel', async () => {
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
