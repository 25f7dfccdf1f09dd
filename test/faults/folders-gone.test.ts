/**
 * Folders of the server that are removed while it runs: the server creates them again, reports what is missing, and
 * continues.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { picture } from '../api/media.ts';
import { firstUser, startSite } from '../harness.ts';
import { must } from '../people.ts';
import { until, upload } from '../uploads.ts';

test('running server continues without its media, log, backup, update and key folders, and reports what is missing', {
  timeout: 60_000,
}, async (t) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const get = (path: string) => site.call('GET', path, { token });
  const codes = async () =>
    (await get('/api/server/status')).body.problems.map(({ code }: { code: string }) => code) as string[];
  const before = must(await upload(site, token, picture('before'), 'before.gif'), 201);
  assert.equal((await get(`/api/content/${before.id}/file`)).status, 200);

  for (const name of ['media', 'logs', 'backups', 'updates', 'pages'])
    rmSync(join(site.data, name), { recursive: true, force: true });
  const gone = await get(`/api/content/${before.id}/file`);
  assert.deepEqual([gone.status, /The file on the server’s disk/.test(gone.body.error)], [404, true]);
  assert.equal((await get(`/api/content/${before.id}/thumbnail`)).status, 404);
  await site.app.upkeep.media.glance();
  assert.ok((await codes()).includes('media_missing'), 'noticed though nobody uploads anything');

  for (const name of ['after', 'another']) {
    const after = must(await upload(site, token, picture(name), `${name}.gif`), 201);
    assert.equal((await get(`/api/content/${after.id}/file`)).status, 200);
    assert.equal((await get(`/api/content/${after.id}/thumbnail`)).status, 200);
  }
  must(await upload(site, token, picture('before'), 'again.gif'), 201);
  assert.equal((await get(`/api/content/${before.id}/file`)).status, 200, 'the same bytes sent again heal it');
  await site.app.upkeep.media.runDue({ now: true });
  assert.equal((await codes()).includes('media_missing'), false);

  must(await site.call('POST', '/api/server/backups', { token, body: {} }), 201);
  await until(
    async () => {
      site.app.log.warn('said after the folder was removed');
      return existsSync(join(site.data, 'logs', 'server.log'));
    },
    (isThere) => isThere,
  );
  rmSync(join(site.data, 'keys'), { recursive: true });
  assert.ok((await codes()).includes('keys_missing'));
});
