/** Tests releases through the service alone. updates.test.ts tests releases over HTTP. */
import assert from 'node:assert/strict';
import { createHash, sign } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { notesText } from '../../../shared/protocol/releases/release-format.ts';
import { newPublisher, type TestPublisher } from '../../../test/publisher.ts';
import { actorOf, openParts, refusedWith } from '../../../test/rows.ts';
import { Aside } from '../../media/aside.ts';
import { ReleaseFiles } from './release-files.ts';
import { UpdatesService } from './updates.service.ts';
import { UpdatesStore } from './updates.store.ts';

const NAME = 'Vitrine-2.0.0-linux-x64.tar.gz';
const WINDOWS = 'Vitrine-2.0.0-win-x64.zip';
const HERE = actorOf('here');
const HOUR_MS = 3_600_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const [ONE, TWO, THREE] = ['one', 'two', 'three'].map(hashOf) as [string, string, string];

const signNotes = ({ privateKey }: TestPublisher, of: { version: string; notes: string }) => ({
  ...of,
  signature: sign(null, Buffer.from(notesText(of)), privateKey).toString('hex'),
});

/** Runs a callback while a file is being stored. */
class WatchedFiles extends ReleaseFiles {
  meanwhile: (() => void) | undefined;
  override async store(path: string, sha256: string): Promise<void> {
    await super.store(path, sha256);
    this.meanwhile?.();
  }
}

const openUpdates = (t: TestContext, { isDevelopment = false } = {}) => {
  const { add: put, parts, told } = openParts();
  const data = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const dir = join(data, 'updates');
  const [files, store] = [new WatchedFiles(dir), new UpdatesStore(parts.db)];
  const ages = { isBroken: false, counted: 0, of: 0 };
  const aside = new Aside({
    ...{ dir: join(data, 'aside'), store: files, clock: parts.clock, isFull: async () => false },
    ages: {
      count: (names: readonly string[]) => {
        if (ages.isBroken) throw new Error('no disk');
        ages.counted++;
        return new Map(names.map((name) => [name, ages.of]));
      },
    } as never,
  });
  const publisher = newPublisher();
  const warnings: string[] = [];
  const offered: { id?: string } = {};
  const make = (keys: readonly string[] = isDevelopment ? [] : [publisher.publicKey]) =>
    new UpdatesService({
      ...{ ...parts, store, files, aside, keys, rollouts: { releaseFor: () => offered.id } },
      log: { warn: (message: string) => void warnings.push(message) } as never,
    });
  const updates = make();
  const upload = async (label: string, text: string, actor: typeof HERE | object = HERE) => {
    const sink = await updates.open(label, text.length);
    await sink.write(Buffer.from(text));
    return updates.add(actor as typeof HERE, label, sink);
  };
  const signatureOf = (text: string, name = NAME) => publisher.sign(name, Buffer.from(text));
  return {
    ...{ put, told, store, files, aside, ages, publisher, warnings, offered, make, updates, upload, signatureOf, dir },
    ...{ db: parts.db, asideNames: () => (existsSync(join(data, 'aside')) ? readdirSync(join(data, 'aside')) : []) },
    signed: async (name = NAME, text = 'one') => {
      await upload(name, text);
      return upload(`${name}.sig`, `${signatureOf(text, name)}\n`);
    },
    /** Starts a rollout of a release. */
    begin: (release_id: string) => put('rollouts', { id: 'r', status: 'running', release_id, group_ids: '[]' }),
    end: () => store.updateRollout('r', { status: 'done' }),
    kept: () => (existsSync(dir) ? readdirSync(dir).sort() : []),
    notes: (version = '2.0.0', text = 'Brighter') => JSON.stringify(signNotes(publisher, { version, notes: text })),
  };
};

