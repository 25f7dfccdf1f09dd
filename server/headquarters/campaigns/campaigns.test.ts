/** Tests campaigns: validation, start, approval, roll-back, and the resulting state of the stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CampaignDoc, type Phase, type Readiness } from '../../../shared/chain/campaign.ts';
import type { Presence } from '../../../shared/chain/wire.ts';
import type { CampaignBody } from '../../../shared/contract/headquarters/campaigns.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { announce } from '../../kernel/bus.ts';
import { BlobsStore } from '../../media/blobs.store.ts';
import {
  ANNA,
  actorOf,
  addContent,
  addFile,
  addPlaylist,
  bodyOf,
  EVERYWHERE,
  openCampaigns,
  PAGE,
  setItems,
} from '../testing/campaigns.ts';
import { NOON } from '../testing/rig.ts';
import { CampaignLibraryStore } from './campaign-library.store.ts';

const LIST = { state: undefined, q: undefined, ...PAGE };
const STORES = { phase: undefined, q: undefined, ...PAGE };
const NOW = undefined;
/** Eva may start campaigns only with approval. Olga and Paul may approve. */
const EVA = actorOf('eva', { needsApproval: true });
const OLGA = actorOf('olga', { approves: true });
const PAUL = actorOf('paul', { approves: true });
const SLOT = { name: 'Yours', max_items: 2, max_seconds: 30, kinds: ['image' as const], after: 1, content_id: null };

const docOf = ({ desiredStatesStore, desiredOf }: ReturnType<typeof openCampaigns>, store: { id: number }, i = 0) =>
  CampaignDoc.parse(JSON.parse(desiredStatesStore.document(desiredOf(store)!.campaigns[i]!.sha256)!));

test('campaign keeps its fields with local times of the stores, and its name is unique', async (t) => {
  const { campaigns, notes, told, db } = openCampaigns(t);
  const { record, revision } = campaigns.create(ANNA, bodyOf({ recurrence: 'RRULE:FREQ=DAILY', note: 'N' }));
  assert.deepEqual(
    [record.state, record.edition, record.is_changed, record.phases, revision],
    ['draft', null, false, null, 1],
  );
  assert.deepEqual([record.start_time, record.end_time], ['2026-11-27T09:00:00', '2026-11-27T18:00:00']);
  assert.deepEqual([record.recurrence, record.changed_by], ['FREQ=DAILY', 'anna']);
  assert.throws(() => campaigns.create(ANNA, bodyOf()), { status: 409, message: /called Sale/ });
  const other = campaigns.create(ANNA, bodyOf({ name: 'Other' })).record;
  assert.throws(() => campaigns.update(ANNA, other.id, { name: 'Sale' }, NOW), { status: 409 });
  campaigns.update(ANNA, record.id, { name: 'Sale', note: 'M' }, '"1"');
  assert.throws(() => campaigns.update(ANNA, record.id, { note: 'L' }, '"1"'), { status: 412 });
  assert.equal(campaigns.get(ANNA, record.id).record.note, 'M');
  campaigns.delete(ANNA, other.id, NOW);
  assert.throws(() => campaigns.get(ANNA, other.id), { status: 404 });
  assert.deepEqual(notes, [
    ...['anna campaign.created Sale', 'anna campaign.created Other'],
    ...['anna campaign.updated Sale', 'anna campaign.deleted Other'],
  ]);
  await db.durable();
  assert.deepEqual(told, Array(4).fill('hq campaigns'));
});

