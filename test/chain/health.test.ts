/** Health and metrics endpoints of a headquarters while PostgreSQL or the hub beside it, both real, is stopped. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverOn } from '../../server/cli/doctor/network.ts';
import { VERSION } from '../../server/version.ts';
import { workingVersion } from '../../shared/contract/server/health.ts';
import { until } from '../until.ts';
import { noHub, openHub } from './hub.ts';
import { noPostgres, Postgres } from './postgres.ts';
import { openHq, type Server } from './rig.ts';

const WAIT_MS = 30_000;

/** Returns the answer of the health endpoint. Throws when the answer takes 2 s or longer. */
const healthOf = async ({ site }: Server) => {
  const at = performance.now();
  const answer = await site.call('GET', '/api/health');
  const ms = performance.now() - at;
  assert.ok(ms < 2_000, `health took ${ms} ms`);
  return answer;
};
const metricsOf = async ({ site }: Server): Promise<string> => (await fetch(`${site.origin}/metrics`)).text();
const problemsOf = async (hq: Server): Promise<string[]> =>
  (await hq.get('/api/server/status')).problems.map(({ code }: { code: string }) => code);

test('health answers 503 and names PostgreSQL while PostgreSQL is stopped, and metrics and status agree', {
  skip: noPostgres,
}, async (t) => {
  const postgres = await Postgres.open(t);
  const hq = await openHq(t, { env: { VITRINE_POSTGRES: await postgres.database() } });
  const isOk = async () => (await healthOf(hq)).status === 200;
  await until('headquarters uses PostgreSQL', WAIT_MS, isOk);
  assert.match(await metricsOf(hq), /^vitrine_postgres_up 1$/m);
  assert.doesNotMatch(await metricsOf(hq), /vitrine_hub_up/);
  assert.ok(!(await problemsOf(hq)).includes('postgres_failing'));

  await postgres.kill();
  await until('health tells it', WAIT_MS, async () => !(await isOk()));
  const { status, body, headers } = await healthOf(hq);
  assert.equal(status, 503);
  assert.match(body.error, /^The database of plays cannot be reached/);
  assert.deepEqual([body.code, body.params], ['postgres_failing', { version: VERSION }]);
  assert.equal(headers.get('retry-after'), '5');
  assert.match(await metricsOf(hq), /^vitrine_postgres_up 0$/m);
  assert.ok((await problemsOf(hq)).includes('postgres_failing'));
  // The answer still names a working version, so an update is not rolled back, and the doctor recognizes the server on
  // its port.
  assert.equal(workingVersion(body), VERSION);
  const port = Number(new URL(hq.site.origin).port);
  const { level, text } = await serverOn({ data: hq.site.data, port, inUse: true } as never);
  assert.deepEqual([level, text], ['ok', `A Vitrine server (${VERSION}) is running on port ${port}`]);

  await postgres.start();
  await until('headquarters uses PostgreSQL again', WAIT_MS, isOk);
  assert.match(await metricsOf(hq), /^vitrine_postgres_up 1$/m);
});

test('health is degraded and names the hub while the hub is stopped, and metrics and status agree', {
  skip: noHub,
}, async (t) => {
  const { hq, hub } = await openHub(t);
  await until('the hub is used', WAIT_MS, async () => (await healthOf(hq)).body.status === 'ok');
  assert.match(await metricsOf(hq), /^vitrine_hub_up 1$/m);
  await hub.kill();
  await until('health tells it', WAIT_MS, async () => (await healthOf(hq)).body.status === 'degraded');
  const { status, body } = await healthOf(hq);
  assert.deepEqual([status, body.failing, workingVersion(body)], [200, ['hub'], VERSION]);
  assert.match(await metricsOf(hq), /^vitrine_hub_up 0$/m);
  assert.ok((await problemsOf(hq)).includes('hub_failing'));
  await hub.start();
  await until('the hub is back', WAIT_MS, async () => (await healthOf(hq)).body.status === 'ok');
});

test('health and metrics of a server without PostgreSQL and hub name neither of them', async (t) => {
  const hq = await openHq(t);
  const { status, body } = await healthOf(hq);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['status', 'version', 'uptime_seconds']);
  assert.doesNotMatch(await metricsOf(hq), /vitrine_(hub|postgres)_up/);
});
