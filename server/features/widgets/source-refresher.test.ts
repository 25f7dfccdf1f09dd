import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { Brought } from './source-fetcher.ts';
import { retryDelayMs, SourceRefresher } from './source-refresher.ts';
import { SourcesStore } from './sources.store.ts';
import { feedSource, type Source } from './sources.ts';

const MINUTE = 60_000;

const open = (
  t: TestContext,
  bring: (source: Source, etag: string | null) => Promise<Brought>,
  onScreens: Source[] = [],
  begin: (store: SourcesStore, clock: TestClock & { doubtful?: boolean }) => void = () => {},
) => {
  const db = openDatabase(':memory:');
  const clock = new TestClock();
  const store = new SourcesStore(db);
  begin(store, clock);
  const asked: string[] = [];
  const errors: unknown[] = [];
  const refresher = new SourceRefresher({
    db,
    store,
    clock,
    bus: new Bus(() => {}),
    feeds: { end: () => {} },
    fetcher: {
      bring: (source, etag) => {
        asked.push(source.key);
        return bring(source, etag);
      },
    },
    onScreens: () => onScreens,
    onError: (error) => errors.push(error),
  });
  t.after(async () => {
    await refresher.stop();
    assert.deepEqual(errors, []);
    db.close();
  });
  refresher.start();
  return { clock, store, asked, refresher };
};
const source = feedSource('http://x.test/feed');

test('a source on screens is fetched at the start, and again when it is five minutes old', async (t) => {
  const { clock, store, asked, refresher } = open(t, async () => ({ data: 'news', etag: '"1"' }), [source]);
  await refresher.settled([source]);
  assert.equal(store.find(source.key)?.data, 'news');
  clock.advance(4 * MINUTE);
  refresher.runDue();
  assert.equal(asked.length, 1);
  clock.advance(MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(asked.length, 2);
});

test('a source that was viewed is refreshed for an hour, and not longer', async (t) => {
  const { clock, asked, refresher } = open(t, async () => ({ data: 1, etag: null }));
  refresher.want([source]);
  await refresher.settled([source]);
  clock.advance(30 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(asked.length, 2);
  clock.advance(61 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(asked.length, 2);
});

test('a failing source keeps its last data with the error, and is retried with growing pauses', async (t) => {
  let down = false;
  const { clock, store, asked, refresher } = open(t, async () => {
    if (down) throw new Error('x.test refused the connection');
    return { data: 'news', etag: null };
  }, [source]);
  await refresher.settled([source]);
  const { fetched_at } = store.find(source.key)!;
  down = true;
  clock.advance(6 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  const kept = store.find(source.key)!;
  assert.deepEqual([kept.data, kept.fetched_at, kept.error], ['news', fetched_at, 'x.test refused the connection']);
  clock.advance(0.5 * MINUTE);
  refresher.runDue();
  assert.equal(asked.length, 2, 'not before a pause');
  clock.advance(MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(asked.length, 3);
  down = false;
  clock.advance(10 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(store.find(source.key)?.error, null);
});

test('an unchanged source is only marked as fresh', async (t) => {
  const tags: (string | null)[] = [];
  const { clock, store, refresher } = open(
    t,
    async (_source, etag) => {
      tags.push(etag);
      return etag ? null : { data: 'news', etag: '"1"' };
    },
    [source],
  );
  await refresher.settled([source]);
  clock.advance(6 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.deepEqual(tags, [null, '"1"']);
  assert.deepEqual(
    [store.find(source.key)?.data, store.find(source.key)?.fetched_at],
    ['news', Math.floor(clock.now() / 1000)],
  );
});

test('at most four sources are fetched at once', async (t) => {
  let running = 0;
  let most = 0;
  const many = Array.from({ length: 20 }, (_, i) => feedSource(`http://x.test/${i}`));
  const { refresher, asked } = open(
    t,
    async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      running--;
      return { data: 1, etag: null };
    },
    many,
  );
  await refresher.settled(many);
  assert.equal(asked.length, 20);
  assert.equal(most, 4);
});

test('old data is refreshed even after the clock was set back', async (t) => {
  const { clock, asked, refresher } = open(t, async () => ({ data: 1, etag: null }), [source]);
  await refresher.settled([source]);
  clock.advance(-24 * 60 * MINUTE);
  refresher.runDue();
  await refresher.settled([source]);
  assert.equal(asked.length, 2);
});

test('retries wait 1, 2, 4 … minutes, at most an hour, plus or minus a fifth', () => {
  assert.deepEqual(
    [1, 2, 3, 7, 20].map((n) => retryDelayMs(n, () => 0.5) / MINUTE),
    [1, 2, 4, 60, 60],
  );
  assert.deepEqual(
    [0, 1].map((random) => Math.round(retryDelayMs(1, () => random) / 1000)),
    [48, 72],
  );
});

for (const doubtful of [false, true])
  test(`sources unused for two months are deleted at a start${doubtful ? ', but not while the clock is untrusted' : ''}`, (t) => {
    const begin = (before: SourcesStore, clock: TestClock & { doubtful?: boolean }) => {
      before.saveGood(source.key, clock.now() / 1000, { data: 'news', etag: null });
      clock.advance(61 * 86_400_000);
      clock.doubtful = doubtful;
    };
    const { store } = open(t, async () => null, [], begin);
    assert.equal(store.find(source.key)?.data, doubtful ? 'news' : undefined);
  });