test('campaign is refused when a field is invalid or names a record that the workspace does not have', (t) => {
  const { campaigns, db, addStore } = openCampaigns(t);
  addWorkspace(db, 'other');
  addStore('foreign', undefined, 'other');
  db.write(() => {
    addContent(db, 'theirs', 'theirs', 'other');
    addPlaylist(db, 'abroad', ['theirs'], 'other');
    db.raw.exec(
      "INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at) VALUES ('far', 'other', 'F', 1, 1, 0, 0)",
    );
  });
  const refused: [Partial<CampaignBody>, number, RegExp?][] = [
    [{ start_time: '2026-11-27T09:00Z' }, 400, /start_time: must be a time without a time zone/],
    [{ end_time: '2026-11-27T18:00:00+01:00' }, 400, /end_time/],
    [{ start_time: '2026-02-30T09:00' }, 400, /start_time/],
    [{ end_time: '2026-11-27T09:00' }, 400, /end_time/],
    [{ recurrence: 'FREQ=SOMETIMES' }, 400, /recurrence/],
    [{ recurrence: 'FREQ=DAILY', recurrence_end: '2026-11-26' }, 400, /recurrence_end/],
    [{ playlist_id: 'abroad' }, 404],
    [{ layout_id: 'far' }, 404],
    [{ where: { ...EVERYWHERE, store_ids: ['foreign'] } }, 404],
    [{ slots: [{ ...SLOT, content_id: 'theirs' }] }, 404],
    [{ slots: [{ ...SLOT, id: 'made-up' }] }, 400, /slots\.0\.id/],
    [{ slots: [SLOT], playlist_id: null }, 400, /slots/],
  ];
  for (const [body, status, message = /./] of refused)
    assert.throws(() => campaigns.create(ANNA, bodyOf(body)), { status, message }, JSON.stringify(body));
  assert.equal(db.raw.prepare('SELECT count(*) FROM hq_campaigns').pluck().get(), 0);
});

test('workspace has at most 2,000 campaigns', (t) => {
  const { campaigns, db } = openCampaigns(t);
  db.write(() => {
    for (let i = 0; i < 2_000; i++) campaigns.create(ANNA, bodyOf({ name: `c${i}` }));
  });
  assert.throws(() => campaigns.create(ANNA, bodyOf()), { status: 409 });
});

test('started campaign becomes an edition that later changes of the library do not alter', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, running, wantedOf, changeLibrary, settled, db } = hq;
  const mill = addStore('mill');
  const id = await running();
  assert.deepEqual(wantedOf(mill), [[id, 1]]);
  const { record } = campaigns.get(ANNA, id);
  assert.deepEqual([record.state, record.edition, record.stores, record.is_changed], ['running', 1, 1, false]);
  assert.equal(docOf(hq, mill).contents.length, 2);
  await changeLibrary(() => setItems(db, 'loop', ['sale']));
  assert.equal(campaigns.get(ANNA, id).record.is_changed, true);
  assert.deepEqual([wantedOf(mill), docOf(hq, mill).contents.length], [[[id, 1]], 2]);
  await changeLibrary(() => setItems(db, 'loop', ['sale', 'logo']));
  assert.equal(campaigns.get(ANNA, id).record.is_changed, false, 'it is as it was');
  await changeLibrary(() =>
    db.raw.exec("DELETE FROM content WHERE id = 'sale'; DELETE FROM playlists WHERE id = 'loop'"),
  );
  assert.equal(campaigns.get(ANNA, id).record.is_changed, true, 'it could not be started now');
  assert.deepEqual(new BlobsStore(db).unreferenced(), [], 'what stores may still fetch is kept');
  assert.throws(() => campaigns.start(ANNA, id, NOW), { status: 409, message: /playlist no longer exists/ });
  await settled();
  assert.deepEqual(wantedOf(mill), [[id, 1]]);
});

test('change of any part of the library marks each campaign that uses the part as changed', async (t) => {
  const { campaigns, running, parts, db } = openCampaigns(t);
  const id = await running();
  let isChanged = false;
  for (const topic of ['content', 'playlists', 'layouts', 'widgets', 'kiosk'] as const) {
    isChanged = !isChanged;
    db.write(() => {
      setItems(db, 'loop', isChanged ? ['sale'] : ['sale', 'logo']);
      announce(parts, { workspaceId: 'hq', userId: null }, { topic });
    });
    await db.durable();
    assert.equal(campaigns.get(ANNA, id).record.is_changed, isChanged, topic);
  }
});

