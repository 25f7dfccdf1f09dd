/**
 * Tests stores that will not have a campaign in time: how headquarters finds them, who sees them, how changes are
 * announced, and how long the check takes with thousands of stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Phase } from '../../../shared/chain/campaign.ts';
import { Presence } from '../../../shared/chain/wire.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { longestTurn, MOST_TURN_MS, told as toldOf } from '../../../test/longest-turn.ts';
import { announce } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { troublesOf } from '../stores/store-view.ts';
import { ANNA, actorOf, bodyOf, EVERYWHERE, openCampaigns, PAGE } from '../testing/campaigns.ts';
import { NOON } from '../testing/rig.ts';
import { timesOf } from './late-starts.ts';

const HOUR = 3_600_000;
/** Local times of the tests are in the time zone of headquarters: Berlin, in winter. */
const at = (ms: number): string => new Date(NOON + HOUR + ms).toISOString().slice(0, 19);
const SOON = { start_time: at(HOUR / 2), end_time: at(3 * HOUR) };
const NORA = actorOf('nora', { regions: [{ region: 'North', role: 'workspace_viewer' }] });
const OLGA = actorOf('olga', { approves: true });
const EVA = actorOf('eva', { needsApproval: true });

type Rig = ReturnType<typeof openCampaigns>;
type Store = ReturnType<Rig['addStore']>;

const told = ({ desiredStates }: Rig, store: Store, id: string, phase: Phase, edition = 1) => {
  const more = { bytes_left: 0, rate: null, screens: 1, ready: 0, why: '', applied: null };
  desiredStates.record(store, { campaigns: [{ id, edition, phase, ...more }] });
  desiredStates.flush();
};
const screens = { total: 1, online: 1, dark: 0, behind: 0 };
const presence = { version: '9.0.0', clock_ms: 0, screens, dark_names: [], disk: null, waiting: 0, incidents: [] };
const CONNECTED = Presence.parse(presence);
/**
 * Presence of a store that is reached by transfer files only. Such a store counts as late at once, because its
 * connection is not waited for.
 */
const CARRIED = Presence.parse({ ...presence, has: [] });
const hear = ({ registry }: Rig, told = CARRIED) => {
  for (const { id } of registry.all('hq')) registry.record(id, told, 0);
};
const needing = async (rig: Rig, actor: Actor = ANNA, isHeard = true) => {
  const { needs, late } = rig;
  if (isHeard) hear(rig);
  await late.check();
  return (await needs.list(actor, PAGE)).rows.map(({ name, stores, late: missed, refused }) => [
    ...[name, stores, missed, refused],
  ]);
};

test('campaign needs attention while a store refuses it, or will not have it in time', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, needs, running, registry, clock } = hq;
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  const id = await running(SOON);
  assert.deepEqual(await needing(hq), [['Sale', 3, 3, 0]]);
  told(hq, mill, id, 'refused');
  told(hq, dock, id, 'armed');
  assert.deepEqual(await needing(hq), [['Sale', 3, 2, 1]]);
  const { late, refused, unheard, armed } = campaigns.get(ANNA, id).record.phases!;
  assert.deepEqual([late, refused, unheard, armed], [2, 1, 1, 1]);
  assert.equal(campaigns.stores(ANNA, id, { phase: 'late', q: undefined, ...PAGE }).total, late);
  assert.deepEqual(needs.count(ANNA), { approvals: 0, late: 1 });
  const now = (ref: string) => registry.byRef(ref)!;
  assert.deepEqual(
    ['mill', 'dock', 'pier'].map((ref) => troublesOf(now(ref)).filter((one) => one.startsWith('campaign'))),
    [['campaign_refused'], [], ['campaign_late']],
  );
  assert.deepEqual(now('mill').missed, { late: 0, refused: 1, named: [{ id, name: 'Sale', is_refused: true }] });
  told(hq, mill, id, 'showing');
  told(hq, pier, id, 'on_screens');
  assert.deepEqual([await needing(hq), troublesOf(now('pier')).includes('campaign_late')], [[], false]);
  // The campaign was started again, and no store has the new edition yet.
  campaigns.update(ANNA, id, { rank: 'default' }, undefined);
  campaigns.start(ANNA, id, undefined);
  await hq.settled();
  assert.deepEqual(await needing(hq), [['Sale', 3, 3, 0]]);
  clock.advance(4 * HOUR);
  assert.deepEqual(await needing(hq), [], 'it is over');
});

