import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryAssets, MemoryDocuments, MemoryJournal } from '../testing/fakes.ts';
import { DiskRoom } from './disk-room.ts';

const MB = 1024 * 1024;

function start() {
  const said: string[] = [];
  const [documents, assetStore, journalStore] = [new MemoryDocuments(), new MemoryAssets(), new MemoryJournal()];
  const disk = { free: (4 * MB) as number | undefined, refuses: null as unknown, asked: 0 };
  const room = new DiskRoom({
    space: async () => {
      disk.asked++;
      if (disk.free === undefined) throw new Error('nobody knows');
      return { free: disk.free, total: 100 * MB };
    },
    say: (level, message) => said.push(`${level} ${message}`),
  });
  const refusing =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      if (disk.refuses) throw disk.refuses;
      return work(...given);
    };
  documents.write = refusing(documents.write.bind(documents));
  documents.read = refusing(documents.read.bind(documents));
  journalStore.append = refusing(journalStore.append.bind(journalStore));
  journalStore.saveOpen = refusing(journalStore.saveOpen.bind(journalStore));
  journalStore.beat = refusing(journalStore.beat.bind(journalStore));
  const { open } = assetStore;
  assetStore.open = async (...given) => {
    const writer = await open.apply(assetStore, given);
    return { ...writer, write: refusing(writer.write), finish: refusing(writer.finish) };
  };
  return { said, disk, stores: room.watch({ documents, assetStore, journalStore }) };
}
const full = (code: string) => Object.assign(new Error('full'), { code });

test('DiskRoom recognizes the error codes of every host for a full disk, and throws the error again', async () => {
  for (const error of [
    full('ENOSPC'),
    full('EDQUOT'),
    full('SQLITE_FULL'),
    Object.assign(new Error('full'), { name: 'QuotaExceededError' }),
  ]) {
    const { said, disk, stores } = start();
    disk.refuses = error;
    await assert.rejects(stores.documents.write('a', '1'), error);
    assert.deepEqual(said, [
      'error The disk of this player is full: instructions from the server cannot be stored. Free some space on the disk, or show less content on this player.',
    ]);
  }
  const { said, disk, stores } = start();
  disk.refuses = full('EIO');
  await assert.rejects(stores.documents.write('a', '1'));
  disk.refuses = full('ENOSPC');
  await assert.rejects(stores.documents.read('a'));
  assert.deepEqual(said, [], 'another error, or nothing that was to be written');
  for (const write of ['append', 'saveOpen', 'beat'] as const) {
    const { said, disk, stores } = start();
    disk.refuses = full('ENOSPC');
    await assert.rejects(stores.journalStore[write](1 as never));
    assert.match(said.join(), /full: new plays are only in memory and are lost if the power fails\./);
  }
});

test('full disk is reported once, and its end when all data is written and 4 MB are free', async () => {
  const { said, disk, stores } = start();
  await stores.documents.write('a', '1');
  assert.deepEqual([said, disk.asked], [[], 0]);
  disk.refuses = full('ENOSPC');
  await assert.rejects(stores.documents.write('a', '2'));
  await assert.rejects(stores.journalStore.beat(1));
  disk.refuses = null;
  await stores.documents.write('a', '3');
  assert.equal(await stores.documents.read('a'), '3');
  assert.equal(said.length, 1, 'the journal has still to be written');
  disk.free = 4 * MB - 1;
  await stores.journalStore.beat(2);
  assert.equal(said.length, 1, 'a small file fits, and the next does not');
  disk.free = 4 * MB;
  await stores.journalStore.beat(3);
  assert.deepEqual(said.slice(1), ['info The disk of this player has free space again.']);
  await stores.journalStore.beat(4);
  assert.equal(said.length, 2);
  disk.refuses = full('ENOSPC');
  await assert.rejects(stores.documents.write('a', '4'));
  disk.refuses = null;
  disk.free = undefined;
  await stores.documents.write('a', '5');
  assert.equal(said.length, 4, 'where nobody knows how much is free, it counts that it was written');
});

test('file counts as written only when it is finished', async () => {
  const { said, disk, stores } = start();
  const open = () => stores.assetStore.open('0'.repeat(64), { at: 0, etag: null });
  const writer = await open();
  disk.refuses = full('ENOSPC');
  await assert.rejects(writer.write(Buffer.from('x')));
  assert.match(said[0] ?? '', /full: new files cannot be downloaded/);
  disk.refuses = null;
  await (await open()).write(Buffer.from('x'));
  assert.equal(said.length, 1);
  await writer.finish();
  assert.equal(said.length, 2);
  await writer.suspend();
});