test('the activity log names each uploaded file, signature and text of notes, and each deleted release', async (t) => {
  const { upload, signatureOf, notes, told, updates } = openUpdates(t);
  const { id } = await upload(NAME, 'one');
  assert.deepEqual(await told(), [`release.uploaded: 2.0.0 ${NAME}`]);
  await upload(`${NAME}.sig`, signatureOf('one'));
  assert.deepEqual(await told(), [`release.uploaded: 2.0.0 ${NAME}.sig`]);
  await upload('Vitrine-2.0.0-notes.json', notes());
  assert.deepEqual(await told(), ['release.uploaded: 2.0.0 Vitrine-2.0.0-notes.json']);
  updates.delete(HERE as never, id);
  assert.deepEqual(await told(), ['release.deleted: 2.0.0']);
  await upload(NAME, 'one', { ...HERE, workspaceId: null });
  assert.deepEqual(await told(), [], 'who acts in no workspace is in none’s');
});

test('another upload of a file replaces file and signature if the bytes differ, and otherwise keeps the signature', async (t) => {
  const { signed, upload, kept, told, signatureOf } = openUpdates(t);
  const first = await signed();
  const again = await upload(NAME, 'one');
  assert.deepEqual([again.id, again.files.map(({ signature }) => signature)], [first.id, [signatureOf('one')]]);
  const other = await upload(NAME, 'two');
  assert.deepEqual(
    other.files.map(({ sha256, size, signature }) => [sha256, size, signature]),
    [[TWO, 3, null]],
  );
  await told();
  assert.deepEqual(kept(), [TWO]);
});

test('bytes that two files share are stored until both files are gone', async (t) => {
  const { upload, updates, kept, told } = openUpdates(t);
  const first = await upload(NAME, 'one');
  const second = await upload(NAME.replace('2.0.0', '2.1.0'), 'one');
  await upload(WINDOWS, 'two');
  updates.delete(HERE as never, first.id);
  await told();
  assert.deepEqual(kept(), [ONE]);
  updates.delete(HERE as never, second.id);
  assert.ok(kept().length === 1, 'not before the disk knows that they are named no more');
  await told();
  assert.deepEqual(kept(), []);
  assert.throws(() => updates.delete(HERE as never, first.id), refusedWith(404, /^Release not found$/));
});

test('after parallel uploads under one name, exactly one file remains, and no unreferenced bytes remain', async (t) => {
  const { upload, kept, told, updates } = openUpdates(t);
  await Promise.all([upload(NAME, 'one'), upload(NAME, 'two'), upload(NAME, 'three')]);
  await told();
  const [release, ...others] = updates.list();
  assert.deepEqual([others, kept()], [[], release!.files.map(({ sha256 }) => sha256)]);
});

test('files of a release in use cannot be changed or deleted, but new files can be added', async (t) => {
  const { signed, upload, begin, end, kept, told, updates, files } = openUpdates(t);
  const { id } = await signed();
  const stays = async () => {
    await assert.rejects(
      upload(NAME, 'two'),
      refusedWith(409, /^A rollout of 2\.0\.0 is running, so the files of this version cannot be changed/),
    );
    assert.throws(
      () => updates.delete(HERE as never, id),
      refusedWith(409, /^A rollout of 2\.0\.0 is running\. Abort the rollout first/),
    );
    assert.deepEqual(kept(), [ONE]);
    await upload(NAME, 'one');
  };
  await told();
  updates.protectFor((version) => version === '2.0.0');
  await stays();
  await upload(NAME.replace('2.0.0', '2.1.0'), 'three');
  updates.delete(HERE as never, updates.list().find(({ version }) => version === '2.1.0')!.id);
  updates.protectFor(() => false);
  await told();

  files.meanwhile = () => begin(id);
  await assert.rejects(upload(NAME, 'two'), refusedWith(409), 'it began while the bytes came to the disk');
  files.meanwhile = undefined;
  await stays();
  await upload(WINDOWS, 'three');
  assert.deepEqual(kept(), [ONE, THREE].sort());
  end();
  await upload(NAME, 'two');
  await told();
  assert.deepEqual(kept(), [TWO, THREE].sort());
  updates.delete(HERE as never, id);
});

test('bytes that were refused under one name remain if another file has the same bytes', async (t) => {
  const { signed, upload, begin, kept } = openUpdates(t);
  const { id } = await signed();
  await upload(WINDOWS, 'two');
  begin(id);
  await assert.rejects(upload(NAME, 'two'), refusedWith(409));
  assert.deepEqual(kept(), [ONE, TWO].sort());
});

