import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageCache } from './images.ts';

const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

const setUp = (maxIdleBytes = 100, parallel = 4) => {
  const dropped: string[] = [];
  const waiting = new Map<
    string,
    { answer: (blob: Blob) => void; fail: (error: Error) => void; signal: AbortSignal }
  >();
  let n = 0;
  const cache = new ImageCache({
    fetch: (url, signal) => new Promise((answer, fail) => waiting.set(url, { answer, fail, signal })),
    makeUrl: () => `blob:${++n}`,
    dropUrl: (url) => dropped.push(url),
    maxIdleBytes,
    parallel,
  });
  const answer = async (url: string, size = 10) => {
    waiting.get(url)!.answer({ size } as Blob);
    await settle();
  };
  return { cache, dropped, waiting, answer };
};
const nothing = () => undefined;

test('picture that two components use is fetched once, and both are notified', async () => {
  const { cache, waiting, answer } = setUp();
  let told = 0;
  cache.use('/a', () => told++);
  cache.use('/a', () => told++);
  await settle();
  assert.deepEqual([...waiting.keys()], ['/a']);
  await answer('/a');
  assert.equal(told, 2);
  assert.deepEqual(cache.state('/a'), { status: 'ready', src: 'blob:1' });
});

test('cache keeps 100 bytes of unused pictures, and drops the least recently used picture first', async () => {
  const { cache, dropped, answer } = setUp(100);
  for (const url of ['/a', '/b', '/c']) {
    const release = cache.use(url, nothing);
    await settle();
    await answer(url, 40);
    release();
  }
  assert.deepEqual(dropped, ['blob:1']);
  assert.equal(cache.state('/a').status, 'loading');
  assert.equal(cache.state('/c').status, 'ready');
});

test('picture in use is never dropped', async () => {
  const { cache, dropped, answer } = setUp(0);
  cache.use('/a', nothing);
  await settle();
  await answer('/a', 1000);
  assert.deepEqual(dropped, []);
});

test('load is aborted when no component needs the picture any more', async () => {
  const { cache, waiting } = setUp();
  const release = cache.use('/a', nothing);
  await settle();
  release();
  assert.equal(waiting.get('/a')!.signal.aborted, true);
});

test('at most 2 pictures are fetched at a time, the newest request first', async () => {
  const { cache, waiting, answer } = setUp(100, 2);
  for (const url of ['/a', '/b', '/c', '/d']) cache.use(url, nothing);
  await settle();
  assert.deepEqual([...waiting.keys()], ['/d', '/c']);
  await answer('/d');
  assert.deepEqual([...waiting.keys()], ['/d', '/c', '/b']);
});

test('failed picture is fetched again when it is needed again', async () => {
  const { cache, waiting } = setUp();
  const release = cache.use('/a', nothing);
  await settle();
  waiting.get('/a')!.fail(new Error('404'));
  await settle();
  assert.equal(cache.state('/a').status, 'failed');
  release();
  waiting.clear();
  cache.use('/a', nothing);
  await settle();
  assert.equal(waiting.has('/a'), true);
});
