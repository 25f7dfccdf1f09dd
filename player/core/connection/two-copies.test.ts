import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime, MemoryDocuments, MemoryLog, settle, sha256 } from '../testing/fakes.ts';
import { TwoCopies } from './two-copies.ts';

const MINUTE = 60_000;

async function start(disk = new MemoryDocuments()) {
  const [time, log] = [new FakeTime(), new MemoryLog()];
  const make = () => new TwoCopies({ documents: disk, crypto: { sha256 }, time, log });
  const copies = make();
  await copies.start();
  const both = (name = 'a') => [disk.all.get(name), disk.all.get(`${name}.copy`)];
  /** Reads the document with a new instance, which knows only the disk, as after a restart. */
  const reread = (name = 'a', isSound?: (text: string) => boolean) => make().read(name, isSound);
  return { disk, time, log, copies, make, both, reread };
}
const sealed = (text: string, age: number) => `${text.slice(0, -1)},"sealed":"${age} ${sha256(text)}"}`;
const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test('TwoCopies writes a document twice with age and digest, and reads the original text', async () => {
  const { copies, both, reread } = await start();
  await copies.write('a', '{"n":1}');
  await copies.write('a', '{"n":2}');
  assert.deepEqual(both(), Array(2).fill(sealed('{"n":2}', 2)));
  assert.equal(await copies.read('a'), '{"n":2}');
  assert.equal(await reread(), '{"n":2}');
  assert.deepEqual(both(), Array(2).fill(sealed('{"n":2}', 2)), 'what is whole is not written again');
  assert.equal(await copies.read('b'), undefined);
});

test('document with one damaged copy is read from the good copy, and the damaged copy is replaced and set aside', async () => {
  const damages: Record<string, string | undefined> = {
    gone: undefined,
    emptied: '',
    cut: sealed('{"n":1}', 2).slice(0, -9),
    changed: sealed('{"n":1}', 2).replace('1', '7'),
    older: sealed('{"n":0}', 1),
  };
  for (const [what, damage] of Object.entries(damages))
    for (const which of ['a', 'a.copy']) {
      const { disk, copies, both, reread, log } = await start();
      for (const n of [0, 1]) await copies.write('a', `{"n":${n}}`);
      if (damage === undefined) disk.all.delete(which);
      else disk.all.set(which, damage);
      assert.equal(await reread(), '{"n":1}', `${which} is ${what}`);
      assert.deepEqual(both(), Array(2).fill(sealed('{"n":1}', 3)));
      const isDamaged = !['gone', 'older'].includes(what);
      assert.equal(disk.all.has(`${which}.damaged`), isDamaged);
      assert.deepEqual(log.lines, isDamaged ? [`${which} is damaged and was set aside `] : []);
    }
});

test('document with two damaged copies is missing, and both copies are set aside', async () => {
  const { disk, both, reread, log } = await start();
  for (const name of ['a', 'a.copy']) disk.all.set(name, '{');
  assert.equal(await reread(), undefined);
  assert.deepEqual([both(), disk.all.size], [[undefined, undefined], 2]);
  assert.deepEqual(log.lines, ['a and a.copy are damaged and were set aside ']);
  disk.all.set('a', '{');
  disk.setAside = failing('EACCES');
  assert.equal(await reread(), undefined);
  assert.equal(log.lines.at(-1), 'a could not be set aside');
});

test('read throws when the disk cannot be read, but returns the document if one copy can be read', async () => {
  const { disk, copies, reread, log } = await start();
  await copies.write('a', '{"n":1}');
  const { read } = disk;
  disk.read = (name) => (name === 'a' ? failing('EIO')() : read.call(disk, name));
  assert.equal(await reread(), '{"n":1}');
  disk.read = failing('EIO');
  await assert.rejects(reread(), { code: 'EIO' });
  for (const code of ['EISDIR', 'ELOOP', 'ENOTDIR']) {
    disk.read = failing(code);
    assert.equal(await reread(), undefined, 'there is something that never was a file');
  }
  assert.equal(log.lines.length, 4);
});

test('write resolves when at least one copy is written, and rejects when both fail', async () => {
  const { disk, copies, reread, log, both } = await start();
  await copies.write('a', '{"n":1}');
  const { write } = disk;
  disk.write = (name, text) => (name === 'a' ? failing('ENOSPC')() : write.call(disk, name, text));
  await copies.write('a', '{"n":2}');
  assert.match(log.lines.join(), /one of the two copies of a could not be written/);
  assert.equal(await reread(), '{"n":2}', 'the newer one, though the other could not be mended yet');
  disk.write = failing('ENOSPC');
  await assert.rejects(copies.write('a', '{"n":3}'), { code: 'ENOSPC' });
  assert.equal(await reread(), '{"n":2}');
  assert.match(log.lines.at(-1) ?? '', /a could not be copied yet/);
  disk.write = write;
  await copies.write('a', '{"n":4}');
  assert.deepEqual(both(), Array(2).fill(sealed('{"n":4}', 3)));
});