test('a file is named by the last segment of its uploaded name, and an error quotes an invalid name shortened', async (t) => {
  const { upload, kept } = openUpdates(t);
  for (const label of [`C:\\builds\\out\\${NAME}`, `/a/b/c/${NAME}`])
    assert.deepEqual(
      (await upload(label, 'one')).files.map(({ name }) => name),
      [NAME],
    );
  const says = async (label: string, quoted: string) => {
    const sentence = `file: the name ${quoted} is not the name of a release file; keep the name from the build, like Vitrine-1.2.0-linux-x64.tar.gz`;
    await assert.rejects(upload(label, 'two'), { status: 400, message: sentence });
    await assert.rejects(upload(`${label}.sig`, 'ab'.repeat(64)), { status: 400, message: sentence });
  };
  await says('setup.exe', '"setup.exe"');
  await says('a/', '""');
  await says('x'.repeat(300), JSON.stringify('x'.repeat(100)));
  const unsigned = `Vitrine-dev-unsigned-2.0.0-linux-x64.${'z'.repeat(200)}`;
  await assert.rejects(upload(unsigned, 'two'), {
    status: 400,
    message: `file: ${JSON.stringify(unsigned.slice(0, 100))} is an unsigned development build; screens install only releases, which are packaged with a release key`,
  });
  assert.deepEqual(kept(), [ONE], 'nothing of them is left');
});

test('a signature needs its file and must match its bytes, and a server without keys accepts any signature', async (t) => {
  const { upload, signatureOf, told } = openUpdates(t);
  await assert.rejects(upload(`${NAME}.sig`, signatureOf('one')), {
    status: 409,
    message: `${NAME} is not on this server. Upload that file first, then its signature.`,
  });
  await upload(NAME, 'one');
  await assert.rejects(upload(`${WINDOWS}.sig`, signatureOf('one', WINDOWS)), refusedWith(409));
  await told();
  await assert.rejects(upload(`${NAME}.sig`, signatureOf('two')), {
    status: 400,
    message: `file: this signature does not belong to the uploaded file ${NAME} and the publisher of this server; build the file and its signature again, then upload both unchanged`,
  });
  assert.deepEqual(await told(), []);
  const { files, signatures_checked } = await upload(`${NAME}.sig`, signatureOf('one'));
  assert.deepEqual([files[0]!.signature, signatures_checked], [signatureOf('one'), true]);

  const development = openUpdates(t, { isDevelopment: true });
  await development.upload(NAME, 'one');
  const taken = await development.upload(`${NAME}.sig`, 'ab'.repeat(64));
  assert.deepEqual([taken.files[0]!.signature, taken.signatures_checked], ['ab'.repeat(64), false]);
  const text = JSON.stringify({ version: '2.0.0', notes: 'Brighter', signature: 'ab'.repeat(64) });
  assert.equal((await development.upload('Vitrine-2.0.0-notes.json', text)).notes, 'Brighter');
});

test('notes need their release and a valid signature, and are deleted with the release', async (t) => {
  const { upload, notes, told, updates, dir, publisher } = openUpdates(t);
  const name = 'Vitrine-2.0.0-notes.json';
  await assert.rejects(upload(name, notes()), {
    status: 409,
    message: 'Version 2.0.0 is not on this server. Upload the files of this version first.',
  });
  const { id } = await upload(NAME, 'one');
  assert.equal(updates.list()[0]!.notes, null);
  await told();
  const others = JSON.stringify(signNotes(newPublisher(), { version: '2.0.0', notes: 'Brighter' }));
  await assert.rejects(upload(name, others), {
    status: 400,
    message:
      'file: these release notes have no valid signature of this server’s publisher; send the unchanged file from the build',
  });
  assert.deepEqual([await told(), updates.signedNotes('2.0.0')], [[], null]);
  assert.equal((await upload(name, notes())).notes, 'Brighter');
  updates.bringNotes(HERE, signNotes(publisher, { version: '2.0.0', notes: 'Darker' }));
  assert.deepEqual([updates.list()[0]!.notes, updates.signedNotes('2.0.0')?.notes], ['Darker', 'Darker']);
  const path = join(dir, '2.0.0.notes.json');
  for (const text of [others, notes('2.1.0'), '{'] as const) {
    writeFileSync(path, text);
    assert.deepEqual([updates.list()[0]!.notes, updates.signedNotes('2.0.0')], [null, null], text);
  }
  assert.equal(updates.signedNotes('9.9.9'), null);
  updates.delete(HERE as never, id);
  await told();
  assert.equal(existsSync(path), false);
});

