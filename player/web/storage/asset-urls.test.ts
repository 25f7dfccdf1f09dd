import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssetUrls } from './asset-urls.ts';

const asset = (sha256: string) => ({ sha256, size: 1, mime: 'text/html' });

function setUp() {
  const files = new Map(['a', 'b', 'c'].map((name) => [name, `file ${name}`]));
  const live = new Set<string>();
  let made = 0;
  const assets = new AssetUrls({
    blob: async (sha256, type) => (files.has(sha256) ? new Blob([files.get(sha256) ?? ''], { type }) : undefined),
    urls: {
      create: () => {
        const url = `blob:${++made}`;
        live.add(url);
        return url;
      },
      revoke: (url) => void live.delete(url),
    },
  });
  return { files, live, assets };
}

test('files of a program have addresses until two later programs have arrived', async () => {
  const { assets, live } = setUp();
  await assets.follow('p1', [asset('a'), asset('b')]);
  const a = assets.url('a');
  await assets.follow('p2', [asset('b'), asset('c')]);
  assert.equal(live.has(a), true, 'its picture may still be on screen');
  await assets.follow('p3', [asset('c')]);
  assert.deepEqual([live.has(a), assets.url('a'), live.has(assets.url('b'))], [false, 'blob:nothing', true]);
  assets.clear();
  assert.equal(live.size, 0);
});

test('unchanged file has the same address in the next program, and a repaired file gets a new address', async () => {
  const { assets, files, live } = setUp();
  await assets.follow('p1', [asset('a'), asset('b')]);
  const [a, b] = [assets.url('a'), assets.url('b')];
  files.delete('a');
  assets.drop('a');
  await assets.follow('p1', [asset('a'), asset('b')]);
  assert.deepEqual([assets.url('a'), live.has(a)], ['blob:nothing', false]);
  await assert.rejects(assets.text('a'), /missing/);
  files.set('a', 'fetched again');
  await assets.follow('p1', [asset('a'), asset('b')]);
  assert.equal(await assets.text('a'), 'fetched again');
  assert.notEqual(assets.url('a'), a);
  assert.equal(assets.url('b'), b);
});
