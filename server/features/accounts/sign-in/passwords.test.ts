import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SecretBox } from '../secret-box.ts';
import { Passwords } from './passwords.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';

const CHEAP = { memoryCost: 1024, timeCost: 2, parallelism: 1 };

test('passwords are stored as argon2id with individual salts', async () => {
  const passwords = new Passwords();
  const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
  assert.match(one, /^\$argon2id\$v=19\$m=32768,p=1,t=3\$/);
  assert.notEqual(one, two);
  assert.equal(await passwords.matches(one, 'correct horse'), true);
  assert.equal(await passwords.matches(one, 'wrong horse'), false);
});

test('checking the password of an account without a password takes the same work and returns false', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash('correct horse');
  const time = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[0]!;
  };
  assert.equal(await passwords.matches(undefined, 'correct horse'), false);
  const [known, unknown] = [
    await time(() => passwords.matches(hash, 'wrong horse')),
    await time(() => passwords.matches(null, 'wrong horse')),
  ];
  assert.ok(unknown > known / 3 && unknown < known * 3, `${known} ms, ${unknown} ms`);
});

test('the same text in different code points is the same password', async () => {
  const passwords = new Passwords(CHEAP);
  assert.equal(await passwords.matches(await passwords.hash('Käse-Theke'), 'Ka\u0308se-Theke'), true);
});

test('a hash with other parameters is outdated', async () => {
  const hash = await new Passwords(CHEAP).hash('correct horse');
  assert.equal(await new Passwords(CHEAP).isOutdated(hash), false);
  assert.equal(await new Passwords({ ...CHEAP, timeCost: 3 }).isOutdated(hash), true);
});

test('password hashing answers 503 with a retry time when its queue is full, and serves the queued requests', async () => {
  const passwords = new Passwords(CHEAP);
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('correct horse')));
  const refused = results
    .filter((r) => r.status === 'rejected')
    .map((r) => r.reason as { status: number; retryAfter: number });
  assert.equal(refused.length, 80 - 2 - 64);
  assert.deepEqual([refused[0]?.status, refused[0]?.retryAfter], [503, 5]);
  assert.equal(typeof (await passwords.hash('correct horse')), 'string');
});

test('an encrypted secret decrypts only with its key and for its owner', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'keys', 'secrets.key');
  const box = new SecretBox(file);
  const sealed = box.seal('secret', 'anna');
  assert.equal(new SecretBox(file).open(sealed, 'anna'), 'secret');
  assert.notEqual(box.seal('secret', 'anna'), sealed);
  assert.equal(box.open(sealed, 'bea'), undefined);
  assert.equal(new SecretBox(join(folder, 'other.key')).open(sealed, 'anna'), undefined);
  const broken = Buffer.from(sealed, 'base64');
  broken[broken.length - 1]! ^= 1;
  assert.equal(box.open(broken.toString('base64'), 'anna'), undefined);
  for (const nonsense of ['', 'AAAA', 'not base64 at all']) assert.equal(box.open(nonsense, 'anna'), undefined);
});

test('an invalid key file is reported and never replaced', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secrets.key');
  writeFileSync(file, 'half a ke');
  assert.throws(() => new SecretBox(file).seal('secret', 'anna'), /Restore it from a backup/);
  assert.equal(readFileSync(file, 'utf8'), 'half a ke');
});

test('a recovery code is accepted with look-alike letters, in any case, and with blanks or dashes', () => {
  const [code] = newRecoveryCodes() as [string];
  const typed = code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l').replaceAll('-', ' ');
  assert.equal(recoveryHash('u', typed), recoveryHash('u', code));
  assert.notEqual(recoveryHash('v', code), recoveryHash('u', code));
});
