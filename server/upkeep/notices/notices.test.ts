/** Tests that every declared type of notice is received by a real webhook server and a real MQTT broker. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Aedes } from 'aedes';
import { NOTICES, type NoticeType, noticeExample, noticeSchema } from '../../../shared/contract/server/notices.ts';
import { picture } from '../../../test/api/media.ts';
import { firstUser, startSite } from '../../../test/harness.ts';
import { callAs, must } from '../../../test/people.ts';
import { pairPlayer, playOf } from '../../../test/player-client.ts';
import { until, upload } from '../../../test/uploads.ts';

type Received = Record<string, unknown> & { readonly type: NoticeType };
const TYPES = Object.keys(NOTICES) as NoticeType[];
/** Topics that the documentation page for integrators lists, with `<screen id>` in place of an id. */
const documentedTopics = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/integrating/mqtt.md'), 'utf8').matchAll(
    /^\| `vitrine\/([^`]+)` /gm,
  ),
].map(([, topic]) => topic!);
/** Returns a schema that refuses undeclared fields. */
const strictly = (type: NoticeType) => noticeSchema(type).strict();

const webhookReceiver = async (t: TestContext) => {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => (body += text));
    req.on('end', () => {
      received.push(JSON.parse(body));
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

const mqttBroker = async (t: TestContext) => {
  const received: { topic: string; body: string }[] = [];
  const broker = await Aedes.createBroker();
  broker.on('publish', ({ topic, payload }: { topic: string; payload: Buffer | string }) =>
    received.push({ topic, body: payload.toString() }),
  );
  const listener = createTcp(broker.handle).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => {
    listener.close();
    broker.close();
  });
  return { received, url: `mqtt://127.0.0.1:${(listener.address() as AddressInfo).port}` };
};

for (const type of TYPES)
  test(`example of ${type} in the documentation has exactly the declared fields`, () => {
    assert.deepEqual(strictly(type).safeParse(noticeExample(type)).error?.issues ?? [], []);
  });

/** Types of notices that need a lost connection or a wrong clock. Another test sends them. */
const BY_TIME: readonly NoticeType[] = ['screen.offline', 'clock.doubtful', 'clock.sure'];

/** Causes every other notice once. For disks, alerts and updates, calls the code that detects the problem. */
const doEverything = async (t: TestContext, settings: Record<string, unknown>) => {
  const site = await startSite(t);
  const { token, current_workspace_id } = await firstUser(site);
  const call = callAs(site, token);
  must(await call('PUT', '/api/server/upkeep', settings));
  await until(
    async () => site.app.upkeep.mqtt.failure,
    (failure) => failure === null,
  );
  must(await call('PUT', `/api/workspaces/${current_workspace_id}`, { approval: 1 }));
  const content = must(await upload(site, token, picture('a'), 'a.gif'), 201);
  const screen = await pairPlayer(t, site, token, 'Till');
  screen.client.say({ type: 'plays', first: 1, plays: [playOf({ id: 'play-1' })] });
  const playlist = must(await call('POST', '/api/playlists', { name: 'Offers' }), 201);
  must(await call('POST', `/api/playlists/${playlist.id}/items`, { content_id: content.id }), 201);
  must(await call('POST', `/api/playlists/${playlist.id}/publish-request`, { note: '' }), 201);
  must(await call('POST', `/api/playlists/${playlist.id}/publish`));
  const when = { start_time: '2030-03-02T09:00', end_time: '2030-03-02T10:00', playlist_id: playlist.id };
  const targets = [{ kind: 'device', id: screen.deviceId }];
  const plan = must(await call('POST', '/api/plans', { ...when, targets, title: 'Black Friday' }), 201);
  must(await call('PUT', `/api/plans/${plan.id}`, { title: 'Cyber Monday' }));
  must(await call('DELETE', `/api/plans/${plan.id}`));
  const schedule = must(
    await call('POST', '/api/schedules', { ...when, device_id: screen.deviceId, title: 'Lunch' }),
    201,
  );
  must(await call('PUT', `/api/schedules/${schedule.id}`, { title: 'Dinner' }));
  must(await call('DELETE', `/api/schedules/${schedule.id}`));
  const message = must(
    await call('POST', '/api/messages', { template: 'notice', title: 'Closing', text: 'soon', targets }),
    201,
  );
  must(await call('DELETE', `/api/messages/${message.id}`));
  must(await call('DELETE', `/api/playlists/${playlist.id}`));
  const { notices } = site.app.upkeep;
  const { workspace_id } = content;
  const tell = { mail: false, webhook: true, mqtt: true };
  const alert = {
    id: 'a',
    kind: 'screen_dark',
    ref: screen.deviceId,
    name: 'Till',
    workspace_id,
    since: 1,
    facts: {},
    tell,
  };
  notices.alertsRaised([alert as never]);
  notices.alertsEnded([alert as never]);
  notices.alertsRaised([
    { ...alert, kind: 'server', ref: 'backup_failed', workspace_id: null, facts: { message: 'No room' } } as never,
  ]);
  const dark = [{ id: screen.deviceId, name: 'Till', workspace_id, since: 1 }];
  notices.dark(dark as never, 15);
  notices.back(dark as never);
  for (const level of ['low', 'full', 'ok'] as const) notices.diskLevel(level, 'The disk.');
  notices.databaseDamaged('Damaged.');
  notices.databaseFailing('Failing.');
  notices.certificateEnds('Ends.');
  notices.updateStopped('Stopped.');
  must(await call('POST', '/api/server/upkeep/test'));
};

