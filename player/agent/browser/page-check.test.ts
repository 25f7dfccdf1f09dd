import assert from 'node:assert/strict';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { serve } from '../../../test/serve.ts';
import { pageProblem } from './page-check.ts';

const asker = { ancestor: 'http://127.0.0.1:4711', userAgent: 'Chromium of the screen', languages: 'de-AT' };

async function site(t: TestContext, answers: Record<string, [status: number, headers: Record<string, string>]>) {
  const heard: Record<string, unknown>[] = [];
  const { origin } = await serve(t, (request, response) => {
    heard.push(request.headers);
    const [status, headers] = answers[request.url ?? ''] ?? [200, {}];
    response.writeHead(status, headers);
    if (status === 204) return void response.end();
    // A page whose body never ends, so that the test shows that only headers are read.
    response.write('<!doctype html>');
  });
  return { heard, ask: (path: string) => pageProblem(`${origin}${path}`, asker) };
}

test('pageProblem sends the headers of the browser, reads only headers, and follows redirects', async (t) => {
  const { ask, heard } = await site(t, {
    '/old': [301, { location: '/new' }],
    '/round': [302, { location: '/round' }],
    '/away': [302, { location: 'file:///etc/passwd' }],
  });
  assert.equal(await ask('/'), null);
  assert.equal(heard[0]?.['user-agent'], 'Chromium of the screen');
  assert.equal(heard[0]?.['accept-language'], 'de-AT');
  assert.equal(await ask('/old'), null);
  assert.equal(await ask('/round'), 'the address redirects too many times');
  assert.equal(await ask('/away'), 'the address does not begin with http:// or https://');
});

test('pageProblem returns a sentence for a response that cannot be shown as a page', async (t) => {
  const { ask } = await site(t, {
    '/gone': [404, {}],
    '/empty': [204, {}],
    '/file': [200, { 'content-disposition': 'Attachment' }],
    '/own': [200, { 'x-frame-options': 'SAMEORIGIN' }],
  });
  assert.equal(await ask('/gone'), 'the address answers with the error 404');
  assert.equal(await ask('/empty'), 'the address is not a web page');
  assert.equal(await ask('/file'), 'the address is not a web page');
  assert.match((await ask('/own')) ?? '', /does not allow other pages to show/);
});

test('pageProblem refuses media types that a browser downloads, and accepts media types that it shows', async (t) => {
  const files = [
    'application/octet-stream',
    'application/zip',
    'Application/PDF; charset=binary',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/csv',
    'text/calendar; charset=utf-8',
    'image/heic',
    'video/x-msvideo',
    'font/woff2',
  ];
  const pages = [
    'text/html',
    'application/xhtml+xml; charset=utf-8',
    'text/plain',
    'text/css',
    'application/json',
    'application/ld+json',
    'application/rss+xml',
    'text/javascript',
    'image/png',
    'image/svg+xml',
    'video/mp4',
    'audio/mpeg',
    'multipart/x-mixed-replace; boundary=frame',
    '',
    'nonsense',
  ];
  const { ask } = await site(
    t,
    Object.fromEntries([...files, ...pages].map((type, n) => [`/${n}`, [200, type ? { 'content-type': type } : {}]])),
  );
  for (const [n, type] of [...files, ...pages].entries())
    assert.equal(await ask(`/${n}`), n < files.length ? 'the address is not a web page' : null, type);
});

test('pageProblem returns a sentence for a missing server, a protocol other than HTTP, and an invalid address', async (t) => {
  const other = createTcpServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  assert.equal(await pageProblem(`http://127.0.0.1:${port}/`, asker), 'the address does not answer');
  assert.equal(await pageProblem('http://127.0.0.1:9/', asker), 'the address does not answer');
  assert.equal(await pageProblem('http://nowhere.invalid/', asker), 'the address does not answer');
  for (const address of ['', 'javascript:alert(1)', 'file:///etc/passwd', 'offers'])
    assert.equal(await pageProblem(address, asker), 'the address does not begin with http:// or https://', address);
});