test('comparison of a campaign with its edition runs once per change of the campaign or the library', async (t) => {
  const { campaigns, running, changeLibrary, changeStore, addStore } = openCampaigns(t);
  const mill = addStore('mill');
  const id = await running();
  const of = t.mock.method(CampaignLibraryStore.prototype, 'of');
  const costs = async (change: () => unknown = () => {}) => {
    await change();
    of.mock.resetCalls();
    for (let i = 0; i < 3; i++) campaigns.get(ANNA, id);
    return of.mock.callCount();
  };
  assert.equal(await costs(() => changeLibrary(() => {})), 1);
  assert.equal(await costs(), 0);
  assert.equal(await costs(() => changeStore(mill, { region: 'North' })), 0, 'a store is none of its parts');
  // The answer of update() already contained the comparison, so this read runs no second comparison.
  assert.equal(await costs(() => campaigns.update(ANNA, id, { note: 'N' }, NOW)), 0);
});

test('running campaign that a person edits keeps its edition in the stores until it is started again', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, running, wantedOf, settled, clock } = hq;
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const id = await running({ where: { ...EVERYWHERE, store_ids: ['mill'] } });
  campaigns.update(ANNA, id, { where: { ...EVERYWHERE, store_ids: ['dock'] }, rank: 'default' }, NOW);
  await settled();
  const { record } = campaigns.get(ANNA, id);
  assert.deepEqual([record.state, record.is_changed, record.where.store_ids], ['running', true, ['dock']]);
  assert.deepEqual([record.stores, record.phases!.unheard], [1, 1], 'of the stores that have it');
  assert.deepEqual([wantedOf(mill), wantedOf(dock), docOf(hq, mill).rank], [[[id, 1]], [], 'must']);
  clock.advance(1_000);
  campaigns.start(ANNA, id, NOW);
  await settled();
  assert.deepEqual([wantedOf(mill), wantedOf(dock), docOf(hq, dock).rank], [[], [[id, 2]], 'default']);
  assert.equal(campaigns.get(ANNA, id).record.is_changed, false);
  campaigns.update(ANNA, id, { note: 'a word' }, NOW);
  assert.equal(campaigns.get(ANNA, id).record.is_changed, false, 'a note is not for stores');
});

test('stopped campaign is removed from its stores and can be deleted', async (t) => {
  const { addStore, campaigns, running, desiredOf, settled, notes } = openCampaigns(t);
  const mill = addStore('mill');
  const id = await running();
  assert.throws(() => campaigns.delete(ANNA, id, NOW), { status: 409 });
  campaigns.stop(ANNA, id, NOW);
  await settled();
  assert.deepEqual([desiredOf(mill)!.rev, desiredOf(mill)!.campaigns], [NOON + 1, []]);
  assert.throws(() => campaigns.stop(ANNA, id, NOW), { status: 409 });
  const { record } = campaigns.get(ANNA, id);
  assert.deepEqual([record.state, record.phases, record.stopped_at !== null], ['stopped', null, true]);
  assert.deepEqual(campaigns.stores(ANNA, id, STORES), { rows: [], total: 0 });
  campaigns.start(ANNA, id, NOW);
  await settled();
  assert.deepEqual([desiredOf(mill)!.rev, desiredOf(mill)!.campaigns[0]!.edition], [NOON + 2, 2]);
  campaigns.stop(ANNA, id, NOW);
  campaigns.delete(ANNA, id, NOW);
  assert.deepEqual(notes.slice(-2), ['anna campaign.stopped Sale', 'anna campaign.deleted Sale']);
});

test('roll-back makes a new edition from an earlier edition, and restores the campaign’s fields from that edition', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, running, wantedOf, settled, changeLibrary, db, clock } = hq;
  const mill = addStore('mill');
  const id = await running({ slots: [SLOT] });
  const first = docOf(hq, mill);
  const slot = campaigns.get(ANNA, id).record.slots[0]!;
  await changeLibrary(() => setItems(db, 'loop', ['logo']));
  campaigns.update(ANNA, id, { rank: 'default', slots: [] }, NOW);
  campaigns.start(ANNA, id, NOW);
  clock.advance(5_000);
  campaigns.rollBack(ANNA, id, 1, NOW);
  await settled();
  assert.deepEqual(wantedOf(mill), [[id, 3]]);
  assert.deepEqual(docOf(hq, mill), { ...first, edition: 3, made_ms: first.made_ms + 5_000 });
  const { record } = campaigns.get(ANNA, id);
  assert.deepEqual([record.rank, record.slots, record.is_changed], ['must', [slot], true]);
  const { rows, total } = campaigns.editions(ANNA, id, PAGE);
  assert.deepEqual([rows.map(({ edition }) => edition), total], [[3, 2, 1], 3]);
  assert.equal(rows[0]!.bytes, 'sale'.length + 'logo'.length);
  assert.throws(() => campaigns.rollBack(ANNA, id, 9, NOW), { status: 409 });
});

