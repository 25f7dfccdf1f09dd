import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { artefactOf, MAX_RELEASE_KEYS, notesText, notesVersionOf } from '../shared/protocol/releases/release-format.ts';
import { ReleaseNotes, releaseKeysIn } from '../shared/protocol/releases/release-signature.ts';
import {
  artifactName,
  CannotSign,
  keysOf,
  manifestOf,
  notesIn,
  publisherFrom,
  writeNotes,
  writeSignatures,
} from './release-signing.ts';

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const pemOf = (key = generateKeyPairSync('ed25519').privateKey) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const PACKAGE = { name: 'vitrine', version: '1.2.0', description: '', license: 'MIT', author: '' };
/** Replaces the placeholders in a pattern of file names, as electron-builder does. */
const filled = (pattern: string) =>
  pattern.replace(
    /\$\{(\w+)\}/g,
    (_all, name) =>
      ({ productName: 'Vitrine', version: '1.2.0', os: 'linux', arch: 'x64', ext: 'tar.gz' })[name as string]!,
  );

test('signing key comes from the option’s file, or else from the path or PEM text in the environment', (t) => {
  const [one, two] = [pemOf(), pemOf()];
  const file = join(folderOf(t), 'key.pem');
  writeFileSync(file, one);
  const key = (pem: string) => publisherFrom(undefined, { VITRINE_RELEASE_KEY: pem })!.publicKey;
  assert.equal(publisherFrom(file, { VITRINE_RELEASE_KEY: two })!.publicKey, key(one));
  assert.equal(publisherFrom(undefined, { VITRINE_RELEASE_KEY: file })!.publicKey, key(one));
  assert.notEqual(key(one), key(two));
  assert.equal(publisherFrom(undefined, {}), undefined);
  assert.equal(publisherFrom(undefined, { VITRINE_RELEASE_KEY: '' }), undefined);
});

