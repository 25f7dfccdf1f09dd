import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reloading } from './newer-page.ts';

const SCRIPT = 'http://shop.test:8710/player/assets/index-1a.js';
const pageWith = (script: string) => `<div id="screen"></div><script type="module" src="./assets/${script}"></script>`;

function setUp(answers: ({ ok: boolean; page: string } | 'nobody')[]) {
  const kept = new Map<string, string>();
  const seen = { reloads: 0, pauses: 0 };
  const reloading = new Reloading({
    fetchPage: async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined || answer === 'nobody') throw new TypeError('Failed to fetch');
      return { ok: answer.ok, text: async () => answer.page };
    },
    reload: () => void seen.reloads++,
    memory: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    pause: async () => void seen.pauses++,
  });
  return { reloading, seen };
}

test('page reloads once when the server’s page names other scripts', async () => {
  const { reloading, seen } = setUp([{ ok: true, page: pageWith('index-2b.js') }]);
  await reloading.whenNewer(SCRIPT);
  await reloading.whenNewer(SCRIPT);
  assert.equal(seen.reloads, 1);
});

test('page does not reload if the scripts are the same, nothing answers, or the answer is a foreign page', async () => {
  for (const answer of [
    { ok: true, page: pageWith('index-1a.js') },
    { ok: true, page: '<h1>Please sign in to the Wi-Fi</h1>' },
    { ok: false, page: pageWith('index-2b.js') },
    'nobody' as const,
  ]) {
    const { reloading, seen } = setUp([answer]);
    await reloading.whenNewer(SCRIPT);
    assert.equal(seen.reloads, 0);
  }
});

test('page that lost its database reloads once the server answers', async () => {
  const { reloading, seen } = setUp([
    'nobody',
    'nobody',
    { ok: false, page: 'starting' },
    { ok: true, page: pageWith('index-1a.js') },
  ]);
  await reloading.whenServed();
  assert.deepEqual(seen, { reloads: 1, pauses: 3 });
});