test('campaign keeps its newest 50 editions with their files', async (t) => {
  const { campaigns, running, db } = openCampaigns(t);
  const id = await running();
  for (let i = 0; i < 54; i++) campaigns.start(ANNA, id, NOW);
  const kept = campaigns.editions(ANNA, id, PAGE).rows.map(({ edition }) => edition);
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, 55, 6]);
  assert.equal(db.raw.prepare('SELECT min(edition) FROM hq_blobs').pluck().get(), 6);
  assert.throws(() => campaigns.rollBack(ANNA, id, 5, NOW), { status: 409 });
});

test('start and roll-back are refused when a store would have too many campaigns', async (t) => {
  const { addStore, campaigns, running, desiredStates, registry, wantedOf, settled } = openCampaigns(t);
  const mill = addStore('mill');
  const id = await running();
  desiredStates.crowded = () => registry.byRef('mill');
  const full = {
    status: 409,
    message: 'The store mill already has 500 campaigns, which is the limit. Stop campaigns that are over.',
  };
  assert.throws(() => campaigns.start(ANNA, id, NOW), full);
  assert.throws(() => campaigns.rollBack(ANNA, id, 1, NOW), full);
  await settled();
  assert.deepEqual([wantedOf(mill), campaigns.editions(ANNA, id, PAGE).total], [[[id, 1]], 1]);
});

test('slots keep their ids while a campaign is edited', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, running, settled } = hq;
  const mill = addStore('mill');
  const id = await running({ slots: [SLOT, { ...SLOT, name: 'Second', after: 2 }] });
  const [first, second] = campaigns.get(ANNA, id).record.slots;
  campaigns.update(
    ANNA,
    id,
    {
      slots: [
        { ...second!, after: 0 },
        { ...SLOT, name: 'New' },
      ],
    },
    NOW,
  );
  campaigns.start(ANNA, id, NOW);
  await settled();
  const ids = docOf(hq, mill).playlists[0]!.items.flatMap(({ slot }) => slot?.id ?? []);
  assert.equal(ids[0], second!.id);
  assert.ok(ids.length === 2 && !ids.includes(first!.id!));
  assert.throws(() => campaigns.update(ANNA, id, { slots: [second!, second!] }, NOW), { status: 400 });
  assert.throws(() => campaigns.update(ANNA, id, { slots: [first!] }, NOW), { status: 400 });
});

test('campaign of a member who needs approval is started by an approver, exactly as requested', async (t) => {
  const { addStore, campaigns, wantedOf, settled, db, notes } = openCampaigns(t);
  const mill = addStore('mill');
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  const { id } = campaigns.create(EVA, bodyOf()).record;
  const asked = campaigns.start(EVA, id, NOW);
  assert.deepEqual([asked.record.state, asked.record.asked_by], ['waiting', 'eva']);
  assert.throws(() => campaigns.start(EVA, id, NOW), { status: 409, message: /^eva already asked/ });
  campaigns.update(ANNA, id, { note: 'N' }, NOW);
  assert.deepEqual([campaigns.get(ANNA, id).record.state, campaigns.get(ANNA, id).record.asked_by], ['draft', null]);
  assert.throws(() => campaigns.start(OLGA, id, `"${asked.revision}"`), { status: 412 });
  campaigns.start(EVA, id, NOW);
  await settled();
  assert.deepEqual(wantedOf(mill), []);
  const { record } = campaigns.start(OLGA, id, NOW);
  assert.deepEqual([record.state, record.approved_by, record.asked_by], ['running', 'olga', null]);
  const [edition] = campaigns.editions(ANNA, id, PAGE).rows;
  assert.deepEqual([edition!.made_by, edition!.approved_by], ['eva', 'olga']);
  await settled();
  assert.deepEqual(wantedOf(mill), [[id, 1]]);
  assert.ok(notes.includes('eva campaign.approval_asked Sale'));
});