test('campaign that is late only in stores without a connection needs no attention', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, needs, running, registry, clock } = hq;
  const mill = addStore('mill');
  addStore('dock');
  const id = await running(SOON);
  assert.deepEqual(await needing(hq, ANNA, false), []);
  assert.deepEqual(needs.count(ANNA), { approvals: 0, late: 0 });
  assert.deepEqual(troublesOf(registry.byRef('mill')!), ['line_down']);
  const inStores = () =>
    campaigns
      .stores(ANNA, id, { phase: undefined, q: undefined, ...PAGE })
      .rows.map(({ store_id, is_late, is_waiting }) => [store_id, is_late, is_waiting]);
  const bothWait = [
    ['dock', true, true],
    ['mill', true, true],
  ];
  assert.deepEqual(inStores(), bothWait);
  // One late store is connected, so a person can look for the cause. The other late store is only counted.
  clock.advance(300_000);
  registry.record(mill.id, CONNECTED, 0);
  assert.deepEqual(await needing(hq, ANNA, false), [['Sale', 2, 2, 0]]);
  assert.equal((await needs.list(ANNA, PAGE)).rows[0]!.waiting, 1);
  assert.deepEqual(inStores(), [bothWait[0], ['mill', true, false]]);
  // A campaign that a store refused needs attention, whether the store is connected or not.
  clock.advance(600_000);
  assert.deepEqual(await needing(hq, ANNA, false), []);
  told(hq, mill, id, 'refused');
  assert.deepEqual(await needing(hq, ANNA, false), [['Sale', 2, 2, 1]]);
});

test('campaign becomes late when time passes, and admin windows are notified once', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, running, clock, late, told: announced, db } = hq;
  addStore('mill');
  await running({ start_time: at(2 * HOUR), end_time: at(3 * HOUR) });
  assert.deepEqual(await needing(hq), []);
  clock.advance(HOUR);
  announced.length = 0;
  assert.deepEqual(await needing(hq), [['Sale', 1, 1, 0]]);
  await db.durable();
  assert.deepEqual(announced, ['hq campaigns', 'hq stores']);
  await late.check();
  await db.durable();
  assert.equal(announced.length, 2);
});

test('end of a repeated campaign is the end of the repetition that begins on the campaign’s last day', () => {
  const times = (more: object) => timesOf(bodyOf({ ...more }), zoneOf('Europe/Berlin'));
  const on = (text: string) => Date.parse(text) / 1000;
  assert.deepEqual(times({}), { starts: on('2026-11-27T09:00+01:00'), ends: on('2026-11-27T18:00+01:00') });
  assert.equal(times({ recurrence: 'FREQ=DAILY' }).ends, Number.POSITIVE_INFINITY);
  const nights = { start_time: '2026-11-27T22:00', end_time: '2026-11-28T02:00', recurrence: 'FREQ=DAILY' };
  assert.equal(times({ ...nights, recurrence_end: '2026-12-24' }).ends, on('2026-12-25T02:00+01:00'));
});

test('store counts as late only while the campaign targets it, not after it was moved or removed', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, running, changeStore, stores, registry, parts, db, settled } = hq;
  const mill = addStore('mill');
  await running({ ...SOON, where: { ...EVERYWHERE, regions: ['North'] } });
  assert.deepEqual(await needing(hq), []);
  await changeStore(mill, { region: 'North' });
  assert.deepEqual(await needing(hq), [['Sale', 1, 1, 0]]);
  await changeStore(mill, { region: 'South' });
  assert.deepEqual(await needing(hq), []);
  await changeStore(mill, { region: 'North' });
  db.write(() => {
    stores.delete(mill.id);
    registry.refresh(mill.id);
    announce(parts, { workspaceId: 'hq', userId: null }, { topic: 'stores', ids: ['mill'] });
  });
  await settled();
  assert.deepEqual(await needing(hq), []);
});

