/**
 * A new player version, from the administrator's upload to the screen that runs it: the real server, the real agent,
 * and a release that is a folder with a script.
 */
// Suite: window
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Agent } from '../../player/agent/agent.ts';
import { agentOf } from '../../player/agent/testing/agents.ts';
import { ALIVE, report } from '../../player/agent/testing/plays.ts';
import { releaseOf } from '../../player/updates/testing/offers.ts';
import { UpdateFiles } from '../../player/updates/update-files.ts';
import { choose } from '../../shared/desktop/update-state.ts';
import { startSite, tempFolder } from '../harness.ts';
import { must, person } from '../people.ts';
import { newPublisher } from '../publisher.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';

const LIMIT_MS = 30_000;

/** Starts the agent of the given version. The screen is always the same. */
const agents = (t: TestContext, folder: string, server: string, keys: readonly string[]) => {
  const pages = join(folder, 'pages');
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>screen</title>');
  const made = agentOf({ server, data: join(folder, 'data') }, { pages });
  return async (version: string) => {
    const { promise: restarted, resolve } = Promise.withResolvers<void>();
    const agent = new Agent({
      ...made,
      version,
      updates: { folder: join(folder, 'updates'), keys, restart: resolve },
    });
    t.after(() => agent.stop());
    return { agent, restarted, url: await agent.start() };
  };
};

test('release reaches its first screen, which downloads the release, restarts and keeps it', {
  skip: process.platform !== 'linux' && 'the release of this test is one for Linux',
}, async (t) => {
  const publisher = newPublisher();
  const site = await startSite(t, { releaseKeys: [publisher.publicKey] });
  const admin = await person(site, 'owner@store.test');
  const call = (method: string, path: string, body?: unknown) => site.call(method, path, { token: admin.token, body });
  const folder = tempFolder(t);
  const start = agents(t, folder, site.origin, [publisher.publicKey]);
  const files = new UpdateFiles(join(folder, 'updates'));

  const old = await start('1.0.0');
  const pending = await until(
    'a screen that waits',
    LIMIT_MS,
    async () => must(await call('GET', '/api/devices/pending'))[0],
  );
  const device = must(await call('POST', '/api/devices/pair', { pending_id: pending.pending_id }), 201);
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const [name, bytes] = [`Vitrine-2.0.0-linux-${arch}.tar.gz`, releaseOf(folder, '2.0.0')];
  must(await upload(site, admin.token, bytes, name, { path: '/api/updates/releases' }), 201);
  const release = must(
    await upload(site, admin.token, Buffer.from(`${publisher.sign(name, bytes)}\n`), `${name}.sig`, {
      path: '/api/updates/releases',
    }),
    201,
  );
  const online = async () => must(await call('GET', `/api/devices/${device.id}`)).status === 'online';
  await until('the screen online', LIMIT_MS, online);
  const rollout = must(
    await call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: device.id }),
    201,
  );

  await old.restarted;
  assert.equal(execFileSync(files.program('2.0.0')!, { encoding: 'utf8' }), '2.0.0\n');
  await old.agent.stop();
  // Chooses the version to run, as the launcher does.
  const next = choose(await files.read(), '1.0.0');
  assert.equal(next.run, '2.0.0');
  await files.write(next.state);

  const fresh = await start('2.0.0');
  await until('the new version to stay', LIMIT_MS, async () => {
    await report(fresh.url, [ALIVE]);
    return (await files.read()).current === '2.0.0';
  });
  const seen = await until('the server to see it', LIMIT_MS, async () => {
    const { devices } = must(await call('GET', `/api/updates/rollouts/${rollout.id}`));
    return devices[0].version === '2.0.0' && devices[0];
  });
  assert.deepEqual([seen.status, seen.online], ['told', 1], 'it is healthy once it has settled');
});
