import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { FileDocuments } from '../agent/files/files.ts';
import { nodeCrypto } from '../agent/node-ports.ts';
import { TwoCopies } from '../core/connection/two-copies.ts';
import { MemoryLog } from '../core/testing/fakes.ts';
import type { Display } from './machine.ts';
import { Seats } from './seats.ts';
import { MemoryDocuments } from './testing/pretend-screens.ts';
import { PretendTime } from './testing/pretend-time.ts';

const at = (id: number, x: number): Display => ({
  id,
  label: `TV ${id}`,
  internal: false,
  bounds: { x, y: 0, width: 1920, height: 1080 },
});
const named = (id: number, label: string, x: number): Display => ({ ...at(id, x), label });
const [A, B, C] = [at(11, 0), at(22, 1920), at(33, 3840)];

const setUp = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [time, log] = [new PretendTime(), new MemoryLog()];
  const documents = new TwoCopies({ documents: new FileDocuments(folder), crypto: nodeCrypto, time, log });
  return {
    folder,
    time,
    log,
    documents,
    open: (folders = 0) => Seats.open({ documents, time, log, folders }),
    /** Waits until all writes are done. */
    written: async () => ((await documents.read('displays')) ? await documents.list() : []),
  };
};
const idsOf = (seats: Seats, ...all: Display[]) =>
  Object.fromEntries<number | undefined>(
    [...seats.choose({ all, primary: all[0] }, 'all')].map(([place, display]) => [place, display?.id]),
  );

test('assignment of displays to screens survives a restart, also when one copy of the file is lost', async (t) => {
  const { folder, open, written } = setUp(t);
  assert.deepEqual(idsOf(await open(), A, B), { 1: 11, 2: 22 });
  await written();
  writeFileSync(join(folder, 'displays.json'), '{"seats":');
  assert.deepEqual(idsOf(await open(), at(22, 0)), { 1: undefined, 2: 22 });
});

test('if the file of assignments is damaged, screens are assigned by position and saved again', async (t) => {
  const { folder, open, written, log } = setUp(t);
  idsOf(await open(), A, B);
  await written();
  for (const name of ['displays.json', 'displays.copy.json']) writeFileSync(join(folder, name), '\0\0\0');
  assert.deepEqual(idsOf(await open(2), B, A), { 1: 22, 2: 11 });
  assert.match(log.lines.join(), /set aside/);
  await written();
  assert.deepEqual(idsOf(await open(2), A, B), { 1: 22, 2: 11 });
  assert.match(readFileSync(join(folder, 'displays.json'), 'utf8'), /"place":1,"displays":\[\{"id":22/);
});

test('after an upgrade, assignments are saved only when there are as many displays as data folders', async (t) => {
  const { open, written } = setUp(t);
  const seats = await open(2);
  assert.deepEqual(idsOf(seats, at(22, 0)), { 1: 22 }, 'as before the upgrade');
  assert.deepEqual(await written(), []);
  assert.deepEqual(idsOf(seats, A, B), { 1: 11, 2: 22 });
  assert.deepEqual(await written(), ['displays']);
  assert.deepEqual(idsOf(seats, at(22, 0)), { 1: undefined, 2: 22 });
});

test('unknown display becomes a screen only after 10 s', async (t) => {
  const { time, open } = setUp(t);
  const seats = await open();
  idsOf(seats, A, B);
  assert.deepEqual(idsOf(seats, A, B, at(-1, 3840)), { 1: 11, 2: 22 });
  await time.advance(9_000);
  assert.deepEqual(idsOf(seats, A, B, C), { 1: 11, 2: 22 });
  await time.advance(10_000);
  assert.deepEqual(idsOf(seats, A, B, C), { 1: 11, 2: 22, 3: 33 });
});

test('while the displays do not change, they keep their screens, and no screens are added', async () => {
  const display = fc.record({
    id: fc.constantFrom(-1, 0, 1, 2),
    label: fc.constantFrom('', 'a', 'b'),
    x: fc.constantFrom(0, 1920, 3840),
  });
  const displays = fc
    .uniqueArray(display, { maxLength: 3, selector: ({ x }) => x })
    .map((all) => all.map(({ id, label, x }) => named(id, label, x)));
  await fc.assert(
    fc.asyncProperty(fc.array(displays, { maxLength: 5 }), async (history) => {
      const [time, documents] = [new PretendTime(), new MemoryDocuments()];
      const seats = await Seats.open({ documents, time, log: new MemoryLog(), folders: 0 });
      for (const there of history) {
        idsOf(seats, ...there);
        await time.advance(10_000);
        const all = { all: there, primary: there[0] };
        const settled = seats.choose(all, 'all');
        await time.advance(10_000);
        assert.deepEqual(seats.choose(all, 'all'), settled);
        assert.deepEqual(new Set([...settled.values()].filter(Boolean)), new Set(there));
      }
    }),
  );
});

test('display with a width or height of 0 is ignored', async (t) => {
  const { open } = setUp(t);
  assert.deepEqual(idsOf(await open(), A, { ...B, bounds: { x: 0, y: 0, width: 0, height: 0 } }), { 1: 11 });
});

test('screens are shown although the disk with the assignments does not answer', async () => {
  const [time, log] = [new PretendTime(), new MemoryLog()];
  const never = () => new Promise<never>(() => {});
  const opened = Seats.open({
    documents: { read: never, write: never, remove: never, list: never, setAside: never },
    time,
    log,
    folders: 2,
  });
  await time.advance(5_000);
  assert.deepEqual(idsOf(await opened, A, B), { 1: 11, 2: 22 });
});
