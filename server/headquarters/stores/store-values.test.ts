/**
 * Values of stores at headquarters: edits, delivery to the stores that use them, and checks at the start of a campaign.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { CampaignDoc, SignedDesired } from '../../../shared/chain/campaign.ts';
import { sealingOf } from '../../kernel/trust/sealing.ts';
import { CampaignPreviews } from '../campaigns/previews.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { ANNA, actorOf, bodyOf, EVERYWHERE, openCampaigns } from '../testing/campaigns.ts';
import { StoreValuesService } from './store-values.service.ts';
import { StoresService } from './stores.service.ts';

const setUp = (t: TestContext) => {
  const hq = openCampaigns(t);
  const { parts, stores: store, registry, segmentFiles, writer, warehouse, db } = hq;
  const notes: string[] = [];
  const activity = {
    add: ({ action, details }: { action: string; details: string }) => notes.push(`${action} ${details}`),
  };
  const kernel = { ...parts, activity };
  const identity = { fingerprint: '', publicKey: '', sealing: sealingOf(generateKeyPairSync('ed25519').privateKey) };
  const services = { identity, server: () => ({ name: 'HQ' }), addresses: () => [] };
  const stores = new StoresService({ ...kernel, ...services, store, registry, segmentFiles, writer, warehouse });
  const values = new StoreValuesService({ ...kernel, store, registry, stores });
  const say = async (to: KnownStore, said: Record<string, string>, ifMatch?: string) => {
    const answer = values.set(ANNA, to.ref, said, ifMatch);
    await hq.settled();
    return answer;
  };
  /** Adds a widget to the library and to the playlist that all campaigns of the tests show. */
  const addWidget = (id: string, title: string, type = 'directory-board', key = 'title') =>
    hq.changeLibrary(() => {
      db.raw
        .prepare(
          'INSERT INTO widgets (id, workspace_id, widget_type, name, config, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 0, 0)',
        )
        .run(id, 'hq', type, id, JSON.stringify({ [key]: title }));
      db.raw
        .prepare(
          "INSERT INTO published_items (id, playlist_id, widget_id, sort_order, duration_sec) SELECT 100 + count(*), 'loop', ?, 9, 10 FROM published_items",
        )
        .run(id);
    });
  const valuesOf = (to: KnownStore) => hq.desiredOf(to)?.values;
  const table = (text: string, apply = false, ifMatch?: string) => values.import(ANNA, { table: text, apply }, ifMatch);
  return { ...hq, values, service: stores, say, addWidget, valuesOf, table, said: notes };
};

