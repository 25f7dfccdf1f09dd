import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownedSite, type Site, startSite } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { jpeg, png } from '../../../test/sample-media.ts';
import { until, upload, uploadAndVanish, uploadRaw } from '../../../test/uploads.ts';

const setUp = async (t: TestContext, env: Record<string, string> = {}) => {
  const { site, token } = await ownedSite(t, { env });
  return { site, token };
};
const filesOf = (site: Site): string[] =>
  readdirSync(join(site.data, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
const names = async (site: Site, token: string) =>
  (must(await site.call('GET', '/api/content', { token })) as { filename: string }[]).map((c) => c.filename);

test('the bytes of an upload decide its kind, not its name or declared type', async (t) => {
  const { site, token } = await setUp(t);
  const photo = await upload(site, token, await jpeg(), 'movie.mp4', { type: 'video/mp4' });
  assert.deepEqual([photo.status, photo.body.mime_type, photo.body.filename], [201, 'image/jpeg', 'movie.mp4']);
  const text = await upload(site, token, Buffer.from('just some text'), 'picture.jpg', { type: 'image/jpeg' });
  assert.equal(text.status, 415);
  assert.match(text.body.error, /is text/);
  assert.equal((await upload(site, token, Buffer.alloc(0), 'empty.jpg')).status, 415);
  assert.equal((await upload(site, token, (await jpeg()).subarray(0, 900), 'cut.jpg')).status, 415);
  assert.deepEqual(await names(site, token), ['movie.mp4']);
  // Only the photo and its thumbnail are stored. Nothing is left of the refused files.
  assert.equal(filesOf(site).length, 2);
});

test('the label of an upload contains no path separators or control characters, regardless of the file name', async (t) => {
  const { site, token } = await setUp(t);
  const bytes = await png(8, 8);
  const hostile: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['/etc/shadow', 'shadow'],
    ['C:\\Users\\x\\a.png', 'a.png'],
    ['\\\\server\\share\\a.png', 'a.png'],
    ['%2e%2e%2fetc%2fpasswd', '%2e%2e%2fetc%2fpasswd'],
    ['..%252f..%252fa.png', '..%252f..%252fa.png'],
    ['a.png:evil.exe', 'a.png:evil.exe'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['..', 'Untitled'],
    ['////', 'Untitled'],
    ['Été – 店.png', 'Été – 店.png'],
    ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
  ];
  for (const [given, label] of hostile) {
    const answer = await uploadRaw(
      site,
      token,
      bytes,
      `form-data; name="file"; filename="${given.replaceAll('\\', '\\\\')}"`,
    );
    assert.deepEqual([answer.status, answer.body.filename], [201, label], given);
    assert.doesNotMatch(answer.body.filename, /[/\\]/);
  }
  const encoded = await uploadRaw(
    site,
    token,
    bytes,
    'form-data; name="file"; filename*=UTF-8\'\'..%2F..%2Fa%00b%0A.png',
  );
  assert.deepEqual([encoded.status, encoded.body.filename], [201, 'ab.png']);
  assert.equal((await uploadRaw(site, token, bytes, 'form-data; name="file"; filename="a\u0000b.png"')).status, 400);
  for (const file of filesOf(site)) assert.match(file, /^[0-9a-f]{64}$/);
  const long = await uploadRaw(site, token, bytes, `form-data; name="file"; filename="${'n'.repeat(10_000)}.png"`);
  assert.deepEqual([long.status, long.body.filename.length, long.body.filename.slice(-4)], [201, 200, '.png']);
});

test('an upload must be multipart/form-data with one file in the field file', async (t) => {
  const { site, token } = await setUp(t);
  const bytes = await png();
  const wrongField = await upload(site, token, bytes, 'a.png', { field: 'picture' });
  assert.equal(wrongField.status, 400);
  assert.match(wrongField.body.error, /picture: is not expected; send the file as file/);
  const json = await site.call('POST', '/api/content', { token, body: { file: 'x' } });
  assert.deepEqual([json.status, /multipart/.test(json.body.error)], [400, true]);
  assert.equal((await site.call('POST', '/api/content', { token })).status, 400);
  const noFile = await fetch(`${site.origin}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: Object.assign(new FormData(), {}),
  });
  assert.equal(noFile.status, 400);
  await noFile.text();
  const two = new FormData();
  two.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
  two.append('file', new Blob([new Uint8Array(bytes)]), 'b.png');
  const both = await fetch(`${site.origin}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: two,
  });
  assert.match(((await both.json()) as { error: string }).error, /one file at a time/);
  const asText = new FormData();
  asText.set('file', 'just a value');
  const value = await fetch(`${site.origin}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: asText,
  });
  assert.match(((await value.json()) as { error: string }).error, /file: is required/);
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/mixed; boundary=b',
    'text/plain',
  ]) {
    const answer = await fetch(`${site.origin}/api/content`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
      body: 'nonsense',
    });
    assert.equal(answer.status, 400, type);
    await answer.text();
  }
  assert.deepEqual([await names(site, token), filesOf(site)], [[], []]);
});

test('an upload that ends before its last boundary is 400, and nothing is stored', async (t) => {
  const { site, token } = await setUp(t);
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    await png(),
  ]);
  const answer = await fetch(`${site.origin}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' },
    body: new Uint8Array(body),
  });
  assert.equal(answer.status, 400);
  await answer.text();
  assert.deepEqual([await names(site, token), filesOf(site)], [[], []]);
});

