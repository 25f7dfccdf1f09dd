import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgramInvalid } from '../errors.ts';
import { FakeCrypto, item, MemoryDocuments, MemoryLog, placement, programOf } from '../testing/fakes.ts';
import { ProgramFiles, withMutes } from './stored-program.ts';

function start(documents = new MemoryDocuments()) {
  const log = new MemoryLog();
  return { documents, log, files: new ProgramFiles({ documents, crypto: new FakeCrypto(), log }) };
}
const named = (name: string) => {
  const { bytes, ...program } = programOf([], [item(null, { name })]);
  return { ...program, text: new TextDecoder().decode(bytes) };
};
const [one, two] = [named('one'), named('two')];
const current = {
  format: 1 as const,
  program_id: one.id,
  previous_id: null,
  placement: { ...placement, orientation: '90' as const },
  placement_id: 'p',
  mutes: [],
};

test('program is stored under its digest and found by it, and set aside when damaged', async () => {
  const { files, documents, log } = start();
  assert.equal(await files.find(one.id), undefined);
  assert.deepEqual([documents.all.size, log.lines], [0, []]);
  const held = { id: one.id, program: one.program };
  assert.deepEqual(await files.insert(one.id, one.text), held);
  assert.deepEqual(await files.find(one.id), held);
  documents.all.set(`program-${one.id}`, two.text);
  assert.equal(await files.find(one.id), undefined);
  assert.deepEqual([...documents.all.keys()], [`program-${one.id}.damaged`]);
  assert.match(log.lines.join(), /is damaged on disk and is fetched again/);
});

test('program with a wrong hash or format is refused with an error that names the fault', async () => {
  const { files, documents } = start();
  await assert.rejects(files.insert(one.id, two.text), new ProgramInvalid('the program does not match its checksum'));
  const text = JSON.stringify({ ...one.program, base: { source: 7 } });
  const id = new FakeCrypto().sha256(text);
  await assert.rejects(files.insert(id, text), /^Error: the program cannot be read: base\.layout_id: Invalid/);
  assert.equal(documents.all.size, 0);
});

test('document store receives a check by which it recognizes the undamaged copy of a program', async () => {
  const { files, documents } = start();
  const sound: boolean[] = [];
  documents.read = async (_name: string, isSound?: (text: string) => boolean) => {
    for (const { text } of [one, two]) sound.push(isSound?.(text) ?? false);
    return undefined;
  };
  await files.find(one.id);
  assert.deepEqual(sound, [true, false]);
});

test('ProgramFiles finds the newest undamaged program and removes the other programs', async () => {
  const { files, documents } = start();
  for (const { id, text } of [one, two]) await files.insert(id, text);
  documents.all.set('program-elsewhere', 'not of ours');
  assert.equal((await files.newest())?.id, one.id, 'the first that is listed');
  documents.all.set(`program-${one.id}`, 'cut');
  assert.equal((await files.newest())?.id, two.id);
  await files.insert(one.id, one.text);
  await files.removeOthers((id) => id === one.id);
  assert.deepEqual(
    [...documents.all.keys()].filter((name) => /^program-\w+$/.test(name)).sort(),
    [`program-${one.id}`, 'program-elsewhere'].sort(),
  );
  documents.all.clear();
  assert.equal(await files.newest(), undefined);
});

test('current program and placement are restored, and the placement also without a current program', async () => {
  const { files, documents } = start();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  assert.deepEqual(await files.current(), undefined);
  assert.deepEqual(await files.placement(), { orientation: '0', timezone: timeZone, wall: null });
  await files.switchTo(current);
  const next = start(documents).files;
  assert.deepEqual([await next.current(), await next.placement()], [current, current.placement]);
  const { placement_id: _, ...before } = current;
  documents.all.set('current', JSON.stringify(before));
  assert.deepEqual(await next.current(), { ...current, placement_id: null });
  documents.all.delete('current');
  assert.deepEqual(await next.placement(), current.placement);
});

test('placement is written only when it differs from the stored placement', async () => {
  const { files, documents, log } = start();
  const written: string[] = [];
  documents.write = async (name, text) => {
    written.push(name);
    if (name === 'placement' && written.length < 3) throw new Error('disk full');
    documents.all.set(name, text);
  };
  await files.switchTo(current);
  assert.match(log.lines.join(), /the placement could not be kept apart/);
  await files.switchTo(current);
  await files.switchTo({ ...current, mutes: [{ item_id: 1, muted: true }] });
  assert.deepEqual(written.splice(0), ['current', 'placement', 'current', 'placement', 'current']);
  const next = start(documents).files;
  await next.current();
  await next.switchTo(current);
  assert.deepEqual(written.splice(0), ['current'], 'known from the disk');
  await next.clear();
  assert.equal(documents.all.size, 0);
  await next.switchTo(current);
  assert.deepEqual(written, ['current', 'placement']);
});

test('removal of everything removes the programs before the current document', async () => {
  const { files, documents } = start();
  await files.insert(one.id, one.text);
  await files.switchTo(current);
  const removed: string[] = [];
  documents.remove = async (name) => void removed.push(name);
  await files.clear();
  assert.deepEqual(removed, [`program-${one.id}`, 'placement', 'current']);
});

test('withMutes mutes only the named items', () => {
  const items = [1, 2, 3, null].map((item_id) => item(null, { item_id, muted: item_id === 2 }));
  const { program } = programOf([], items);
  assert.equal(withMutes(program, []), program);
  const changed = withMutes(program, [
    { item_id: 1, muted: true },
    { item_id: 2, muted: true },
    { item_id: 9, muted: true },
  ]).playlists[0]?.items;
  assert.deepEqual(
    changed?.map(({ muted }) => muted),
    [true, true, false, false],
  );
  assert.deepEqual(
    changed?.map((each, i) => each === items[i]),
    [false, true, true, true],
  );
});
