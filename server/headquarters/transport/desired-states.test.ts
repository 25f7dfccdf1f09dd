/** Tests desired states of stores: signature, delivery, repetition, and the progress that stores report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desiredText, type Readiness } from '../../../shared/chain/campaign.ts';
import { announce } from '../../kernel/bus.ts';
import { isSignedBy } from '../../kernel/trust/signed-by.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { ANNA, bodyOf, EVERYWHERE, openCampaigns, PAGE } from '../testing/campaigns.ts';
import { NOON } from '../testing/rig.ts';

const STORES = { phase: undefined, q: undefined, ...PAGE };
const toldOf = (id: string, more: Partial<Readiness> = {}): Readiness => ({
  ...{ id, edition: 1, phase: 'fetching', applied: null, bytes_left: 600, rate: 10, screens: 3, ready: 0, why: '' },
  ...more,
});
const only = (...stores: KnownStore[]) => ({ ...EVERYWHERE, store_ids: stores.map(({ ref }) => ref) });

test('store without any campaign has revision 0 and no signed state', async (t) => {
  const { addStore, desiredStates, running, wantedOf, db } = openCampaigns(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  assert.deepEqual([desiredStates.rev(mill), desiredStates.newer(mill, 0)], [0, null]);
  const id = await running({ where: only(mill) });
  assert.deepEqual([desiredStates.rev(mill), wantedOf(mill)], [NOON, [[id, 1]]]);
  assert.deepEqual([desiredStates.rev(dock), desiredStates.newer(dock, 0)], [0, null]);
  assert.equal(db.raw.prepare('SELECT count(*) FROM hq_desired').pluck().get(), 1);
});

test('desired state is signed by headquarters for one store, and is sent only to a store with an older revision', async (t) => {
  const { addStore, desiredStates, running, key } = openCampaigns(t);
  const mill = addStore('mill');
  await running();
  const { text, signature } = desiredStates.newer(mill, 0)!;
  assert.ok(isSignedBy(key.key, desiredText(text), signature));
  assert.equal(JSON.parse(text).store, 'mill');
  assert.equal(desiredStates.newer(mill, NOON), null);
});

test('campaign targets the stores that match its regions and tags, and also the stores that it names', async (t) => {
  const { addStore, changeStore, running, wantedOf } = openCampaigns(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  await changeStore(mill, { region: 'North', tags: ['Mall'] });
  await changeStore(dock, { region: 'North' });
  await changeStore(pier, { region: 'South', tags: ['mall'] });
  const meant = async (name: string, where: Partial<typeof EVERYWHERE>) => {
    const id = await running({ name, where: { ...EVERYWHERE, ...where } });
    return [mill, dock, pier].filter((store) => wantedOf(store).some(([one]) => one === id)).map(({ ref }) => ref);
  };
  assert.deepEqual(await meant('all', {}), ['mill', 'dock', 'pier']);
  assert.deepEqual(await meant('north', { regions: ['North'] }), ['mill', 'dock']);
  assert.deepEqual(await meant('mall', { tags: ['MALL'] }), ['mill', 'pier']);
  assert.deepEqual(await meant('both', { regions: ['North'], tags: ['mall'] }), ['mill']);
  assert.deepEqual(await meant('named', { store_ids: ['dock'] }), ['dock']);
  assert.deepEqual(await meant('on top', { regions: ['South'], store_ids: ['mill'] }), ['mill', 'pier']);
});

test('store gets a new desired state when other campaigns target it, and not after other changes', async (t) => {
  const { addStore, changeStore, running, wantedOf, desiredStates, campaigns, db, stores, registry, parts, settled } =
    openCampaigns(t);
  const mill = addStore('mill');
  const id = await running({ where: { ...EVERYWHERE, regions: ['North'] } });
  assert.deepEqual(wantedOf(mill), []);
  await changeStore(mill, { region: 'North' });
  assert.deepEqual([wantedOf(mill), desiredStates.rev(mill)], [[[id, 1]], NOON]);
  await changeStore(mill, { region: 'North', tags: ['x'] });
  assert.equal(desiredStates.rev(mill), NOON);
  await changeStore(mill, { region: 'South' });
  assert.deepEqual([wantedOf(mill), desiredStates.rev(mill)], [[], NOON + 1]);
  const everywhere = await running({ name: 'everywhere' });
  // This store is added after the start of the campaign, and enrolled later.
  const place = { region: '', tags: [], note: '', latitude: null, longitude: null };
  const made = db.write(() => stores.insert({ ref: 'new', workspace_id: 'hq', name: 'new', ...place, created_at: 1 }));
  const told = () => announce(parts, { workspaceId: 'hq', userId: null }, { topic: 'stores', ids: ['new'] });
  db.write(() => {
    registry.refresh(made);
    told();
  });
  await settled();
  assert.deepEqual(wantedOf({ id: made }), [], 'nobody is there to have it');
  assert.equal(campaigns.get(ANNA, everywhere).record.stores, 1);
  const enrol = async () => {
    db.write(() => {
      stores.enrol(made, { key: newKey().key, server_name: 'S', workspace_name: 'W', at: 1 });
      registry.refresh(made);
      told();
    });
    await settled();
  };
  await enrol();
  assert.deepEqual([wantedOf({ id: made }), desiredStates.rev({ id: made })], [[[everywhere, 1]], NOON]);
  await enrol();
  assert.deepEqual(
    [wantedOf({ id: made }), desiredStates.rev({ id: made })],
    [[[everywhere, 1]], NOON],
    'a new PC has the same',
  );
});

test('listening stores receive the desired state at once, and each starts its downloads later than the one before', async (t) => {
  const { addStore, downlink, running, desiredStates } = openCampaigns(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const heard: { verb: string; said: { text: string }; after_ms: number }[] = [];
  for (const store of [mill, dock])
    downlink.attach(store, {
      send: (text) => {
        const line = JSON.parse(text);
        heard.push(line);
        // A store with the previous version of Vitrine answers even when headquarters expects no answer.
        if (store === mill) setImmediate(() => downlink.answered(mill, { id: line.id, answer: {} }));
        return true;
      },
      end: () => {},
    });
  await running();
  assert.deepEqual(
    heard.map(({ verb, said, after_ms }) => [verb, JSON.parse(said.text).store, after_ms]),
    [
      ['desired', 'mill', 0],
      ['desired', 'dock', 1],
    ],
  );
  assert.equal(desiredStates.rev(dock), NOON);
});

test('restored headquarters signs a revision that is higher than the revision that a store reports', async (t) => {
  const { addStore, running, desiredStates, settled, desiredOf } = openCampaigns(t);
  const [mill, dock, made] = [addStore('mill'), addStore('dock'), addStore('made')];
  const id = await running({ where: only(mill) });
  for (const store of [mill, dock]) desiredStates.record(store, { desired_rev: NOON + 7 });
  desiredStates.record(made, { desired_rev: Number.MAX_SAFE_INTEGER });
  await settled();
  assert.deepEqual([desiredOf(mill)!.rev, desiredOf(mill)!.campaigns[0]!.id], [NOON + 8, id]);
  assert.deepEqual(
    [desiredOf(dock)!.rev, desiredOf(dock)!.campaigns],
    [NOON + 8, []],
    'nothing is wanted of it any more',
  );
  assert.equal(desiredStates.rev(made), 0, 'nobody has signed so many');
  for (const told of [NOON + 8, 3, undefined]) desiredStates.record(mill, { desired_rev: told });
  await settled();
  assert.equal(desiredStates.rev(mill), NOON + 8);
});

test('headquarters that crashes after a start but before the signature signs the desired states when it runs again', async (t) => {
  const { addStore, campaigns, desiredStates, openDesiredStates, db, desiredOf } = openCampaigns(t);
  const mill = addStore('mill');
  await desiredStates.stop();
  const { id } = campaigns.create(ANNA, bodyOf()).record;
  campaigns.start(ANNA, id, undefined);
  await db.durable();
  assert.equal(desiredOf(mill), null);
  const again = openDesiredStates();
  again.start();
  await again.idle();
  assert.equal(desiredOf(mill, again)!.campaigns[0]!.id, id);
  const rev = again.rev(mill);
  const third = openDesiredStates();
  third.start();
  await third.idle();
  assert.equal(third.rev(mill), rev, 'what is kept is what runs');
});

test('start of a campaign whose transaction is rolled back changes no desired state', async (t) => {
  const { addStore, campaigns, desiredStates, settled, db } = openCampaigns(t);
  const mill = addStore('mill');
  assert.throws(() =>
    db.write(() => {
      campaigns.start(ANNA, campaigns.create(ANNA, bodyOf()).record.id, undefined);
      throw new Error('undone');
    }),
  );
  await settled();
  assert.deepEqual([desiredStates.rev(mill), desiredStates.newer(mill, 0)], [0, null]);
});

test('store has at most 500 campaigns', async (t) => {
  const { addStore, campaigns, changeStore, clock, db, settled, desiredOf, running } = openCampaigns(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const start = (name: string, where = only(mill)) => {
    const { id } = campaigns.create(ANNA, bodyOf({ name, where })).record;
    return campaigns.start(ANNA, id, undefined).record.id;
  };
  const first = db.write(() => Array.from({ length: 500 }, (_, i) => start(`c${i}`)))[0]!;
  await settled();
  assert.equal(desiredOf(mill)!.campaigns.length, 500);
  assert.throws(() => start('more', EVERYWHERE), { status: 409, message: /mill already has 500/ });
  campaigns.start(ANNA, first, undefined);
  await running({ name: 'elsewhere', where: only(dock) });
  assert.equal(desiredOf(dock)!.campaigns.length, 1);
  clock.advance(1_000);
  const late = await running({ name: 'north', where: { ...EVERYWHERE, regions: ['North'] } });
  await changeStore(mill, { region: 'North' });
  const kept = desiredOf(mill)!.campaigns.map(({ id }) => id);
  assert.deepEqual([kept.length, kept.includes(first), kept.includes(late)], [500, true, false], 'who came last waits');
  assert.ok(Buffer.byteLength(JSON.stringify(desiredOf(mill))) < 100_000);
});

test('campaign reports of stores are counted and listed, and written to the database only when they change', async (t) => {
  const { addStore, campaigns, running, desiredStates, told, db, clock, registry } = openCampaigns(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  const id = await running();
  for (const store of [mill, dock]) registry.record(store.id, { incidents: [] } as never, 0);
  told.length = 0;
  const changes = () => db.raw.prepare('SELECT total_changes()').pluck().get() as number;
  const tell = async () => {
    desiredStates.record(mill, { campaigns: [toldOf(id)] });
    desiredStates.record(dock, { campaigns: [toldOf(id, { phase: 'refused', why: 'No.' }), toldOf('made-up')] });
    const before = changes();
    desiredStates.flush();
    await db.durable();
    return changes() - before;
  };
  assert.equal(await tell(), 2);
  assert.deepEqual(told, ['hq campaigns']);
  clock.advance(30_000);
  assert.equal(await tell(), 0);
  assert.deepEqual(told, ['hq campaigns']);
  const { phases, stores } = campaigns.get(ANNA, id).record;
  assert.deepEqual([stores, phases!.fetching, phases!.refused, phases!.unheard], [3, 1, 1, 1]);
  const { rows } = campaigns.stores(ANNA, id, STORES);
  const at = clock.now() / 1000;
  assert.deepEqual(
    rows.map(({ store_id, phase, ready_at, is_late, why }) => [store_id, phase, ready_at, is_late, why]),
    [
      ['dock', 'refused', null, true, 'No.'],
      ['pier', 'unheard', null, false, ''],
      ['mill', 'fetching', at + 30, false, ''],
    ],
  );
  assert.deepEqual(campaigns.stores(ANNA, id, { ...STORES, phase: 'late' }).total, 1);
  assert.deepEqual(campaigns.stores(ANNA, id, { ...STORES, phase: 'unheard' }).rows[0]!.store_id, 'pier');
  assert.deepEqual(campaigns.stores(ANNA, id, { ...STORES, q: 'MIL', limit: 1 }).rows[0]!.store_id, 'mill');
  // The campaign begins at nine by the clock of headquarters. A store that sent no report counts as late from eight on.
  clock.set(Date.UTC(2026, 10, 27, 7, 0));
  assert.equal(campaigns.stores(ANNA, id, { ...STORES, phase: 'unheard' }).rows[0]!.is_late, true);
  desiredStates.record(pier, { campaigns: [toldOf(id, { phase: 'armed', bytes_left: 0 })] });
  desiredStates.flush();
  assert.deepEqual(campaigns.stores(ANNA, id, { ...STORES, phase: 'armed' }).rows[0]!.is_late, false);
});

test('campaign reports about an earlier edition or a removed campaign do not count', async (t) => {
  const { addStore, campaigns, running, desiredStates, settled, changeStore, db } = openCampaigns(t);
  const mill = addStore('mill');
  await changeStore(mill, { region: 'North' });
  const id = await running({ where: { ...EVERYWHERE, regions: ['North'] } });
  const tell = (edition: number) => {
    desiredStates.record(mill, { campaigns: [toldOf(id, { edition, phase: 'showing', applied: edition })] });
    desiredStates.flush();
  };
  const phases = () => campaigns.get(ANNA, id).record.phases;
  tell(1);
  assert.equal(phases()!.showing, 1);
  campaigns.start(ANNA, id, undefined);
  await settled();
  assert.deepEqual([phases()!.showing, phases()!.unheard], [0, 1]);
  assert.equal(campaigns.stores(ANNA, id, STORES).rows[0]!.applied, 1, 'what its screens show meanwhile');
  tell(2);
  await changeStore(mill, { region: 'South' });
  assert.equal(db.raw.prepare('SELECT count(*) FROM hq_readiness').pluck().get(), 0);
  await changeStore(mill, { region: 'North' });
  tell(2);
  assert.equal(phases()!.showing, 1, 'it tells what it told before, and is heard');
  campaigns.stop(ANNA, id, undefined);
  await settled();
  tell(2);
  assert.equal(db.raw.prepare('SELECT count(*) FROM hq_readiness').pluck().get(), 0);
});

test('signing the desired states of 5,000 stores leaves time for other requests between slices of work', async (t) => {
  const { addStore, db, desiredStates, running } = openCampaigns(t);
  const stores = db.write(() => Array.from({ length: 5_000 }, (_, i) => addStore(`store ${i}`)));
  await db.durable();
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  const { user } = process.cpuUsage();
  turn();
  await running();
  isOver = true;
  t.diagnostic(`${Math.round((process.cpuUsage().user - user) / 1_000)} ms of a core, ${turns} turns`);
  assert.ok(stores.every((store) => desiredStates.rev(store) === NOON));
  assert.ok(turns > 50, `${turns} turns`);
});