test('an upload that the client aborts leaves no files, and the server continues', async (t) => {
  const { site, token } = await setUp(t);
  await uploadAndVanish(site, token, Buffer.alloc(6 * 1024 * 1024, 1));
  await until(
    async () => filesOf(site),
    (files) => files.length === 0,
  );
  assert.deepEqual(await names(site, token), []);
  assert.equal((await upload(site, token, await png(), 'after.png')).status, 201);
});

test('an upload beyond the size limit is 413 and leaves no files, whether its size was announced or not', async (t) => {
  const { site, token } = await setUp(t, { VITRINE_MAX_UPLOAD_MB: '0.1' });
  const announced = await upload(site, token, Buffer.alloc(1024 * 1024), 'big.bin');
  assert.equal(announced.status, 413);
  assert.match(announced.body.error, /larger than/);
  const slightly = await upload(site, token, Buffer.alloc(110 * 1024), 'big.bin');
  assert.equal(slightly.status, 413);
  assert.deepEqual(filesOf(site), []);
  assert.equal((await upload(site, token, await png(), 'small.png')).status, 201);
});

test('an upload into an unknown folder is 404 before anything is stored', async (t) => {
  const { site, token } = await setUp(t);
  assert.equal(
    (await upload(site, token, await png(), 'a.png', { path: '/api/content?folder_id=unknown' })).status,
    404,
  );
  assert.deepEqual(filesOf(site), []);
});

test('an upload with control characters in its label is 400 before anything is stored, and an empty label is allowed', async (t) => {
  const { site, token } = await setUp(t);
  const into = async (folder: string) =>
    upload(site, token, await png(), 'a.png', { path: `/api/content?folder=${encodeURIComponent(folder)}` });
  for (const folder of ['a\u0000b', 'a\u0007b', 'a\nb', 'x'.repeat(201)]) {
    const { status, body } = await into(folder);
    assert.equal(status, 400, JSON.stringify(folder));
    assert.match(body.error, /^folder/);
  }
  assert.deepEqual(filesOf(site), []);
  assert.equal((await into('')).body.folder, '');
  assert.equal((await into('Summer')).body.folder, 'Summer');
});

test('partial files and unreferenced files are deleted after a restart', async (t) => {
  const first = await setUp(t);
  const photo = must((await upload(first.site, first.token, await jpeg(), 'a.jpg')) as never, 201);
  must(await first.site.call('DELETE', `/api/content/${photo.id}`, { token: first.token }));
  must(await first.site.call('DELETE', '/api/bin', { token: first.token }));
  assert.equal(filesOf(first.site).length, 2);
  await first.site.app.stop();
  const again = await startSite(t, { data: first.site.data });
  await until(
    async () => filesOf(again),
    (files) => files.length === 0,
  );
});

test('ten parallel uploads all succeed', async (t) => {
  const { site, token } = await setUp(t);
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => upload(site, token, await png(20 + i, 20), `${i}.png`)),
  );
  assert.deepEqual(
    answers.map((a) => a.status),
    Array(10).fill(201),
  );
  assert.equal((await names(site, token)).length, 10);
});
