/** Somebody else's judgement of the published document: a public linter, and a client that a public generator makes of it. Offline. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Site, startSite, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { pairPlayer } from '../player-client.ts';
import { ERROR_STATUSES } from './errors.ts';
import { picture } from './media.ts';
import { obedient } from './site.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
/** Both public tools at once; what they would tell their makers stays here. */
const redocly = (folder: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js'), ...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });

/**
 * The recommended rules as errors, but for four that ask for what the contract does not have: a redirect has no 2xx (verify-email), health
 * and the document itself refuse nothing, the paths are the contract's (`layouts/{id}/zones` beside `layouts/device/{deviceId}`),
 * and tags are words that need no description.
 */
const RULES = `extends: [recommended-strict]
rules:
  operation-2xx-response: off
  operation-4xx-response: off
  no-ambiguous-paths: off
  tag-description: off
`;

const published = async (t: TestContext, site: Site) => {
  const folder = tempFolder(t);
  const { status, body } = await site.call('GET', '/api/openapi.json');
  assert.equal(status, 200);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
  return { folder, document: body };
};

test('the published document passes a public linter without an error', async (t) => {
  const { folder } = await published(t, await startSite(t));
  writeFileSync(join(folder, 'redocly.yaml'), RULES);
  const { stdout } = await redocly(folder, 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000').catch(
    (error: { stdout: string }) => error,
  );
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    [],
  );
  assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
});

test('the published document names every endpoint that is bound, with its credential, its errors and a schema for every answer', async (t) => {
  const site = await startSite(t);
  const { document } = await published(t, site);
  assert.match(document.openapi, /^3\.1/);
  for (const endpoint of site.app.endpoints) {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    const name = `${endpoint.method} ${endpoint.path}`;
    assert.ok(operation, name);
    assert.deepEqual(operation.security, endpoint.access.kind === 'public' ? [] : [{ bearer: [] }], name);
    if (endpoint.status !== 302) assert.ok(Object.values<any>(operation.responses[endpoint.status].content)[0].schema, name);
    for (const status of ERROR_STATUSES(endpoint)) assert.ok(operation.responses[status], `${name} ${status}`);
    if (endpoint.paged) assert.ok(operation.responses[200].headers['X-Total-Count'], name);
    if (endpoint.etag) assert.ok(operation.responses[endpoint.status].headers.ETag, name);
    for (const parameter of operation.parameters ?? []) assert.ok(parameter.schema, `${name} ${parameter.name}`);
  }
});

test('the document is readable at /api/docs, without anything from elsewhere', async (t) => {
  const site = await startSite(t);
  const { status, headers, body } = await site.call('GET', '/api/docs');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /text\/html/);
  for (const word of ['/api/playlists/{id}/publish', '/api/auth/login', '/api/pip']) assert.ok(String(body).includes(word), word);
  assert.doesNotMatch(String(body), /(src|href)="https?:/);
});

type Operation = (args?: { path?: Record<string, string | number>; query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string> }) => Promise<any>;

/** A client of somebody else's making, from the document alone. */
const generatedClient = async (t: TestContext, site: Site): Promise<Record<string, Operation> & { auth: { bearer(token: string): void } }> => {
  const { folder } = await published(t, site);
  await redocly(folder, 'generate-client', 'openapi.json', '--output', 'client.ts', '--server-url', site.origin, '--import-ext', 'ts', '--args-style', 'grouped');
  return (await import(join(folder, 'client.ts'))).client;
};

test('a generated public client does a day’s work of an integrator', async (t) => {
  const site = await startSite(t);
  const api = await generatedClient(t, site);
  const { token, user } = await api['register']!({ body: { email: 'owner@store.test', password: 'correct horse' } });
  assert.equal(user.role, 'platform_admin');
  api.auth.bearer(token);
  const access = await api['createToken']!({ body: { name: 'Till system', scope: 'full' } });
  const player = await pairPlayer(t, site, token, 'Window');
  obedient(player);
  api.auth.bearer(access.token);

  const content = await api['uploadContent']!({ body: { file: new File([new Uint8Array(picture('offer'))], 'offer.gif') } });
  assert.equal(content.mime_type, 'image/gif');
  const playlist = await api['createPlaylist']!({ body: { name: 'Offers' } });
  const item = await api['addPlaylistItem']!({ path: { id: playlist.id }, body: { content_id: content.id, duration_sec: 8 } });
  assert.equal(item.duration_sec, 8);
  await api['replacePlaylistItemSchedules']!({ path: { id: playlist.id, itemId: item.id }, body: { blocks: [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '24:00' }] } });
  assert.equal((await api['publishPlaylist']!({ path: { id: playlist.id } })).status, 'published');

  const [device] = await api['listDevices']!({ query: { limit: 10 } });
  assert.equal(device.name, 'Window');
  const group = await api['createGroup']!({ body: { name: 'Ground floor' } });
  await api['addGroupDevice']!({ path: { id: group.id }, body: { device_id: device.id } });
  assert.equal((await api['assignGroupPlaylist']!({ path: { id: group.id }, body: { playlist_id: playlist.id } })).devices_updated, 1);
  assert.equal((await player.client.next('program')).type, 'program');
  const schedule = await api['createSchedule']!({
    body: { group_id: group.id, playlist_id: playlist.id, start_time: '2026-03-02T09:00', end_time: '2026-03-02T10:00', recurrence: 'FREQ=WEEKLY;BYDAY=MO' },
  });
  const week = await api['weekOfSchedules']!({ query: { device_id: device.id, date: '2026-03-04' } });
  assert.deepEqual(
    week.map((one: { id: string; instance_start: string }) => [one.id, one.instance_start]),
    [[schedule.id, '2026-03-02T09:00:00']],
  );
  const command = await api['commandGroup']!({ path: { id: group.id }, body: { type: 'screen_off' } });
  assert.deepEqual([command.sent, command.offline, command.results[0].status], [1, 0, 'done']);
  const overlay = await api['showOverlay']!({ body: { device_id: device.id, type: 'image', uri: 'http://till.store.test/sale.png' } });
  assert.equal(overlay.results[0].status, 'shown');
  await api['clearOverlay']!({ body: { device_id: device.id, pip_id: overlay.pip_id } });

  player.client.say({
    type: 'plays',
    first: 1,
    plays: [
      {
        id: 'p1',
        item_id: item.id,
        playlist_id: playlist.id,
        content_id: content.id,
        widget_id: null,
        zone_id: null,
        content_name: 'offer.gif',
        started_at: Date.now() - 8000,
        ended_at: Date.now(),
        completed: true,
      },
    ],
  });
  await player.client.next('plays.ack');
  const summary = await api['summarizePlays']!({ query: { group_by: 'content' } });
  assert.deepEqual(
    summary.by_content.map((row: { content_name: string; plays: number }) => [row.content_name, row.plays]),
    [['offer.gif', 1]],
  );
  assert.match(String(await api['exportPlays']!()), /^Device,Content,Started,Ended/);
  await assert.rejects(api['getPlaylist']!({ path: { id: 'nothing' } }), (error: { status?: number }) => error.status === 404);
  await api['deletePlaylist']!({ path: { id: playlist.id } });
  must(await site.call('GET', '/api/activity', { token: access.token }));
});