test('document that is written before it was read replaces both copies on disk', async () => {
  const { disk, make, both } = await start();
  disk.all.set('a', sealed('{"n":1}', 3));
  disk.all.set('a.copy', sealed('{"n":2}', 8));
  await make().write('a', '{"n":3}');
  assert.deepEqual(both(), Array(2).fill(sealed('{"n":3}', 9)));
});

test('document named by its digest gets no extra field, and is checked with the given function', async () => {
  const { disk, copies, both, reread, log } = await start();
  const text = '{"format":1}';
  const name = `program-${sha256(text)}`;
  await copies.write(name, text);
  assert.deepEqual(both(name), [text, text]);
  const isSound = (copy: string) => sha256(copy) === name.slice(8);
  disk.all.set(name, '{"format":2}');
  assert.equal(await reread(name, isSound), text);
  assert.deepEqual(both(name), [text, text]);
  disk.all.delete(`${name}.copy`);
  assert.equal(await reread(name, isSound), text);
  disk.write = failing('EIO');
  assert.equal(await reread(name, isSound), text);
  assert.deepEqual(log.lines, [`${name} is damaged and was set aside `], 'what is whole is not written again');
});

test('removing or setting aside a document does this to both copies, the second copy first', async () => {
  const { disk, copies, time } = await start();
  for (const name of ['a', 'b', 'c']) await copies.write(name, '{}');
  assert.deepEqual(await copies.list(), ['a', 'b', 'c']);
  const removed: string[] = [];
  disk.remove = async (name) => {
    removed.push(name);
    disk.all.delete(name);
  };
  await copies.remove('a');
  await copies.setAside('b');
  assert.deepEqual(removed, ['a.copy', 'a']);
  assert.deepEqual([...disk.all.keys()].sort(), ['b.copy.damaged', 'b.damaged', 'c', 'c.copy']);
  await time.advance(MINUTE);
  assert.equal(disk.all.size, 4, 'and nobody brings them back');
});

test('deleted copies of up to 1 MiB are restored within a minute, until the store is stopped', async () => {
  const { disk, copies, make, both, time, log } = await start();
  const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
  const held = { a: '{"n":1}', b: text(1024 * 1024) };
  await make().write('a', held.a);
  await copies.write('b', held.b);
  await copies.write('large', '{}');
  await copies.write('large', text(1024 * 1024 + 1));
  await copies.read('a');
  disk.all.delete('a.copy');
  for (const name of ['b', 'b.copy', 'large', 'large.copy']) disk.all.delete(name);
  await time.advance(MINUTE - 1);
  assert.equal(disk.all.size, 1);
  await time.advance(1);
  assert.deepEqual([both()[1], both('b')[0]], [sealed(held.a, 2), sealed(held.b, 2)]);
  assert.equal(disk.all.size, 4);
  assert.deepEqual(log.lines, ['2 of the kept documents were removed from the disk and are written again']);
  await time.advance(2 * MINUTE);
  assert.equal(log.lines.length, 1);
  const { list } = disk;
  disk.list = failing('EIO');
  await time.advance(MINUTE);
  assert.match(log.lines.at(-1) ?? '', /could not be looked after/);
  disk.list = list;
  disk.all.delete('a');
  await time.advance(MINUTE);
  assert.equal(disk.all.size, 4, 'it looks on');
  disk.all.clear();
  await copies.stop();
  await time.advance(MINUTE);
  assert.equal(disk.all.size, 0);
});

test('writes and removals by an older version, which has only first copies, stay in effect', async () => {
  const { disk, copies, make, log, both } = await start();
  for (const name of ['a', 'gone']) await copies.write(name, '{"n":1}');
  const program = `program-${'0'.repeat(64)}`;
  await copies.write(program, '{}');
  disk.all.delete('gone');
  await make().start();
  assert.equal(disk.all.has('gone.copy'), true, 'it has not run: somebody merely removed a file');
  disk.all.set('a', '{');
  for (const name of ['b', 'b.copy']) disk.all.set(name, '{}');
  await make().start();
  assert.equal(disk.all.has('gone.copy'), true, 'neither a damaged one nor both without a mark were written by it');
  disk.all.set('a', '{"n":0}');
  const next = make();
  await next.start();
  assert.deepEqual([...disk.all.keys()].sort(), ['a', 'a.copy', 'b', 'b.copy', program, `${program}.copy`]);
  assert.deepEqual(log.lines, ['another version of this player has run here meanwhile']);
  assert.equal(await next.read('a'), '{"n":0}');
  assert.deepEqual(both(), Array(2).fill(sealed('{"n":0}', 2)));
});

test('stop waits for running writes', async () => {
  const { disk, copies } = await start();
  let go = () => {};
  disk.write = () => new Promise((resolve) => (go = resolve));
  let stopped = false;
  void copies.write('a', '{}');
  void copies.stop().then(() => (stopped = true));
  for (const expected of [false, false]) {
    await settle();
    assert.equal(stopped, expected);
    go();
  }
  await settle();
  assert.equal(stopped, true);
});
