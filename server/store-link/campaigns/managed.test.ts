/** Tests how people of a store view the content of headquarters, fill slots, and drop campaigns after leaving. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Readiness } from '../../../shared/chain/campaign.ts';
import { tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { addDevice, addWorkspace } from '../../features/reports/testing/plays.ts';
import { actorOf } from '../../headquarters/testing/campaigns.ts';
import { Bus } from '../../kernel/bus.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { adventOf } from '../testing/held.ts';
import { ManagedService } from './managed.service.ts';
import { ManagedStore } from './managed.store.ts';
import { Slots } from './slots.ts';

const OLGA = { ...actorOf('olga'), workspaceId: 'our' };

const setUp = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  t.after(() => db.close());
  for (const workspace of ['our', 'their']) addWorkspace(db, workspace);
  const store = new ManagedStore(db);
  const [said, told]: [string[], string[]] = [[], []];
  const bus = new Bus(() => {});
  bus.on('changed', ({ workspaceId, topic, ids }) => told.push([workspaceId, topic, ...(ids ?? [])].join(' ')));
  const slots = new Slots({ store, programs: { publishedItems: () => [] } });
  let ready: Readiness[] | undefined;
  const held = new ManagedService({
    ...{ db, bus, store, slots, screens: new ChainStore(db) },
    activity: { add: ({ action, details }) => void said.push(`${action} ${details}`) },
    readiness: () => ready,
    timezone: () => 'UTC',
  });
  /** @param more columns of the campaign's row */
  const add = (campaign: string, more: Parameters<typeof put>[2] = {}, doc: Parameters<typeof adventOf>[1] = {}) =>
    db.write(() => {
      const text = JSON.stringify(adventOf(null, { id: campaign, ...doc }));
      put(db, 'chain_campaigns', { workspace_id: 'our', campaign, name: campaign, wanted: 1, doc: text, ...more });
    });
  const of = (id: string) => held.campaigns(OLGA).find((one) => one.id === id)!;
  return {
    ...{ db, held, said, told, add, of },
    link: (told: Partial<Readiness>[]) => {
      const base = { edition: 1, applied: null, bytes_left: 5, rate: 3, screens: 1, ready: 2, why: '' };
      ready = told.map((one) => ({ ...base, ...one }) as Readiness);
    },
  };
};

test('campaigns are listed by start, with the progress that the link reports for the same edition', (t) => {
  const { held, add, of, link, db } = setUp(t);
  assert.deepEqual(held.campaigns(OLGA), []);
  for (const name of ['Door', 'Till']) addDevice(db, 'our', name);
  db.write(() => {
    put(db, 'chain_links', { workspace_id: 'our' });
    put(db, 'device_tags', { device_id: 'Door', tag: 'Mall' });
  });
  add('later', {}, { start_time: '2026-05-01T00:00:00', rank: 'offer' });
  assert.equal(held.campaigns(OLGA).length, 1);
  add('first', {}, { start_time: '2026-04-01T00:00:00', screen_tags: ['mALL'], layout_id: 'advent-layout' });
  add('unheard', { doc: null });
  add('said no', { refused: 'No room.' }, { start_time: '2026-06-01T00:00:00' });
  add('shows', { applied: 1 }, { start_time: '2026-06-02T00:00:00', playlist_id: null });
  const ids = () => held.campaigns(OLGA).map(({ id, phase }) => [id, phase]);
  const LISTED = ['unheard', 'first', 'later', 'said no', 'shows'];
  const phases = ['told', 'armed', 'armed', 'refused', 'on_screens'];
  assert.deepEqual(
    ids(),
    LISTED.map((id, i) => [id, phases[i]]),
  );
  const { screens, screen_names, layout_id, ready, rate, bytes_left, timezone } = of('first');
  assert.deepEqual(
    [screens, screen_names, layout_id, ready, rate, bytes_left, timezone],
    [1, ['Door'], 'advent-layout', null, null, 0, 'UTC'],
  );
  assert.deepEqual([of('later').screens, of('shows').screens, of('unheard').screens], [0, 2, 0]);
  assert.deepEqual([of('shows').layout_id, of('shows').playlist_id, of('unheard').layout_id], [null, null, null]);
  assert.deepEqual([of('said no').why, of('first').why], ['No room.', '']);
  const { start_time, end_time, recurrence, recurrence_end, rank, begins } = of('unheard');
  assert.deepEqual([start_time, end_time, recurrence, recurrence_end, rank, begins], Array(6).fill(null));
  link([
    { id: 'first', phase: 'fetching', why: 'Slowly.' },
    { id: 'later', phase: 'fetching', edition: 2, why: 'Another.' },
  ]);
  assert.deepEqual((({ phase, bytes_left, rate, ready, why }) => [phase, bytes_left, rate, ready, why])(of('first')), [
    ...['fetching', 5, 3, 2, 'Slowly.'],
  ]);
  assert.deepEqual((({ phase, bytes_left, rate, ready, why }) => [phase, bytes_left, rate, ready, why])(of('later')), [
    ...['armed', 0, null, null, ''],
  ]);
  assert.deepEqual(held.campaigns({ ...OLGA, workspaceId: 'their' }), []);
  for (let i = 0; i < 21; i++) addDevice(db, 'our', `n${i}`);
  assert.deepEqual([of('shows').screens, of('shows').screen_names.length], [23, 20]);
});