test('approver can refuse a request, and its author sees the reason until the next request for this campaign', async (t) => {
  const { addStore, campaigns, running, wantedOf, settled, db, notes } = openCampaigns(t);
  const mill = addStore('mill');
  const before = await running({ name: 'Before' });
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  const { id } = campaigns.create(EVA, bodyOf()).record;
  assert.throws(() => campaigns.refuse(OLGA, id, '', NOW), {
    status: 409,
    message: 'The campaign Sale is not waiting for approval.',
  });
  campaigns.start(EVA, id, NOW);
  assert.throws(() => campaigns.refuse(EVA, id, '', NOW), { status: 403, code: 'approval_required' });
  assert.throws(() => campaigns.refuse(OLGA, id, '', '"1"'), { status: 412 });
  const { record } = campaigns.refuse(OLGA, id, 'Too early', NOW);
  const said = { asked_by: 'eva', asked_by_id: 'eva', by: 'olga', by_id: 'olga', at: NOON / 1000, answer: 'Too early' };
  assert.deepEqual([record.state, record.asked_by, record.asked_by_id, record.refused], ['draft', null, null, said]);
  assert.equal(notes.at(-1), 'olga campaign.approval_refused Sale (eva): “Too early”');
  assert.throws(() => campaigns.refuse(PAUL, id, '', NOW), { status: 409 });
  campaigns.update(EVA, id, { note: 'Later' }, NOW);
  assert.deepEqual(campaigns.get(EVA, id).record.refused, said);
  assert.equal(campaigns.start(EVA, id, NOW).record.refused, null);
  campaigns.refuse(OLGA, id, '', NOW);
  assert.equal(notes.at(-1), 'olga campaign.approval_refused Sale (eva)');
  assert.equal(campaigns.start(OLGA, id, NOW).record.refused, null, 'it is started after all');
  // Eva edits the running campaign, which does not stop it.
  campaigns.update(EVA, before, { rank: 'default' }, NOW);
  campaigns.start(EVA, before, NOW);
  assert.equal(campaigns.refuse(OLGA, before, 'No', NOW).record.state, 'running');
  await settled();
  assert.deepEqual(
    wantedOf(mill).find(([one]) => one === before),
    [before, 1],
  );
});

test('request cannot be approved after the campaign or its content has changed, and can be repeated', async (t) => {
  const { campaigns, db, changeLibrary, addStore, wantedOf, settled } = openCampaigns(t);
  const mill = addStore('mill');
  db.write(() => {
    db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'");
    addContent(db, 'spare');
  });
  const asked = (name: string) => {
    const body = bodyOf({ name, slots: [{ ...SLOT, content_id: 'spare' }] });
    return campaigns.start(EVA, campaigns.create(EVA, body).record.id, NOW).record;
  };
  const changes: Record<string, () => void> = {
    'the content of a place': () =>
      db.raw
        .prepare("UPDATE content SET sha256 = ?, revision = revision + 1 WHERE id = 'spare'")
        .run(addFile(db, 'other')),
    'what is published of its playlist': () => setItems(db, 'loop', ['logo', 'sale']),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { id, is_stale } = asked(what);
    assert.equal(is_stale, false);
    // The change is written, but the event bus has not announced it yet.
    db.write(change);
    assert.throws(() => campaigns.start(OLGA, id, NOW), { status: 409, code: 'request_stale' }, what);
    await changeLibrary(() => {});
    assert.equal(campaigns.get(EVA, id).record.is_stale, true, what);
    assert.equal(campaigns.start(EVA, id, NOW).record.is_stale, false, 'asked for again');
    assert.throws(() => campaigns.start(EVA, id, NOW), { status: 409, message: /^eva already asked/ });
    assert.equal(campaigns.start(OLGA, id, NOW).record.state, 'running');
  }
  await settled();
  assert.equal(wantedOf(mill).length, 2);
  // The approver stops the campaign, which ends the request, and starts the campaign as it is now.
  const { id } = asked('Own decision');
  db.write(() => setItems(db, 'loop', ['sale']));
  campaigns.stop(OLGA, id, NOW);
  assert.equal(campaigns.start(OLGA, id, NOW).record.approved_by, null);
});