test('change of a value makes a new desired state only for stores whose campaigns use the value', async (t) => {
  const { addStore, addWidget, running, say, valuesOf, desiredStates } = setUp(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  await addWidget('tag', '{{price|9.99}} in {{store.name}}');
  await running({ where: { ...EVERYWHERE, store_ids: ['mill', 'dock'] } });
  assert.deepEqual(valuesOf(mill), { 'store.name': 'mill' });
  const revs = () => [mill, dock, pier].map((store) => desiredStates.rev(store));
  const [first, second, none] = revs();
  assert.equal(none, 0);
  await say(mill, { price: '3.99', phone: '112' });
  assert.deepEqual([valuesOf(mill), revs()], [{ price: '3.99', 'store.name': 'mill' }, [first! + 1, second, 0]]);
  await say(mill, { price: '3.99', phone: '110' });
  await say(pier, { price: '1' });
  assert.deepEqual(revs(), [first! + 1, second, 0], 'nobody shows these');
  await say(mill, { phone: '110' });
  assert.deepEqual([valuesOf(mill), revs()], [{ 'store.name': 'mill' }, [first! + 2, second, 0]]);
});

test('campaign document with values is the same for all stores, and a document without values does not mention any', async (t) => {
  const { addStore, addWidget, running, say, desiredOf, campaigns, db } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const plain = await running({ name: 'plain' });
  const versionOf = (id: string) =>
    CampaignDoc.parse(
      JSON.parse(db.raw.prepare('SELECT doc FROM hq_editions WHERE campaign = ?').pluck().get(id) as string),
    ).version;
  assert.equal(versionOf(plain), 1);
  assert.ok(!('values' in desiredOf(mill)!));
  await addWidget('tag', 'Price: {{price}}');
  assert.equal(campaigns.get(ANNA, plain).record.is_changed, true);
  const priced = await running({ name: 'priced' });
  await say(mill, { price: '1' });
  await say(dock, { price: '2' });
  assert.equal(versionOf(priced), 2);
  assert.deepEqual(desiredOf(mill)?.campaigns, desiredOf(dock)?.campaigns);
  assert.equal(campaigns.get(ANNA, priced).record.is_changed, false, 'a value is no change of the campaign');
});

test('missing values are reported for the campaign as a start would build it, and also by the campaign’s preview', async (t) => {
  const { addStore, addWidget, say, campaigns, parts, registry, downlink } = setUp(t);
  const stores = ['mill', 'dock', 'pier'].map((ref) => addStore(ref));
  await say(stores[0]!, { price: '1' });
  await addWidget('tag', '{{price}} {{phone|none}} {{store.name}} {{store.region}}');
  const { id } = campaigns.create(ANNA, bodyOf({ where: { ...EVERYWHERE, store_ids: ['mill', 'dock'] } })).record;
  const lacking = (actor = ANNA) =>
    campaigns
      .values(actor, id)
      .map(({ name, is_needed, lacking, stores }) => [name, is_needed, lacking, stores.map((one) => one.name).join()]);
  assert.deepEqual(lacking(), [
    ['store.region', true, 2, 'dock,mill'],
    ['price', true, 1, 'dock'],
    ['phone', false, 2, 'dock,mill'],
    ['store.name', true, 0, ''],
  ]);
  assert.deepEqual(lacking(actorOf('nina', { regions: [{ region: 'North', role: 'workspace_editor' }] }))[0], [
    'phone',
    false,
    0,
    '',
  ]);
  const runs = new CampaignPreviews({ ...parts, campaigns, registry, downlink });
  t.after(() => runs.stop());
  assert.deepEqual(
    runs.begin(ANNA, id).lacking.map(({ name }) => name),
    ['store.region', 'price'],
  );
  const start = (said?: { lacking: boolean }, actor = ANNA) => campaigns.start(actor, id, undefined, said).record.state;
  const refused = {
    status: 409,
    code: 'values_lacking',
    message: /number of stores: store\.region \(2\), price \(1\)\. Enter/,
  };
  assert.throws(start, refused);
  assert.throws(() => start({ lacking: false }), refused);
  const eva = actorOf('eva', { needsApproval: true });
  assert.throws(() => start(undefined, eva), refused);
  assert.equal(start({ lacking: true }, eva), 'waiting');
  assert.throws(start, refused, 'whoever approves is told as well');
  assert.equal(start({ lacking: true }), 'running');
  await say(stores[1]!, { price: '1' });
  assert.equal(lacking().find(([name]) => name === 'price')?.[2], 0);
});

test('error of a start that lacks values names ten of these values and says that there are more', async (t) => {
  const names = Array.from({ length: 11 }, (_, i) => `v${i + 10}`);
  const said = async (...asked: string[]) => {
    const { addStore, addWidget, campaigns } = setUp(t);
    addStore('mill');
    await addWidget('tag', asked.map((name) => `{{${name}}}`).join(' '));
    const { id } = campaigns.create(ANNA, bodyOf()).record;
    try {
      campaigns.start(ANNA, id, undefined);
    } catch (error) {
      return /number of stores: (.*)\. Enter/.exec((error as Error).message)?.[1];
    }
    return assert.fail('it was started');
  };
  const ten = names.slice(0, 10).map((name) => `${name} (1)`);
  assert.equal(await said(...names.slice(0, 10)), ten.join(', '));
  assert.equal(await said(...names), [...ten, '…'].join(', '));
});

test('start is refused when a widget needs a value whose name no store can have', async (t) => {
  const { addWidget, campaigns, changeLibrary, db } = setUp(t);
  const { id } = campaigns.create(ANNA, bodyOf()).record;
  const why = () => {
    try {
      campaigns.start(ANNA, id, undefined);
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  const refused = async (title: string, expected: RegExp, type?: string, key?: string) => {
    await addWidget('odd', title, type, key);
    assert.match(why() ?? '', expected, title);
    assert.deepEqual(campaigns.values(ANNA, id), []);
    await changeLibrary(() =>
      db.raw.exec("DELETE FROM widgets WHERE id = 'odd'; DELETE FROM published_items WHERE widget_id IS 'odd'"),
    );
  };
  await refused('{{pri-ce}}', /The widget odd has two braces that no value follows/);
  await refused('https://{{host}}/', /odd has a value where none is allowed/, 'webpage', 'url');
  await refused('<img src="{{x}}">', /odd has a value where none/, 'text', 'html');
  await refused('{{a}}'.repeat(2_001), /more than 2000 places/);
  assert.equal(why(), undefined);
});

test('editing the values of a store needs its current revision, and saving equal values changes nothing', async (t) => {
  const { addStore, say, values, service, said, told } = setUp(t);
  const mill = addStore('mill');
  const tag = ({ revision }: { revision: number }) => `"${revision}"`;
  const first = values.get(ANNA, 'mill');
  const second = await say(mill, { price: '1' }, tag(first));
  assert.deepEqual(second, { record: { values: { price: '1' } }, revision: first.revision + 1 });
  assert.deepEqual(service.get(ANNA, 'mill').revision, second.revision);
  assert.throws(() => values.set(ANNA, 'mill', {}, tag(first)), { status: 412 });
  told.length = 0;
  assert.deepEqual(await say(mill, { price: '1' }, tag(second)), second);
  assert.deepEqual([said, told], [['store.values_said mill'], []]);
  for (const actor of [actorOf('olga', { workspaceId: 'other' }), actorOf('nina', { regions: [] })])
    assert.throws(() => values.get(actor, 'mill'), { status: 404 });
});

test('import of a table shows a preview, then changes all stores or none, and is refused if its stores have changed', async (t) => {
  const { addStore, table, values, say, said, settled, registry } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const text = 'Store,price\nmill,1\ndock,2\n';
  const seen = await table(text);
  assert.deepEqual([seen.record.applied, seen.record.changed, values.get(ANNA, 'mill').record.values], [false, 2, {}]);
  await assert.rejects(table(`${text}pier,3`, true), {
    status: 400,
    message: 'table: line 4, column 1: There is no store with the name or id “pier”',
  });
  await say(dock, { phone: '112' });
  await assert.rejects(table(text, true, `"${seen.revision}"`), { status: 412 });
  assert.deepEqual(values.get(ANNA, mill.ref).record.values, {}, 'nothing of it');
  const now = await table(text);
  const done = await table(text, true, `"${now.revision}"`);
  await settled();
  assert.equal(done.record.applied, true);
  assert.deepEqual(
    ['mill', 'dock'].map((ref) => values.get(ANNA, ref).record.values),
    [{ price: '1' }, { phone: '112', price: '2' }],
  );
  assert.equal(done.revision, (await table(text)).revision);
  registry.forget();
  assert.deepEqual(values.get(ANNA, 'dock').record.values, { phone: '112', price: '2' }, 'it is in the database');
  assert.deepEqual(said.at(-1), 'store.values_said_many 2');
  assert.deepEqual(values.names(ANNA), [
    { name: 'store.name', stores: 2 },
    { name: 'store.region', stores: 0 },
    { name: 'phone', stores: 1 },
    { name: 'price', stores: 2 },
  ]);
});

test('import is refused when a store in the table changes while the table is being read', async (t) => {
  const { addStore, table, values, settled } = setUp(t);
  addStore('mill');
  const reading = table('Store,price\nmill,1', true);
  values.set(ANNA, 'mill', { phone: '112' }, undefined);
  await assert.rejects(reading, { status: 412 });
  await settled();
  assert.deepEqual(values.get(ANNA, 'mill').record.values, { phone: '112' });
});

test('exported table contains the imported values', async (t) => {
  const { addStore, table, values, settled } = setUp(t);
  for (const ref of ['mill', 'dock']) addStore(ref);
  await table('Store;phone;price\nmill;+49 30;"3,99 €"\ndock;;"a ""b"""', true);
  await settled();
  const exported = async (more: { region?: string; tag?: string; q?: string } = {}) => {
    const { head, chunks, ...file } = values.export(ANNA, { region: undefined, tag: undefined, q: undefined, ...more });
    let text = head ?? '';
    for await (const chunk of chunks) text += chunk.toString();
    return { text, file };
  };
  const { text, file } = await exported();
  assert.deepEqual(file, { filename: 'store-values-2026-11-02.csv', type: 'text/csv; charset=utf-8' });
  assert.equal(text, '\ufeffStore,phone,price\r\ndock,,"a ""b"""\r\nmill,"\'+49 30","3,99 €"\r\n');
  assert.equal((await table(text)).record.changed, 0);
  assert.equal((await exported({ q: 'MILL' })).text, '\ufeffStore,phone,price\r\nmill,"\'+49 30","3,99 €"\r\n');
});

test('import of 5,000 stores blocks other requests for less than a second', async (t) => {
  const { db, stores, registry, table, settled } = setUp(t);
  db.write(() => {
    const facts = {
      workspace_id: 'hq',
      region: '',
      tags: [],
      note: '',
      latitude: null,
      longitude: null,
      created_at: 1,
    };
    for (let i = 0; i < 5_000; i++) stores.insert({ ...facts, ref: `s${i}`, name: `Store ${i}` });
  });
  await settled();
  assert.equal(registry.all('hq').length, 5_000);
  const columns = Array.from({ length: 10 }, (_, i) => `v${i}`);
  const rows = Array.from({ length: 5_000 }, (_, i) =>
    [`Store ${i}`, ...columns.map((name) => `${name} of ${i}`)].join(),
  );
  let [longest, last] = [0, performance.now()];
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const { record } = await table([`x,${columns.join()}`, ...rows].join('\n'), true);
  await settled();
  clearInterval(beat);
  assert.deepEqual([record.changed, record.changed_stores], [50_000, 5_000]);
  t.diagnostic(`${Math.round(longest)} ms at most`);
  assert.ok(longest < 1_000, `${longest}`);
});

test('error of a start that lacks values names up to ten of these values', async (t) => {
  const { addStore, addWidget, campaigns } = setUp(t);
  addStore('mill');
  const { id } = campaigns.create(ANNA, bodyOf()).record;
  const names = Array.from({ length: 11 }, (_, i) => `v${i}`);
  const start = () => campaigns.start(ANNA, id, undefined);
  const said = (count: number, end: string) => ({
    status: 409,
    message: new RegExp(
      `stores: ${names
        .slice(0, count)
        .map((name) => `${name} \\(1\\)`)
        .join(', ')}${end}\\. Give`,
    ),
  });
  await addWidget(
    'ten',
    names
      .slice(0, 10)
      .map((name) => `{{${name}}}`)
      .join(''),
  );
  assert.throws(start, said(10, ''));
  await addWidget('more', '{{v10}}');
  assert.throws(start, said(10, ', …'));
});

test('desired state of a store with the maximum number of values stays within the size that stores accept', async (t) => {
  const { addStore, addWidget, running, say, desiredStates } = setUp(t);
  const mill = addStore('mill');
  const names = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(40, 'n'));
  await addWidget('all', names.map((name) => `{{${name}}}`).join(''));
  await running();
  await say(mill, Object.fromEntries(names.map((name) => [name, '"'.repeat(500)])));
  const signed = desiredStates.newer(mill, 0);
  assert.ok(SignedDesired.safeParse(signed).success);
  // The rest of the size limit must have room for 500 campaigns of 170 characters each.
  assert.ok(signed!.text.length + 500 * 170 < 250_000, `${signed!.text.length}`);
});