test('member with roles in some regions sees late stores there, and requests that the member may approve', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, needs, running, changeStore, db } = hq;
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  await changeStore(mill, { region: 'North' });
  await changeStore(dock, { region: 'South' });
  const id = await running(SOON);
  told(hq, mill, id, 'armed');
  assert.deepEqual(await needing(hq, NORA), []);
  assert.equal(campaigns.get(NORA, id).record.phases!.late, 0);
  told(hq, mill, id, 'refused');
  assert.deepEqual(await needing(hq, NORA), [['Sale', 1, 1, 1]]);
  assert.deepEqual(await needing(hq, actorOf('bob', { workspaceId: 'other' })), []);
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  const wide = campaigns.create(EVA, bodyOf({ name: 'Wide' })).record;
  const south = campaigns.create(EVA, bodyOf({ name: 'South', where: { ...EVERYWHERE, regions: ['South'] } })).record;
  for (const one of [wide, south]) campaigns.start(EVA, one.id, undefined);
  const asked = async (actor: Actor) =>
    (await needs.list(actor, PAGE)).rows.filter(({ asked_by }) => asked_by === 'eva').map(({ name }) => name);
  const sam = actorOf('sam', { approves: true, regions: [{ region: 'South', role: 'workspace_editor' }] });
  assert.deepEqual([await asked(OLGA), await asked(sam)], [['South', 'Wide'], ['South']]);
  assert.deepEqual(
    [await asked(EVA), await asked(NORA), await asked(actorOf('eva', { approves: true }))],
    [[], [], []],
  );
  assert.deepEqual(needs.count(OLGA), { approvals: 2, late: 1 });
});

test('list of campaigns that need a person shows requests first, then running campaigns with the most late stores', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, needs, running, db, late, settled } = hq;
  for (const ref of ['mill', 'dock', 'pier']) addStore(ref);
  const where = (...store_ids: string[]) => ({ ...EVERYWHERE, store_ids });
  const later = { start_time: '2026-12-01T09:00:00', end_time: '2026-12-01T18:00:00' };
  await running({ ...SOON, name: 'Miss 10', where: where('mill') });
  await running({ ...SOON, name: 'Miss 9', where: where('mill') });
  await running({ ...SOON, name: 'Most miss' });
  const both = await running({ ...SOON, name: 'Both', where: where('mill', 'dock') });
  const inTime = await running({ ...later, name: 'In time' });
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  const wished = { start_time: '2026-12-02T09:00:00', end_time: '2026-12-02T18:00:00', where: where('pier') };
  for (const id of [both, inTime]) campaigns.update(EVA, id, wished, undefined);
  const { id: draft } = campaigns.create(EVA, bodyOf({ ...later, name: 'Draft' })).record;
  for (const id of [both, inTime, draft]) campaigns.start(EVA, id, undefined);
  await settled();
  hear(hq);
  await late.check();
  const listed = async (actor: Actor, page = PAGE) => {
    const { rows, total } = await needs.list(actor, page);
    const said = rows.map(({ name, state, start_time, late: missed, asked_by, asked_by_id, stores }) => [
      ...[name, state, start_time, missed, asked_by, asked_by_id, stores],
    ]);
    return [said, total];
  };
  const soon = SOON.start_time;
  const missed = [
    ['Most miss', 'running', soon, 3, null, null, 3],
    ['Miss 9', 'running', soon, 1, null, null, 1],
    ['Miss 10', 'running', soon, 1, null, null, 1],
  ];
  const asked = [
    ['Both', 'waiting', soon, 2, 'eva', 'eva', 2],
    ['Draft', 'waiting', later.start_time, 0, 'eva', 'eva', 3],
    ['In time', 'waiting', wished.start_time, 0, 'eva', 'eva', 1],
  ];
  assert.deepEqual(await listed(OLGA), [[...asked, ...missed], 6]);
  assert.deepEqual(await listed(OLGA, { limit: 2, offset: 2 }), [[asked[2], missed[0]], 6]);
  const bothMissed = ['Both', 'waiting', soon, 2, null, null, 2];
  for (const actor of [ANNA, EVA, actorOf('olga', { approves: true, needsApproval: true })]) {
    assert.deepEqual(await listed(actor), [[missed[0], bothMissed, missed[1], missed[2]], 4]);
    assert.deepEqual(needs.count(actor), { approvals: 0, late: 4 });
  }
  assert.deepEqual(needs.count(OLGA), { approvals: 3, late: 4 });
  assert.deepEqual(needs.count(actorOf('olga', { workspaceId: null })), { approvals: 0, late: 0 });
  // When the workspace needs no approval, members may also approve their own requests.
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 0 WHERE id = 'hq'"));
  assert.equal(needs.count(actorOf('eva', { approves: true })).approvals, 3);
});

