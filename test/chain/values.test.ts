/**
 * A campaign in two stores. Their screens differ by the values (such as a price) that headquarters has for each store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { enrol, openHq, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 30_000;
const DAY_MS = 86_400_000;
const day = (offset: number): string => `${new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)}T00:00:00`;

/**
 * Returns the widgets of headquarters that a store has: for each name, the text and the ETag, which changes with every
 * edit.
 */
const widgetsOf = async (store: Server): Promise<Record<string, string>> => {
  const all = await store.get('/api/widgets');
  const shown = await Promise.all(
    all.map(async ({ id, name }: { id: string; name: string }) => {
      const { body, headers } = await store.call('GET', `/api/widgets/${id}`);
      return [name, `${body.config.html} ${headers.get('etag')}`];
    }),
  );
  return Object.fromEntries(shown);
};

test('two stores show a campaign with their own values, and a store without a value keeps its present content', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const ids = [await enrol(hq, mill, { name: 'Mill & Sons' }), await enrol(hq, dock, { name: 'Dock' })] as const;
  await openScreen(t, mill, 'Till');
  const { id: playlist } = must(await hq.call('POST', '/api/playlists', { name: 'Prices' }), 201);
  for (const [name, html] of [
    ['Tag', '<b>{{price}}</b> {{store.name}}'],
    ['Sign', '{{phone|Ask us}}'],
    ['Plain', 'Bread'],
  ]) {
    const made = await hq.call('POST', '/api/widgets', { widget_type: 'text', name, config: { html } });
    must(await hq.call('POST', `/api/playlists/${playlist}/items`, { widget_id: must(made, 201).id }), 201);
  }
  must(await hq.call('POST', `/api/playlists/${playlist}/publish`));
  const table = (text: string, apply = true) => hq.call('POST', '/api/stores/values/table', { table: text, apply });
  must(await table('Store,price\nMill & Sons,<3.99>\n'));
  const { id } = must(
    await hq.call('POST', '/api/campaigns', {
      ...{ name: 'Advent', note: '', rank: 'must', playlist_id: playlist, layout_id: null, whole_screen: true },
      ...{ start_time: day(-2), end_time: day(300), recurrence: null, recurrence_end: null, begins: 'whole' },
      ...{ where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
    }),
    201,
  );
  assert.deepEqual(
    (await hq.get(`/api/campaigns/${id}/values`)).filter(({ lacking }: { lacking: number }) => lacking > 0),
    [
      { name: 'price', is_needed: true, lacking: 1, stores: [{ id: ids[1], name: 'Dock' }] },
      {
        name: 'phone',
        is_needed: false,
        lacking: 2,
        stores: [
          { id: ids[1], name: 'Dock' },
          { id: ids[0], name: 'Mill & Sons' },
        ],
      },
    ],
  );
  const lacked = await hq.call('POST', `/api/campaigns/${id}/start`);
  assert.deepEqual([lacked.status, lacked.body.code], [409, 'values_lacking']);
  must(await hq.call('POST', `/api/campaigns/${id}/start`, { lacking: true }));
  const inStores = async () =>
    Object.fromEntries(
      (await hq.get(`/api/campaigns/${id}/stores`)).map(
        ({ store_name, phase, why }: { store_name: string; phase: string; why: string }) => [store_name, [phase, why]],
      ),
    );
  const seen = (store: Server, what: string, is: (shown: Record<string, string>) => boolean) =>
    until(what, WAIT_MS, async () => {
      const shown = await widgetsOf(store);
      return is(shown) && shown;
    });
  const atMill = await seen(mill, 'Mill shows it', (shown) => 'Tag' in shown);
  assert.deepEqual(atMill, {
    Plain: 'Bread "1"',
    Sign: 'Ask us "1"',
    Tag: '<b>&#60;3.99&#62;</b> Mill &#38; Sons "1"',
  });
  const refused = await until(
    'Dock has refused it',
    WAIT_MS,
    async () => (await inStores())['Dock']?.[0] === 'refused' && inStores(),
  );
  assert.match(refused['Dock'][1], /missing at headquarters: price/);
  assert.deepEqual(await widgetsOf(dock), {}, 'never with braces');
  await until('an incident', WAIT_MS, async () => (await hq.get(`/api/stores/${ids[1]}/incidents`)).length === 1);

  const revAtMill = () => mill.site.app.db.raw.prepare('SELECT desired_rev FROM chain_links').pluck().get();
  const before = revAtMill();
  must(await hq.call('PUT', `/api/stores/${ids[1]}/values`, { values: { price: '2.99' } }));
  const atDock = await seen(dock, 'Dock shows it', (shown) => 'Tag' in shown);
  assert.equal(atDock['Tag'], '<b>2.99</b> Dock "1"');
  assert.equal(revAtMill(), before, 'Mill was told nothing');

  must(await table('Store;price;phone\nDock;2.49;112'));
  const changed = await seen(dock, 'another price', (shown) => shown['Tag']?.includes('2.49') === true);
  assert.deepEqual(changed, { Plain: 'Bread "1"', Sign: '112 "2"', Tag: '<b>2.49</b> Dock "2"' });
  assert.deepEqual(await widgetsOf(mill), atMill);

  must(await hq.call('PUT', `/api/stores/${ids[1]}/values`, { values: { phone: '110' } }));
  await until('Dock lacks its price', WAIT_MS, async () => (await inStores())['Dock']?.[0] === 'refused');
  assert.deepEqual(await widgetsOf(dock), changed, 'what it had');
  const [{ id: tag }] = (await dock.get('/api/widgets')).filter(({ name }: { name: string }) => name === 'Tag');
  const own = await dock.call('PUT', `/api/widgets/${tag}`, { config: { html: 'mine' } });
  assert.equal(own.status, 423);
  assert.equal((await table('Store,price\nNowhere,1\n')).status, 400);
});