test('member cannot approve their own request', (t) => {
  const { campaigns, db } = openCampaigns(t);
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  const { id } = campaigns.create(EVA, bodyOf()).record;
  campaigns.start(EVA, id, NOW);
  // Eva becomes an approver after her request, and still may not approve it.
  const promoted = actorOf('eva', { approves: true });
  assert.throws(() => campaigns.start(promoted, id, NOW), { status: 403, code: 'approval_required' });
  assert.equal(campaigns.start(PAUL, id, NOW).record.state, 'running');
});

test('stores keep the running edition while a change waits for approval', async (t) => {
  const { addStore, campaigns, running, wantedOf, settled, db } = openCampaigns(t);
  const mill = addStore('mill');
  const id = await running();
  db.write(() => db.raw.exec("UPDATE workspaces SET approval = 1 WHERE id = 'hq'"));
  campaigns.update(EVA, id, { rank: 'default' }, NOW);
  const { record } = campaigns.start(EVA, id, NOW);
  await settled();
  assert.deepEqual(
    [record.state, record.edition, record.phases !== null, wantedOf(mill)],
    ['waiting', 1, true, [[id, 1]]],
  );
  assert.throws(() => campaigns.delete(EVA, id, NOW), { status: 409 });
  campaigns.update(EVA, id, { rank: 'must' }, NOW);
  assert.equal(campaigns.get(EVA, id).record.state, 'running');
  campaigns.start(EVA, id, NOW);
  campaigns.stop(EVA, id, NOW);
  await settled();
  assert.deepEqual([campaigns.get(EVA, id).record.state, wantedOf(mill)], ['stopped', []]);
  campaigns.start(EVA, id, NOW);
  assert.equal(campaigns.stop(EVA, id, NOW).record.state, 'stopped', 'it waits no more');
});

test('campaign list shows running and waiting campaigns first, finds campaigns by name, and hides other workspaces', async (t) => {
  const { campaigns, running, db } = openCampaigns(t);
  addWorkspace(db, 'other');
  const bob = actorOf('bob', { workspaceId: 'other' });
  campaigns.create(ANNA, bodyOf({ name: 'Über' }));
  await running({ name: 'Old' });
  campaigns.create(ANNA, bodyOf({ name: 'New' }));
  const names = async (more: object, actor = ANNA) =>
    (await campaigns.list(actor, { ...LIST, ...more })).rows.map(({ name }) => name);
  assert.deepEqual(await names({}), ['Old', 'New', 'Über']);
  assert.deepEqual(await names({ q: 'uber' }), ['Über']);
  assert.deepEqual(await names({ state: 'draft', limit: 1, offset: 1 }), ['Über']);
  assert.deepEqual(await names({}, bob), []);
  const { id } = (await campaigns.list(ANNA, LIST)).rows[0]!;
  for (const act of [
    () => campaigns.get(bob, id),
    () => campaigns.update(bob, id, { note: '' }, NOW),
    () => campaigns.start(bob, id, NOW),
    () => campaigns.stop(bob, id, NOW),
    () => campaigns.rollBack(bob, id, 1, NOW),
    () => campaigns.delete(bob, id, NOW),
    () => campaigns.editions(bob, id, PAGE),
    () => campaigns.stores(bob, id, STORES),
    () => campaigns.decided(bob, id),
  ])
    assert.throws(act, { status: 404 });
});