test('a screen gets only the signed file for its system of the release in rollout', async (t) => {
  const { signed, upload, offered, updates } = openUpdates(t);
  const arm = 'Vitrine-2.0.0-linux-arm64.tar.gz';
  await signed(arm, 'two');
  const { id } = await signed();
  await upload(WINDOWS, 'three');
  const other = await signed(NAME.replace('2.0.0', '2.1.0'), 'newer');
  const offer = (platform?: string, arch?: string) => updates.offer('till', platform, arch).update?.file.name ?? null;
  const fetched = (sha256: string) => updates.fileFor('till', sha256).file.name;
  const none = refusedWith(404, /^File not found$/);
  assert.deepEqual([updates.offer('till', 'linux', 'x64'), offer()], [{ update: null }, null]);
  assert.throws(() => fetched(ONE), none);
  offered.id = id;
  assert.deepEqual(
    [offer('linux', 'x64'), offer('linux', 'arm64'), offer('win', 'x64'), offer('mac', 'x64'), offer()],
    [NAME, arm, null, null, null],
  );
  assert.equal(updates.offer('till', 'linux', 'x64').update!.version, '2.0.0');
  assert.deepEqual([fetched(ONE), fetched(TWO)], [NAME, arm]);
  assert.equal(updates.fileFor('till', ONE).path, updates.pathOf(ONE));
  for (const sha256 of [THREE, other.files[0]!.sha256]) assert.throws(() => fetched(sha256), none);
  offered.id = 'gone';
  assert.deepEqual([offer('linux', 'x64')], [null]);
  assert.throws(() => fetched(ONE), none);
});

test('has() is true only for a file with the same name, bytes and signature', async (t) => {
  const { upload, signed, updates, files } = openUpdates(t);
  const has = (name = NAME, sha256 = ONE, version = '2.0.0') => updates.has(version, { name, sha256 });
  assert.equal(has(), false);
  await upload(NAME, 'one');
  assert.equal(has(), false, 'not signed');
  await signed();
  assert.deepEqual([has(), has(WINDOWS), has(NAME, TWO), has(NAME, ONE, '2.1.0')], [true, false, false, false]);
  files.discard(files.pathOf(ONE));
  assert.equal(has(), false, 'not on the disk');
});

test('releases are listed newest first, with the number of screens that run each', async (t) => {
  const { upload, updates, put } = openUpdates(t);
  put('devices', ...['a', 'b'].map((id) => ({ id, version: '2.1.0', secret_hash: id })));
  assert.equal((await upload(NAME, 'one')).screens, 0);
  const { screens } = await upload(NAME.replace('2.0.0', '2.1.0'), 'two');
  assert.equal(screens, 2);
  assert.deepEqual(
    updates.list().map(({ version, screens, created_at }) => [version, screens, created_at]),
    [
      ['2.1.0', 2, 9],
      ['2.0.0', 0, 9],
    ],
  );
});

test('a file from headquarters is stored with its signature, and an interrupted transfer leaves no bytes', async (t) => {
  const { updates, signatureOf, kept, told } = openUpdates(t);
  const bring = (bytes: AsyncIterable<Buffer>, signature = signatureOf('one')) =>
    updates.bring(HERE, { name: NAME, size: 3, signature }, bytes);
  const chunks = async function* (...parts: (string | Error)[]) {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield Buffer.from(part);
    }
  };
  await assert.rejects(bring(chunks('o', new Error('broke off'))), /broke off/);
  assert.deepEqual([kept(), updates.list()], [[], []]);
  await bring(chunks('o', 'ne'));
  assert.deepEqual([kept(), updates.list()[0]!.files[0]!.signature], [[ONE], signatureOf('one')]);
  assert.deepEqual(await told(), [`release.uploaded: 2.0.0 ${NAME}`, `release.uploaded: 2.0.0 ${NAME}.sig`]);
});

