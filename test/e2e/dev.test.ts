/** `npm run dev` as a developer starts it: the server and the admin window from their source files. */
// Suite: journeys
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, tempFolder } from '../harness.ts';
import { until } from '../until.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('npm run dev serves the admin window by Vite, forwards requests to the server, and ends both processes', async (t) => {
  const port = await freePort();
  const dev = spawn(
    process.execPath,
    ['build/dev.mjs', '--data', tempFolder(t), '--no-discovery', '--no-https', '--host', '127.0.0.1'],
    { cwd: ROOT, env: { ...process.env, VITRINE_PORT: String(port), NO_COLOR: '1' } },
  );
  t.after(() => dev.kill('SIGKILL'));
  let output = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const origin = await until('Vite prints its address', 60_000, async () => /Local: +(http:\S+)\//.exec(output)?.[1]);
  const page = await (await fetch(`${origin}/`)).text();
  assert.match(page, /@vite\/client/, 'the page replaces changed parts');
  const source = await fetch(`${origin}/api/session/theme.ts`);
  assert.match(source.headers.get('content-type') ?? '', /javascript/, 'Vite serves the source files of admin-ui/api');
  const health = await until('the server answers behind Vite', 60_000, async () => {
    const answer = await fetch(`${origin}/api/health`);
    return answer.ok ? answer.status : undefined;
  });
  assert.equal(health, 200);
  dev.kill('SIGTERM');
  await once(dev, 'exit');
  await assert.rejects(fetch(`${origin}/`));
  await assert.rejects(fetch(`http://127.0.0.1:${port}/api/health`));
});