test('member with roles in some regions edits only campaigns of these regions, and counts only stores there', async (t) => {
  const { addStore, campaigns, running, changeStore, desiredStates, settled } = openCampaigns(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  await changeStore(mill, { region: 'North' });
  await changeStore(dock, { region: 'South' });
  await changeStore(pier, { region: 'West' });
  const nora = actorOf('nora', {
    regions: [
      { region: 'North', role: 'workspace_editor' },
      { region: 'West', role: 'workspace_viewer' },
    ],
  });
  const where = (more: Partial<typeof EVERYWHERE>) => ({ ...EVERYWHERE, ...more });
  for (const wide of [
    EVERYWHERE,
    where({ tags: ['mall'] }),
    where({ regions: ['South'] }),
    where({ regions: ['West'] }),
    where({ regions: ['North', 'South'] }),
    where({ tags: ['mall'], store_ids: ['mill'] }),
    where({ regions: ['North'], store_ids: ['pier'] }),
  ])
    assert.throws(() => campaigns.create(nora, bodyOf({ where: wide })), { status: 403 }, JSON.stringify(wide));
  assert.throws(() => campaigns.create(nora, bodyOf({ where: where({ store_ids: ['dock'] }) })), { status: 404 });
  const own = campaigns.create(
    nora,
    bodyOf({ where: where({ regions: ['North'], tags: ['x'], store_ids: ['mill'] }) }),
  );
  const { id } = campaigns.start(nora, own.record.id, NOW).record;
  assert.throws(() => campaigns.update(nora, id, { where: EVERYWHERE }, NOW), { status: 403 });
  // Anna widens the campaign. Nora may not start or stop it while stores outside of her region have the campaign.
  campaigns.update(ANNA, id, { where: EVERYWHERE }, NOW);
  assert.throws(() => campaigns.start(nora, id, NOW), { status: 403 });
  campaigns.start(ANNA, id, NOW);
  campaigns.update(ANNA, id, { where: where({ regions: ['North'] }) }, NOW);
  for (const act of [
    () => campaigns.stop(nora, id, NOW),
    () => campaigns.start(nora, id, NOW),
    () => campaigns.rollBack(nora, id, 1, NOW),
    () => campaigns.delete(nora, id, NOW),
    () => campaigns.update(nora, id, { note: 'N' }, NOW),
    () => campaigns.decided(nora, id),
  ])
    assert.throws(act, { status: 403 });
  await settled();
  const all = await running({ name: 'all' });
  for (const store of [mill, dock])
    desiredStates.record(store, {
      campaigns: [
        {
          id: all,
          edition: 1,
          phase: 'armed',
          applied: null,
          bytes_left: 0,
          rate: null,
          screens: 1,
          ready: 0,
          why: '',
        },
      ],
    });
  desiredStates.flush();
  const { stores, phases } = campaigns.get(nora, all).record;
  assert.deepEqual([stores, phases!.armed, phases!.unheard], [2, 1, 1]);
  assert.equal(campaigns.get(ANNA, all).record.phases!.armed, 2);
  assert.deepEqual(
    campaigns.stores(nora, all, STORES).rows.map(({ store_id }) => store_id),
    ['pier', 'mill'],
  );
});

test('campaign can be edited after a record that it names was deleted', async (t) => {
  const { addStore, campaigns, changeLibrary, db, stores, registry } = openCampaigns(t);
  const mill = addStore('mill');
  const where = { ...EVERYWHERE, store_ids: ['mill'] };
  const slots = [{ ...SLOT, content_id: 'fill' }];
  await changeLibrary(() => addContent(db, 'fill'));
  const { id } = campaigns.create(ANNA, bodyOf({ where, slots })).record;
  await changeLibrary(() => {
    db.raw.exec("DELETE FROM playlists WHERE id = 'loop'; DELETE FROM content WHERE id = 'fill'");
    stores.delete(mill.id);
    registry.refresh(mill.id);
  });
  assert.equal(campaigns.update(ANNA, id, { note: 'N' }, NOW).record.note, 'N');
  for (const actor of [ANNA, EVA])
    assert.throws(() => campaigns.start(actor, id, NOW), { status: 409, message: /playlist no longer exists/ });
  assert.equal(campaigns.get(ANNA, id).record.state, 'draft', 'what could not be started is not asked for');
});

test('list of a campaign’s stores is sorted by urgency, and can be filtered by phase and text', async (t) => {
  const hq = openCampaigns(t);
  const { addStore, campaigns, changeStore, running, desiredStates, settled, registry, clock, late } = hq;
  const soon = { start_time: '2026-11-02T13:30:00', end_time: '2026-11-02T18:00:00' };
  const REFS = ['till 10', 'till 9', 'refuses', 'shows', 'has it', 'fetches', 'far', 'cut off'];
  const known = new Map(REFS.map((ref) => [ref, addStore(ref)]));
  await changeStore(known.get('has it')!, { region: 'North' });
  const id = await running(soon);
  const presence = { screens: {}, incidents: [] } as unknown as Presence;
  for (const ref of ['far', 'fetches']) registry.record(known.get(ref)!.id, presence, null);
  const told = (ref: string, phase: Phase, more: Partial<Readiness> = {}) => {
    const base = { applied: null, bytes_left: 0, rate: null, screens: 3, ready: 0, why: '' };
    desiredStates.record(known.get(ref)!, { campaigns: [{ id, edition: 1, phase, ...base, ...more }] });
  };
  told('refuses', 'refused', { why: 'No room.' });
  told('shows', 'showing', { applied: 1, ready: 3 });
  told('has it', 'on_screens', { applied: 1 });
  told('fetches', 'fetching', { bytes_left: 60, rate: 1 });
  told('far', 'fetching', { bytes_left: 1_000_000, rate: 1 });
  told('cut off', 'fetching', { bytes_left: 60, rate: 1 });
  desiredStates.flush();
  await settled();
  const one = await running({ ...soon, name: 'One', where: { ...EVERYWHERE, store_ids: ['far'] } });
  const ofOne = campaigns.stores(ANNA, one, STORES);
  assert.deepEqual([ofOne.rows.map(({ store_id }) => store_id), ofOne.total], [['far'], 1], 'of its own alone');
  const rows = (more: object = {}, actor = ANNA) => campaigns.stores(actor, id, { ...STORES, ...more });
  const names = (more: object = {}) => rows(more).rows.map(({ store_name }) => store_name);
  const ALL = ['refuses', 'till 9', 'till 10', 'cut off', 'far', 'fetches', 'has it', 'shows'];
  assert.deepEqual(names(), ALL);
  assert.deepEqual(
    rows().rows.map(({ is_late }) => is_late),
    [true, true, true, true, true, false, false, false],
  );
  assert.deepEqual([names({ limit: 2, offset: 1 }), rows({ limit: 2, offset: 1 }).total], [ALL.slice(1, 3), 8]);
  for (const [more, expected] of [
    [{ phase: 'late' }, ALL.slice(0, 5)],
    [{ phase: 'fetching' }, ['cut off', 'far', 'fetches']],
    [{ phase: 'refused' }, ['refuses']],
    [{ q: ' TILL ' }, ['till 9', 'till 10']],
    [{ q: 'north' }, ['has it']],
    [{ q: ' ' }, ALL],
    [{ q: 'till', phase: 'fetching' }, []],
  ] as const)
    assert.deepEqual(names(more), expected, JSON.stringify(more));
  const of = (ref: string) => rows().rows.find(({ store_id }) => store_id === ref)!;
  const now = clock.now() / 1000;
  assert.deepEqual(of('fetches'), {
    ...{ store_id: 'fetches', store_name: 'fetches', region: '', phase: 'fetching', applied: null, bytes_left: 60 },
    ...{ rate: 1, ready_at: now + 60, is_late: false, is_waiting: false, screens: 3, ready: 0, why: '', told_at: now },
  });
  assert.deepEqual(of('till 9'), {
    ...{ store_id: 'till 9', store_name: 'till 9', region: '', phase: 'unheard', applied: null, bytes_left: 0 },
    ...{ rate: null, ready_at: null, is_late: true, is_waiting: true, screens: 0, ready: 0, why: '', told_at: null },
  });
  assert.deepEqual([of('refuses').why, of('shows').applied, of('shows').ready], ['No room.', 1, 3]);
  await late.check();
  const { phases, stores } = campaigns.get(ANNA, id).record;
  assert.deepEqual([phases!.late, phases!.fetching, stores], [5, 3, 8]);
});
