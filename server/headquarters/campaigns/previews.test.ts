/** Previews: each store is asked once what a campaign would change, and the answers are summed. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { StorePreview, StorePreviewAnswer } from '../../../shared/chain/store-preview.ts';
import type { AskOf } from '../../../shared/chain/wire.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { ANNA, actorOf, bodyOf, EVERYWHERE, openCampaigns } from '../testing/campaigns.ts';
import { CampaignPreviews } from './previews.ts';

const answerOf = (more: Partial<StorePreviewAnswer> = {}): StorePreviewAnswer => ({
  ...{ screens: 10, meant: 4, changes: 2, changed_names: [], hidden: [], before: [] },
  ...more,
});
type Answer = Omit<AskOf<'answer'>, 'id'>;

const setUp = (t: TestContext) => {
  const hq = openCampaigns(t);
  const { parts, campaigns, registry, downlink } = hq;
  const runs = new CampaignPreviews({ ...parts, campaigns, registry, downlink });
  t.after(() => runs.stop());
  /** @param answer undefined: the store does not answer */
  const listen = (store: KnownStore, answer: () => Answer | undefined) => {
    const asked: StorePreview[] = [];
    const leave = downlink.attach(store, {
      send: (text) => {
        const { id, verb, said } = JSON.parse(text);
        if (verb !== 'rehearse') return true;
        asked.push(said);
        const answered = answer();
        if (answered) setImmediate(() => downlink.answered(store, { id, ...answered }));
        return true;
      },
      end: () => {},
    });
    return { asked, leave };
  };
  const create = (more = {}) => campaigns.create(ANNA, bodyOf(more)).record.id;
  const done = async (id: string) => {
    for (let i = 0; i < 20_000 && runs.get(ANNA, id)?.state === 'asking'; i++) await new Promise(setImmediate);
    const { asked_at: _, ...run } = runs.get(ANNA, id)!;
    assert.equal(run.state, 'done');
    return run;
  };
  return { ...hq, runs, listen, create, done };
};

test('preview sums the answers, and counts stores that are offline or cannot answer', async (t) => {
  const { addStore, listen, create, runs, done, told, db } = setUp(t);
  const [mill, dock, pier, old, , foreign] = ['mill', 'dock', 'pier', 'old', 'away', 'left out'].map((ref) =>
    addStore(ref),
  );
  const hidden = (name: string, screens: number) => ({ what: 'schedule' as const, name, screens });
  const atMill = listen(mill!, () => ({
    answer: answerOf({
      hidden: [hidden('Menu', 2), hidden('Lunch', 9)],
      before: [{ what: 'campaign', name: 'Alarm', screens: 1 }],
    }),
  }));
  listen(dock!, () => ({ answer: answerOf({ changes: 0, hidden: [hidden('Menu', 8)] }) }));
  listen(pier!, () => ({ refused: { code: 'busy', error: 'Later.' } }));
  listen(old!, () => ({ refused: { code: 'unsupported', error: 'Too old.' } }));
  const out = listen(foreign!, () => ({ answer: answerOf() }));
  const id = create({
    whole_screen: true,
    where: { ...EVERYWHERE, store_ids: ['mill', 'dock', 'pier', 'old', 'away'] },
  });
  told.length = 0;
  assert.equal(runs.begin(ANNA, id).state, 'asking');
  assert.deepEqual(await done(id), {
    ...{
      state: 'done',
      stores: 5,
      answered: 2,
      unreached: 2,
      unable: 1,
      screens: 20,
      meant: 8,
      changes: 2,
      changed_stores: 1,
    },
    hidden: [
      { ...hidden('Menu', 10), stores: 2 },
      { ...hidden('Lunch', 9), stores: 1 },
    ],
    before: [{ what: 'campaign', name: 'Alarm', screens: 1, stores: 1 }],
    lacking: [],
  });
  assert.deepEqual([out.asked, atMill.asked.length, atMill.asked[0]!.has_layout], [[], 1, true]);
  assert.equal(atMill.asked[0]!.start_time, '2026-11-27T09:00:00');
  runs.announceChanges();
  await db.durable();
  assert.ok(told.includes('hq campaigns'));
});

test('previews together ask at most 64 stores at once', async (t) => {
  const { addStore, listen, create, runs, done, db } = setUp(t);
  const stores = db.write(() => Array.from({ length: 300 }, (_, i) => addStore(`s${i}`)));
  let [now, most] = [0, 0];
  for (const store of stores)
    listen(store, () => {
      most = Math.max(most, ++now);
      setImmediate(() => now--);
      return { answer: answerOf() };
    });
  const ids = [create(), create({ name: 'other' })];
  for (const id of ids) runs.begin(ANNA, id);
  for (const id of ids) assert.equal((await done(id)).answered, 300);
  assert.ok(most > 8 && most <= 64, `${most} at once`);
});

test('preview is kept for an hour, at most 50 previews are kept, and a new preview replaces the previous one', async (t) => {
  const { create, runs, clock, addStore, listen, done } = setUp(t);
  const first = create();
  assert.equal(runs.get(ANNA, first), null);
  assert.equal(runs.begin(ANNA, first).stores, 0);
  listen(addStore('mill'), () => ({ answer: answerOf() }));
  runs.begin(ANNA, first);
  assert.equal((await done(first)).answered, 1);
  clock.advance(3_599_999);
  assert.ok(runs.get(ANNA, first));
  clock.advance(1);
  assert.equal(runs.get(ANNA, first), null);
  const ids = Array.from({ length: 51 }, (_, i) => create({ name: `c${i}` }));
  for (const id of ids) runs.begin(ANNA, id);
  assert.equal(runs.get(ANNA, ids[0]!), null);
  for (const id of ids.slice(1)) assert.ok(runs.get(ANNA, id));
});

test('other workspaces cannot see a preview', (t) => {
  const { create, runs } = setUp(t);
  const id = create();
  runs.begin(ANNA, id);
  const bob = actorOf('bob', { workspaceId: 'other' });
  assert.throws(() => runs.begin(bob, id), { status: 404 });
  assert.throws(() => runs.get(bob, id), { status: 404 });
});
