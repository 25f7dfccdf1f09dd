/**
 * A release that goes from headquarters to a store's server, with real programs: the store fetches, installs, tries and
 * keeps the release. If the release does not run, the store reports to headquarters that the previous version runs
 * again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computer, owned, releaseOf, whyNoReleases } from '../faults/own-server.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { openHq } from './rig.ts';

const WAIT_MS = 150_000;

test('store installs a permitted release of headquarters, and a release that does not run stops the rollout', {
  skip: whyNoReleases,
  timeout: 500_000,
}, async (t) => {
  const hq = await openHq(t);
  const it = await computer(t);
  const { call, state, names } = await owned(t, it, {});
  const { id: mill } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { code } = must(await hq.call('POST', `/api/stores/${mill}/code`), 201);
  const address = `https://127.0.0.1:${hq.httpsPort}`;
  const link = await call('POST', '/api/chain', { address, code, lets_update: false });
  assert.deepEqual([link.status, link.body.link.lets_update], [201, 0]);
  for (const [version, made] of Object.entries({ '2.0.0': {}, '3.0.0': { main: 'process.exit(3);' } }))
    for (const { name, bytes } of releaseOf(t, version, made))
      must(await upload(hq.site, hq.owner.token, bytes, name, { path: '/api/updates/releases' }), 201);
  await until('it is up', WAIT_MS, async () => (await hq.get('/api/stores/counts')).line.up === 1);

  const begin = async (version: string) =>
    must(
      await hq.call('POST', '/api/stores/rollouts', {
        version,
        waves: [{ name: 'First', stores: { which: 'named', ids: [mill] } }],
        healthy_minutes: 0,
      }),
      201,
    ).id;
  const ends = (id: string) =>
    until('it comes to an end', WAIT_MS, async () => {
      const rollout = await hq.get(`/api/stores/rollouts/${id}`);
      return rollout.status !== 'running' && rollout;
    });
  const first = await begin('2.0.0');
  assert.match((await ends(first)).stopped_at.why, /does not allow updates from headquarters/);
  const allowed = await call('PUT', '/api/chain/updates', { lets_update: true });
  assert.equal(allowed.body.link.lets_update, 1);
  must(await hq.call('POST', `/api/stores/rollouts/${first}/resume`));
  assert.equal((await ends(first)).status, 'done', it.said());
  const after = await state();
  assert.deepEqual(
    [after.version, after.last.status, after.last.by, await names()],
    ['2.0.0', 'done', `owner (${(await call('GET', '/api/chain')).body.link.headquarters})`, ['Autumn']],
  );
  const [row] = await hq.get(`/api/stores/rollouts/${first}/stores`);
  assert.deepEqual([row.state, row.version], ['healthy', '2.0.0']);
  const [release] = (await call('GET', '/api/updates/releases')).body;
  assert.deepEqual([release.version, release.notes], ['2.0.0', 'Brighter.'], 'as if somebody had uploaded it');
  const log = (await call('GET', '/api/activity')).body.map(({ action }: { action: string }) => action);
  assert.ok(log.includes('release.uploaded') && log.includes('server.update_begun'));

  const second = await begin('3.0.0');
  const { stopped_at } = await ends(second);
  assert.equal(stopped_at.store_name, 'Mill');
  assert.match(
    stopped_at.why,
    /did not work in the store, and the earlier version runs again: the program ended with 3/,
  );
  assert.deepEqual([await it.health(), (await state()).last.status], ['2.0.0', 'failed']);
  assert.deepEqual((await hq.get('/api/stores/software')).versions, [{ version: '2.0.0', stores: 1 }]);
});
