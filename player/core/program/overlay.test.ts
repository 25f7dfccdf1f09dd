import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlayBeginsBy, type PipShow } from '../../../shared/protocol/messages.ts';
import { FakeTime, MemoryDocuments, MemoryLog, settle } from '../testing/fakes.ts';
import { Overlay, type OverlayResult } from './overlay.ts';

const HOUR_MS = 3_600_000;

const start = async (documents = new MemoryDocuments()) => {
  const time = new FakeTime();
  const results: OverlayResult[] = [];
  const jump = { ms: 0 };
  const now = () => time.mono() + jump.ms;
  const fetches: Fetch[] = [];
  const boot = async () => {
    const overlay = new Overlay({
      documents,
      time,
      log: new MemoryLog(),
      now,
      changed: () => {},
      result: (result) => results.push(result),
      fetch: ({ sha256 }, signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        fetches.push({ sha256, signal, resolve, reject });
        return promise;
      },
    });
    await overlay.start();
    return overlay;
  };
  return { time, results, jump, now, boot, fetches, overlay: await boot() };
};

interface Fetch {
  readonly sha256: string;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The overlay message in the form in which the server sends it. */
const pip = (sentAt: number, seconds: number): PipShow => ({
  type: 'device:pip-show',
  pip_id: 'p',
  kind: 'image',
  uri: 'http://x.test/a.png',
  position: 'center',
  width: 100,
  height: 100,
  duration: seconds,
  opacity: 1,
  border_radius: 0,
  close_button: false,
  until: sentAt + seconds * 1_000,
  begin_by: overlayBeginsBy(sentAt, seconds),
});

test('duration of an overlay counts from the moment when it is visible, and a restart or reload does not extend it', async () => {
  const { time, results, now, boot, overlay } = await start();
  const sent = now();
  await overlay.show(pip(sent, 10));
  await time.advance(14_000);
  assert.deepEqual([results, overlay.current?.until], [[], sent + 20_000]);
  await overlay.reported({ pip_id: 'p', status: 'shown', at: sent + 13_900 });
  assert.deepEqual(results, [{ pip_id: 'p', status: 'shown', at: sent + 13_900 }]);
  assert.equal(overlay.current?.until, sent + 23_900);
  await time.advance(6_000);
  overlay.stop();
  const again = await boot();
  assert.equal(again.current?.until, sent + 23_900);
  await again.reported({ pip_id: 'p', status: 'shown', at: now() });
  assert.equal(again.current?.until, sent + 23_900);
  await time.advance(3_899);
  assert.notEqual(again.current, null);
  await time.advance(1);
  assert.equal(again.current, null);
  assert.deepEqual(results.at(-1), { pip_id: 'p', status: 'cleared' });
});

test('page whose clock is ahead does not extend the duration of an overlay', async () => {
  const { now, overlay } = await start();
  await overlay.show(pip(now(), 10));
  await overlay.reported({ pip_id: 'p', status: 'shown', at: now() + HOUR_MS });
  assert.equal(overlay.current?.until, now() + 10_000);
});

test('overlay that is never visible ends after its duration, and an overlay that arrives too late does not start', async () => {
  const { time, results, now, overlay } = await start();
  const sent = now();
  await overlay.show(pip(sent, 60));
  await time.advance(60_000);
  assert.deepEqual([results, overlay.current], [[{ pip_id: 'p', status: 'cleared' }], null]);
  await overlay.show({ ...pip(sent, 60), pip_id: 'late' });
  assert.deepEqual([results.at(-1), overlay.current], [{ pip_id: 'late', status: 'cleared' }, null]);
});

test('overlay of an older server ends at the instant in the message', async () => {
  const { time, now, overlay } = await start();
  const { begin_by: _, ...old } = pip(now(), 10);
  await overlay.show(old);
  await time.advance(4_000);
  await overlay.reported({ pip_id: 'p', status: 'shown', at: now() });
  assert.equal(overlay.current?.until, old.until);
  await time.advance(6_000);
  assert.equal(overlay.current, null);
});

test('overlay on a player without a page ends when its time is over, also after a clock jump', async () => {
  const { time, results, jump, overlay } = await start();
  const { begin_by: _, until: __, ...frame } = pip(0, 8 * 3_600);
  await overlay.show(frame);
  await time.advance(HOUR_MS);
  assert.deepEqual(results, []);
  // The machine sleeps for a night, during which the timer stands still.
  jump.ms = 9 * HOUR_MS;
  overlay.clockStepped();
  await time.advance(0);
  await settle();
  assert.deepEqual(results, [{ pip_id: 'p', status: 'cleared' }]);
  assert.equal(overlay.current, null);
});

test('messages and reports about another overlay do not change the current overlay', async () => {
  const { results, now, overlay } = await start();
  await overlay.show(pip(now(), 10));
  await overlay.clear('other');
  for (const status of ['shown', 'failed', 'cleared'] as const) await overlay.reported({ pip_id: 'other', status });
  assert.deepEqual([overlay.current?.pip_id, results], ['p', [{ pip_id: 'other', status: 'cleared' }]]);
  await overlay.clear();
  assert.deepEqual([overlay.current, results.at(-1)], [null, { pip_id: 'p', status: 'cleared' }]);
  await overlay.clear();
  assert.equal(results.length, 2);
});

test('overlay message that arrives again is answered, but not shown again, also after a restart', async () => {
  const { results, now, boot, overlay } = await start();
  const first = pip(now(), 10);
  await overlay.show(first);
  await overlay.show(first);
  assert.deepEqual(results, [], 'nobody has seen it yet');
  await overlay.reported({ pip_id: 'p', status: 'shown', at: now() });
  await overlay.show(first);
  await overlay.show({ ...pip(now(), 10), pip_id: 'q' });
  await overlay.show(first);
  const told = (pip_id: string, status: string) => ({ pip_id, status });
  assert.deepEqual(
    results.map(({ pip_id, status }) => told(pip_id, status)),
    [told('p', 'shown'), told('p', 'shown'), told('p', 'cleared'), told('p', 'cleared')],
  );
  overlay.stop();
  const again = await boot();
  assert.equal(again.current?.pip_id, 'q');
  const told2 = results.length;
  await again.show({ ...pip(now(), 10), pip_id: 'q' });
  assert.equal(results.length, told2, 'in this run nobody has seen it yet');
  await again.show(first);
  assert.deepEqual([again.current?.pip_id, results.at(-1)], ['q', told('p', 'cleared')]);
  await again.forget();
  assert.deepEqual([again.current, (await boot()).current], [null, null]);
});

test('overlay without a duration stays until cleared, and the reason of a failure has at most 2,000 characters', async () => {
  const { time, results, now, overlay } = await start();
  const { begin_by: _, until: __, ...frame } = pip(now(), 0);
  await overlay.show(frame);
  await overlay.reported({ pip_id: 'p', status: 'failed', error: 'x'.repeat(3_000) });
  assert.deepEqual(results, [{ pip_id: 'p', status: 'failed', error: 'x'.repeat(2_000) }]);
  await time.advance(50 * HOUR_MS);
  assert.deepEqual(overlay.current, frame);
});

test('after a restart, the current overlay, its end, and the last ended overlay are known', async () => {
  const documents = new MemoryDocuments();
  const { time, results, now, boot, overlay } = await start(documents);
  await overlay.show({ ...pip(now(), 60), until: undefined, begin_by: now() + 7_000 });
  assert.equal(overlay.current?.until, now() + 7_000, 'as the server says');
  const { ends_at: _, ...older } = JSON.parse(documents.all.get('overlay')!);
  documents.all.set('overlay', JSON.stringify(older));
  overlay.stop();
  await time.advance(10_000);
  assert.deepEqual(results, [], 'who was stopped says nothing');
  time.wallOffset += 1;
  const again = await boot();
  await again.show({ ...pip(now(), 1), pip_id: 's', until: undefined, begin_by: undefined });
  assert.equal(again.current?.until, now() + 20_000, 'where the server says nothing');
  await again.forget();
  await time.advance(60_000);
  assert.deepEqual([results.filter(({ pip_id }) => pip_id !== 'p'), documents.all.size], [[], 0]);
});

test('next overlay has its own duration, and each change of the overlay is reported', async () => {
  const documents = new MemoryDocuments();
  const time = new FakeTime();
  const results: OverlayResult[] = [];
  let changes = 0;
  const overlay = new Overlay({
    documents,
    time,
    log: new MemoryLog(),
    now: () => time.mono(),
    changed: () => changes++,
    result: (result) => results.push(result),
    fetch: async () => {},
  });
  await overlay.start();
  await overlay.show(pip(time.mono(), 10));
  await overlay.reported({ pip_id: 'p', status: 'shown' });
  assert.equal(overlay.current?.until, time.mono() + 10_000, 'since now, when nobody says since when');
  await time.advance(1_000);
  const next = { ...pip(time.mono(), 30), pip_id: 'q' };
  await overlay.show(next);
  await overlay.show(next);
  assert.deepEqual([overlay.current?.until, results.at(-1)?.pip_id], [next.begin_by, 'p']);
  await overlay.clear('q');
  assert.deepEqual([overlay.current, results.at(-1)], [null, { pip_id: 'q', status: 'cleared' }]);
  await overlay.show({ ...pip(time.mono(), 10), pip_id: 'r' });
  await overlay.reported({ pip_id: 'r', status: 'cleared' });
  assert.deepEqual([overlay.current, changes], [null, 6]);
  await overlay.show({ ...pip(time.mono(), 50 * 3_600), pip_id: 's' });
  await time.advance(49 * HOUR_MS);
  assert.equal(overlay.current?.pip_id, 's');
  await overlay.forget();
  const told = results.length;
  await time.advance(9 * HOUR_MS);
  assert.equal(results.length, told, 'what is forgotten says nothing');
});

const page = (letter: string) => ({ sha256: letter.repeat(64), size: 10, mime: 'text/html' });

test('new overlay with a file is shown once the file is stored, and the current overlay stays until then', async () => {
  const { results, now, boot, fetches, overlay } = await start();
  await overlay.show({ ...pip(now(), 60), pip_id: 'old' });
  const sent = { ...pip(now(), 60), asset: page('a') };
  await overlay.show(sent);
  await overlay.show(sent);
  assert.deepEqual([overlay.current?.pip_id, fetches.length, overlay.assets], ['old', 1, [page('a')]]);
  fetches[0]?.resolve();
  await settle();
  assert.deepEqual([overlay.current?.pip_id, overlay.current?.asset], ['p', page('a')]);
  assert.deepEqual([results, overlay.assets], [[{ pip_id: 'old', status: 'cleared' }], [page('a')]]);
  const again = await boot();
  assert.deepEqual(
    [again.current?.asset, again.assets, fetches.length],
    [page('a'), [page('a')], 1],
    'without a server',
  );
  again.stop();
  await overlay.show(sent);
  assert.equal(fetches.length, 1, 'what is there is not fetched again');
  await overlay.clear('p');
  assert.deepEqual(overlay.assets, []);
  await overlay.show({ ...sent, pip_id: 'q' });
  overlay.stop();
  assert.equal(fetches[1]?.signal.aborted, true);
  fetches[1]?.reject(new Error('stopped'));
  await settle();
  assert.equal(overlay.current, null, 'nothing shows after the end');
});

test('download of an overlay that is cleared or replaced is stopped, and the overlay is never shown', async () => {
  const { results, now, fetches, overlay } = await start();
  await overlay.show({ ...pip(now(), 60), pip_id: 'a', asset: page('a') });
  await overlay.show({ ...pip(now(), 60), pip_id: 'b', asset: page('b') });
  await overlay.clear('b');
  for (const fetch of fetches) fetch.resolve();
  await settle();
  assert.deepEqual([overlay.current, fetches.map(({ signal }) => signal.aborted)], [null, [true, true]]);
  assert.deepEqual(results, [
    { pip_id: 'a', status: 'cleared' },
    { pip_id: 'b', status: 'cleared' },
  ]);
  await overlay.show({ ...pip(now(), 60), pip_id: 'c', asset: page('c') });
  await overlay.clear();
  await overlay.show({ ...pip(now(), 60), pip_id: 'd', asset: page('d') });
  await overlay.forget();
  assert.deepEqual([fetches.every(({ signal }) => signal.aborted), overlay.assets], [true, []]);
});

test('if the file cannot be downloaded, the address is used, and the next message tries the file again', async () => {
  const { results, now, fetches, overlay } = await start();
  const sent = { ...pip(now(), 60), asset: page('a') };
  await overlay.show(sent);
  fetches[0]?.reject(new Error('404'));
  await settle();
  assert.deepEqual([overlay.current?.pip_id, overlay.current?.asset], ['p', undefined]);
  await overlay.reported({ pip_id: 'p', status: 'failed', error: 'nobody answers' });
  await overlay.show(sent);
  fetches[1]?.resolve();
  await settle();
  assert.deepEqual([overlay.current?.pip_id, overlay.current?.asset], ['p', page('a')]);
  assert.deepEqual(results, [{ pip_id: 'p', status: 'failed', error: 'nobody answers' }], 'it has never been over');
});

test('clear with an id ends that overlay, visible or still downloading, and clear without an id ends both', async () => {
  for (const [showing, asked, shows, comes, cleared] of [
    ['s', 's', false, true, ['s']],
    ['s', 'c', true, false, ['c']],
    ['s', 'x', true, true, ['x']],
    ['s', undefined, false, false, ['c', 's']],
    ['c', 'c', false, false, ['c', 'c']],
  ] as const) {
    const { results, now, fetches, overlay } = await start();
    await overlay.show({ ...pip(now(), 60), pip_id: showing });
    await overlay.show({ ...pip(now(), 60), pip_id: 'c', asset: page('c') });
    await overlay.clear(asked);
    assert.deepEqual([overlay.current !== null, !fetches[0]?.signal.aborted], [shows, comes], asked);
    assert.deepEqual(
      results,
      cleared.map((pip_id) => ({ pip_id, status: 'cleared' })),
    );
  }
});