test('a start deletes partial uploads, moves aside unnamed files, and hides missing files and foreign signatures', async (t) => {
  const { signed, upload, make, dir, kept, files, warnings, asideNames, signatureOf, aside } = openUpdates(t);
  await signed();
  await upload(WINDOWS, 'two');
  writeFileSync(join(dir, 'half.tmp'), 'x');
  const loose = ['a', 'b'].map((digit) => digit.repeat(64));
  for (const name of loose) writeFileSync(join(dir, name), 'x');
  const restarted = make();
  t.after(() => restarted.stop());
  restarted.start();
  assert.deepEqual([kept(), asideNames().length], [[ONE, TWO].sort(), 1]);
  assert.deepEqual(warnings.splice(0), [
    '2 release files that no release names were put aside (updates-aside). They come back when they are named again, and go after a week.',
  ]);
  const shown = (service = restarted) =>
    service.list()[0]!.files.map(({ name, signature }) => [name, signature] as const);
  assert.deepEqual(shown(), [
    [NAME, signatureOf('one')],
    [WINDOWS, null],
  ]);

  // Moves a file aside and deletes another file, as after a restore.
  aside.begin();
  assert.ok(aside.put(TWO));
  files.discard(files.pathOf(ONE));
  const stranger = make([newPublisher().publicKey]);
  t.after(() => stranger.stop());
  stranger.start();
  assert.deepEqual(
    [kept(), warnings.splice(0)],
    [[TWO], ['1 release files that had been put aside came back: the database names them.']],
  );
  assert.deepEqual(shown(stranger), [[WINDOWS, null]]);
  writeFileSync(files.pathOf(ONE), 'one');
  await stranger.runDue();
  assert.deepEqual(shown(stranger), [
    [NAME, null],
    [WINDOWS, null],
  ]);
  assert.deepEqual(warnings, [], 'nothing to say of nothing');
});

test('a missing file gets its signature back when it is uploaded again', async (t) => {
  const { signed, upload, updates, files, signatureOf } = openUpdates(t);
  t.after(() => updates.stop());
  await signed();
  files.discard(files.pathOf(ONE));
  updates.start();
  assert.deepEqual(updates.list()[0]!.files, []);
  const { files: again } = await upload(NAME, 'one');
  assert.deepEqual(
    again.map(({ sha256, signature }) => [sha256, signature]),
    [[ONE, signatureOf('one')]],
  );
});

test('an hourly check deletes files that were moved aside a week ago, and a disk error does not prevent the start', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const { updates, ages, aside, warnings, asideNames, dir } = openUpdates(t);
  const giveUp = aside.discard.bind(aside);
  let looked: Promise<void> | undefined;
  aside.discard = () => (looked = giveUp());
  const hour = async () => {
    mock.timers.tick(HOUR_MS);
    await looked;
  };
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, ONE), 'one');
  updates.start();
  assert.deepEqual([asideNames().length, ages.counted], [1, 0]);
  ages.of = 8 * 24 * HOUR_MS;
  await hour();
  assert.deepEqual([asideNames(), ages.counted], [[], 1]);
  mock.timers.tick(HOUR_MS - 1);
  assert.equal(ages.counted, 1);
  updates.stop();
  assert.equal(ages.counted, 2);
  await hour();
  assert.equal(ages.counted, 2);

  warnings.length = 0;
  const failed = 'The files of releases could not be looked after';
  ages.isBroken = true;
  await updates.runDue();
  updates.stop();
  assert.deepEqual(warnings.splice(0), [failed, failed]);
  aside.bringBack = () => assert.fail('no disk');
  updates.start();
  updates.stop();
  assert.deepEqual(warnings, [failed, failed]);
});
