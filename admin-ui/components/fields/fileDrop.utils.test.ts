import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturedDrop } from './capturedDrop.ts';
import { filesIn, MOST_FILES } from './fileDrop.utils.ts';

const fileEntry = (name: string) => ({
  name,
  isDirectory: false,
  file: (done: (file: File) => void) => done({ name } as File),
});
let reads = 0;
/** Returns a folder entry whose reader returns a hundred entries at a time, as browsers do. */
const folder = (name: string, entries: readonly object[]) => ({
  name,
  isDirectory: true,
  createReader: () => {
    let at = 0;
    return {
      readEntries: (done: (some: readonly object[]) => void) => {
        reads++;
        done(entries.slice(at, (at += 100)));
      },
    };
  },
});
const drop = (...entries: readonly object[]) =>
  capturedDrop({
    items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
    files: [],
  } as unknown as DataTransfer);
const many = (count: number, name = 'photo') => Array.from({ length: count }, (_, i) => fileEntry(`${name} ${i}.jpg`));

test('folder is read completely, with its subfolders and without hidden files', async () => {
  const found = await filesIn(
    drop(
      folder('Summer', [...many(250), fileEntry('.DS_Store'), folder('Window', many(1, 'inner'))]),
      fileEntry('a.jpg'),
    ),
  );
  assert.equal(found.length, 252);
  assert.deepEqual(
    found.slice(-2).map(({ file, folders }) => [...folders, file.name].join('/')),
    ['Summer/Window/inner 0.jpg', 'a.jpg'],
  );
});

test('reading a whole disk stops after one file over the limit', async () => {
  reads = 0;
  const found = await filesIn(
    drop(folder('Disk', [...many(MOST_FILES - 1), ...many(500).map((f) => folder('x', [f]))])),
  );
  assert.equal(found.length, MOST_FILES + 1);
  assert.ok(reads < 60, `${reads} reads`);
});