test('late check of 5,000 stores and 40 campaigns takes milliseconds, and starting another campaign adds little', async (t) => {
  const hq = openCampaigns(t);
  const { db, stores, registry, campaigns, needs, late, clock, desiredStatesStore, settled } = hq;
  const [STORES, CAMPAIGNS] = [5_000, 40];
  const ids = db.write(() =>
    Array.from({ length: STORES }, (_, i) => {
      const facts = { region: `R${i % 20}`, tags: [], note: '', latitude: null, longitude: null, created_at: 1 };
      const id = stores.insert({ ...facts, ref: `s${i}`, name: `s${i}`, workspace_id: 'hq' });
      stores.enrol(id, { key: KEY + i.toString(16).padStart(8, '0'), server_name: 'S', workspace_name: 'W', at: 1 });
      return id;
    }),
  );
  registry.forget();
  registry.all('hq');
  const started = Array.from({ length: CAMPAIGNS }, (_, i) => {
    const { id } = campaigns.create(ANNA, bodyOf({ ...SOON, name: `c${i}` })).record;
    return campaigns.start(ANNA, id, undefined).record.id;
  });
  await settled();
  const say = (campaign: string, store: number, phase: Phase) => {
    const more = { bytes_left: 0, rate: null, screens: 1, ready: 0, why: '', applied: null };
    desiredStatesStore.setTold(store, { id: campaign, edition: 1, phase, ...more, told_at: clock.now() / 1000 });
    late.markReported(campaign, store);
  };
  // No store has the first of the 40 campaigns yet, and 100 stores have none of them.
  db.write(() => {
    for (const campaign of started.slice(1)) for (const id of ids.slice(100)) say(campaign, id, 'showing');
  });
  const costs = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    const turn = await longestTurn(work());
    const { user } = process.cpuUsage(before);
    return { ms: user / 1000, turn };
  };
  hear(hq);
  const first = await costs(() => late.check());
  const again = await costs(() => late.check());
  db.write(() => {
    for (const id of ids.slice(0, 400)) say(started[0]!, id, 'armed');
  });
  const rollout = await costs(() => late.check());
  const asked = await costs(async () => needs.count(ANNA));
  const listed = await costs(() => needs.list(ANNA, PAGE));
  for (const [name, { ms, turn }] of Object.entries({ first, again, rollout, asked, listed }))
    t.diagnostic(`${name}: ${ms.toFixed(1)} ms; longest turn ${toldOf(turn)}`);
  assert.deepEqual(needs.count(ANNA), { approvals: 0, late: CAMPAIGNS });
  assert.equal(campaigns.get(ANNA, started[0]!).record.phases!.late, STORES - 400);
  assert.ok(first.turn.worked < MOST_TURN_MS, toldOf(first.turn));
  for (const { turn } of [again, rollout, asked, listed]) assert.ok(turn.worked < 50, toldOf(turn));
  assert.ok(again.ms < 100 && rollout.ms < 150, `${again.ms} ms, ${rollout.ms} ms`);
});

const KEY = newKey().key.slice(8);