test('slot accepts only a published playlist of the store, and the change is announced once', async (t) => {
  const { held, db, said, told } = setUp(t);
  db.write(() => {
    put(db, 'chain_links', { workspace_id: 'our' });
    put(db, 'chain_campaigns', { workspace_id: 'our', campaign: 'sale', name: 'Sale' });
    for (const [id, more] of [
      ['list', { published_ms: 1 }],
      ['own', { published_ms: 1 }],
      ['draft', { published_ms: null }],
      ['theirs', { published_ms: 1, workspace_id: 'their' }],
    ] as const)
      put(db, 'playlists', { id, workspace_id: 'our', name: id, ...more });
    put(db, 'chain_slots', { workspace_id: 'our', id: 'slot', campaign: 'sale', limits: '{"name":"Yours"}' });
    put(db, 'published_items', { id: 1, playlist_id: 'list', slot_id: 'slot', blocks: '[]' });
    put(db, 'chain_records', { workspace_id: 'our', kind: 'playlists', id: 'list', campaign: 'sale' });
  });
  await db.durable();
  const fill = (playlist: string | null, slot = 'slot', actor = OLGA) => held.fill(actor, slot, playlist);
  for (const [playlist, how] of [
    ['draft', { status: 400, message: /draft was never published/ }],
    ['list', { status: 400, message: /this playlist comes from headquarters/ }],
    ['theirs', { status: 404 }],
    ['none', { status: 404 }],
  ] as const)
    assert.throws(() => fill(playlist), how);
  assert.throws(() => fill('own', 'none'), { status: 404 });
  assert.throws(() => fill('own', 'slot', { ...OLGA, workspaceId: 'their' }), { status: 404 });
  assert.equal(fill('own').filled!.playlist_id, 'own');
  fill('own');
  assert.equal(fill(null).filled, null);
  fill(null);
  await db.durable();
  assert.deepEqual(said, ['chain.place_filled Yours (Sale)', 'chain.place_emptied Yours (Sale)']);
  assert.deepEqual(told, ['our chain', 'our playlists list', 'our chain', 'our playlists list']);
});

test('only a store that has left headquarters can drop a campaign that stayed', async (t) => {
  const { held, db, said, told } = setUp(t);
  const plan = { campaign: 'sale', title: 'Sale', edition: 1, rank: 'must', screen_tags: '[]' };
  db.write(() => {
    for (const workspace_id of ['our', 'their']) put(db, 'campaign_plans', { workspace_id, ...plan });
    put(db, 'chain_links', { workspace_id: 'their', name: 'T' });
  });
  await db.durable();
  assert.throws(() => held.drop({ ...OLGA, workspaceId: null }, 'sale'), { status: 400 });
  assert.throws(() => held.drop({ ...OLGA, workspaceId: 'their' }, 'sale'), { status: 409 });
  assert.throws(() => held.drop(OLGA, 'none'), { status: 404 });
  held.drop(OLGA, 'sale');
  await db.durable();
  assert.deepEqual([said, told], [['chain.campaign_dropped Sale'], ['our chain', 'our schedules']]);
  assert.deepEqual(db.raw.prepare('SELECT workspace_id FROM campaign_plans').pluck().all(), ['their']);
});