test('unusable signing key is an error, and no unsigned package is made instead', (t) => {
  const folder = folderOf(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const wrong = {
    'no file': join(folder, 'none.pem'),
    'no key': file('text.pem', 'hello'),
    'the public half': file('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    'another kind': file('ec.pem', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)),
    'a password on it': file(
      'locked.pem',
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
    ),
  };
  for (const [what, path] of Object.entries(wrong)) {
    assert.throws(() => publisherFrom(path, {}), CannotSign, what);
    assert.throws(() => publisherFrom(undefined, { VITRINE_RELEASE_KEY: path }), CannotSign, what);
  }
  for (const none of [null, '']) assert.throws(() => publisherFrom(none, { VITRINE_RELEASE_KEY: pemOf() }), CannotSign);
  for (const text of [
    '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n',
    'c2VjcmV0',
    'c2VjcmV0'.repeat(1000),
  ]) {
    assert.throws(
      () => publisherFrom(undefined, { VITRINE_RELEASE_KEY: text }),
      (error: Error) => error instanceof CannotSign && !error.message.includes('c2VjcmV0'),
      'nothing of it is said',
    );
  }
});

test('package trusts its signing key and listed further keys, and an unsigned package trusts none', () => {
  const [publisher, next] = [
    publisherFrom(undefined, { VITRINE_RELEASE_KEY: pemOf() })!,
    publisherFrom(undefined, { VITRINE_RELEASE_KEY: pemOf() })!.publicKey,
  ];
  const keys = keysOf(publisher, `${next}, ${publisher.publicKey},`);
  assert.deepEqual(keys, [publisher.publicKey, next]);
  assert.deepEqual(releaseKeysIn(manifestOf(PACKAGE, 'player', keys)), keys);
  assert.deepEqual(keysOf(undefined), []);
  assert.ok(!('vitrineReleaseKeys' in manifestOf(PACKAGE, undefined, [])));
  assert.throws(() => keysOf(undefined, next), CannotSign);
  for (const wrong of ['x', next.slice(24), next.toUpperCase()])
    assert.throws(() => keysOf(publisher, wrong), CannotSign);
  const many = Array.from({ length: MAX_RELEASE_KEYS }, (_, i) => next.slice(0, -2) + String(10 + i)).join(',');
  assert.throws(() => keysOf(publisher, many), CannotSign);
  assert.throws(() => manifestOf({ ...PACKAGE, version: '1.2' }, undefined, keys), CannotSign);
  assert.ok(manifestOf({ ...PACKAGE, version: '1.2' }, undefined, []));
});

test('name of an unsigned file says that it is unsigned, and the file is not recognized as a release', () => {
  assert.equal(filled(artifactName(undefined, true)), 'Vitrine-1.2.0-linux-x64.tar.gz');
  assert.equal(artefactOf(filled(artifactName('player', true)))?.part, 'player');
  for (const role of [undefined, 'server', 'player', 'both'] as const) {
    const name = filled(artifactName(role, false));
    assert.match(name, /-dev-unsigned-/);
    assert.equal(artefactOf(name), undefined);
  }
});

test('each artefact gets a signature file that covers its version, its kind and all its bytes', async (t) => {
  const folder = folderOf(t);
  const publisher = publisherFrom(undefined, { VITRINE_RELEASE_KEY: pemOf() })!;
  const names = [
    'Vitrine-player-1.2.0-linux-x86_64.AppImage',
    'Vitrine-1.2.0-win-x64.zip',
    'Vitrine-1.2.0-win.exe',
    'Vitrine-1.2.0-linux-x64.AppImage.blockmap',
  ];
  for (const name of names) writeFileSync(join(folder, name), 'abc');
  const { signed, left } = await writeSignatures(
    names.map((name) => join(folder, name)),
    publisher,
  );
  assert.deepEqual([signed, left], [names.slice(0, 2), names.slice(2)]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.sig')),
    signed.map((name) => `${name}.sig`).toSorted(),
  );
  const text =
    'vitrine release\n1.2.0\nlinux\nx64\nAppImage\nplayer\n3\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const line = readFileSync(join(folder, `${names[0]}.sig`), 'utf8');
  assert.match(line, /^[0-9a-f]{128}\n$/);
  const key = createPublicKey({ key: Buffer.from(publisher.publicKey, 'hex'), format: 'der', type: 'spki' });
  assert.ok(verify(null, Buffer.from(text), key, Buffer.from(line.trim(), 'hex')));
});

test('notes of a version are taken from the change log and signed with the version', (t) => {
  const folder = folderOf(t);
  const log =
    '# What is new\n\n## 1.2.0\n\nScreens <b>glow</b>.\r\n\n- Less\tdark\n\n## [1.1.0] 2026-11-01\nOld.\n\n## 1.0.0\n\n';
  assert.equal(notesIn(log, '1.2.0'), 'Screens <b>glow</b>.\n\n- Less  dark');
  assert.equal(notesIn(log, '1.1.0'), 'Old.');
  assert.deepEqual(
    [notesIn(log, '1.0.0'), notesIn(log, '1.2'), notesIn(log, '9.9.9')],
    [undefined, undefined, undefined],
  );
  const publisher = publisherFrom(undefined, { VITRINE_RELEASE_KEY: pemOf() })!;
  const name = writeNotes(folder, '1.2.0', log, publisher)!;
  assert.equal(notesVersionOf(name), '1.2.0');
  const { notes, signature } = ReleaseNotes.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const key = createPublicKey({ key: Buffer.from(publisher.publicKey, 'hex'), format: 'der', type: 'spki' });
  const isOf = (version: string) =>
    verify(null, Buffer.from(notesText({ version, notes })), key, Buffer.from(signature, 'hex'));
  assert.deepEqual([isOf('1.2.0'), isOf('1.2.1')], [true, false]);
  assert.equal(writeNotes(folder, '9.9.9', log, publisher), undefined);
  for (const wrong of ['x'.repeat(20_001), 'a\u0007b', 'a\u009bb'])
    assert.throws(() => writeNotes(folder, '1.2.0', `## 1.2.0\n${wrong}`, publisher), CannotSign);
});

test('change log contains the version of package.json', () => {
  const root = join(import.meta.dirname, '..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.ok(notesIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
});