test('webhook receives every declared type of notice with exactly the declared fields, and so does MQTT', async (t) => {
  const [hook, broker] = [await webhookReceiver(t), await mqttBroker(t)];
  const settings = { webhook_url: hook.url, webhook_plays: 1, mqtt_url: broker.url, mqtt_topic: 'shop', mqtt_plays: 1 };
  await doEverything(t, settings);
  const missing = () =>
    TYPES.filter((type) => !BY_TIME.includes(type) && !hook.received.some((notice) => notice.type === type));
  await until(
    async () => missing(),
    (types) => types.length === 0,
  );
  for (const notice of hook.received)
    assert.deepEqual([notice.type, strictly(notice.type).safeParse(notice).error?.issues ?? []], [notice.type, []]);
  const published = hook.received.find(({ type }) => type === 'playlist.published')!;
  assert.deepEqual((published['playlist'] as { name: string }).name, 'Offers');

  const events = broker.received.filter(({ topic }) => topic === 'shop/events').map(({ body }) => JSON.parse(body));
  const ofTopics = (type: NoticeType) => /^(screen\.|plays$)/.test(type);
  assert.deepEqual(
    TYPES.filter((type) => !BY_TIME.includes(type) && !ofTopics(type) && !events.some((event) => event.type === type)),
    [],
  );
  for (const event of events) assert.deepEqual(strictly(event.type).safeParse(event).error?.issues ?? [], []);
  const topics = broker.received
    .filter(({ topic }) => topic.startsWith('shop/'))
    .map(({ topic }) => topic.replace(/^shop\//, '').replace(/^(screen|plays)\/.+$/, '$1/<screen id>'));
  assert.deepEqual([...new Set(topics)].sort(), [...documentedTopics].sort());
});

test('webhook receives many edits of one minute as 20 single notices and one notice for all further edits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { Notices } = await import('./notices.ts');
  const { Bus } = await import('../../kernel/bus.ts');
  const sent: Received[] = [];
  const outlet = { send: (notice: unknown) => void sent.push(notice as Received) };
  const bus = new Bus(() => {});
  const notices = new Notices({
    bus,
    clock: { now: () => 0 },
    webhook: outlet,
    mqtt: { send: () => {}, forget: () => {}, onConnect: () => {} },
    mails: { stop: () => {}, trouble: () => {} },
    settings: { values: { webhook_url: 'http://x', mqtt_url: '' }, onChange: () => () => {} },
    store: { screen: (id: string) => ({ id, name: 'Till', workspace_id: 'w' }) },
    server: () => ({ id: 's', name: 'Store' }),
    isOnline: () => true,
  } as never);
  notices.start();
  bus.emit('presence', { deviceId: 'd', workspaceId: 'w', status: 'offline' });
  bus.emit('clockDoubtful', 'Doubtful.');
  bus.emit('clockSure', 'Right.');
  assert.deepEqual(sent.map(({ type }) => type).sort(), [...BY_TIME].sort());
  for (const notice of sent.splice(0))
    assert.deepEqual(strictly(notice.type).safeParse(notice).error?.issues ?? [], []);
  for (let n = 1; n <= 150; n++)
    bus.emit('acted', { workspaceId: 'w', action: 'playlist.deleted', record: { id: `${n}`, name: 'P' }, by: 'Anna' });
  assert.equal(sent.length, 20);
  t.mock.timers.tick(60_000);
  assert.equal(sent.length, 21);
  const { count, playlists, playlist } = sent[20] as unknown as {
    count: number;
    playlists: { id: string }[];
    playlist: { id: string };
  };
  assert.deepEqual([count, playlists.length, playlists[0]!.id, playlist.id], [130, 100, '21', '21']);
  assert.deepEqual(strictly('playlist.deleted').safeParse(sent[20]).error?.issues ?? [], []);
  notices.stop();
});
