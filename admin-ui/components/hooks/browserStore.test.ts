import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BrowserStore } from './browserStore.ts';

const storageOf = (room: number): Storage => {
  const stored = new Map<string, string>();
  return {
    get length() {
      return stored.size;
    },
    key: (i) => [...stored.keys()][i] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, text);
    },
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
  };
};

const tryAll = (store: BrowserStore) => {
  const outlives = store.setItem('a', 'something');
  assert.equal(store.getItem('a'), 'something');
  assert.deepEqual(store.keys(), ['a']);
  store.removeItem('a');
  assert.equal(store.getItem('a'), null);
  assert.deepEqual(store.keys(), []);
  return outlives;
};

test('value that the browser refuses to store stays in the page', () => {
  assert.equal(tryAll(new BrowserStore(() => storageOf(100))), true);
  assert.equal(tryAll(new BrowserStore(() => storageOf(3))), false);
  assert.equal(tryAll(new BrowserStore(() => null)), false);
  const blocked = () => {
    throw new DOMException('Access is denied', 'SecurityError');
  };
  assert.equal(tryAll(new BrowserStore(blocked)), false);
});

test('value over the quota is returned in place of the stored value, until a later value can be stored', () => {
  const storage = storageOf(5);
  const store = new BrowserStore(() => storage);
  store.setItem('a', 'old');
  assert.equal(store.setItem('a', 'much longer'), false);
  assert.equal(store.getItem('a'), 'much longer');
  assert.equal(store.setItem('a', 'new'), true);
  assert.equal(store.getItem('a'), 'new');
});

test("only browserStore.ts uses the browser's storage directly", () => {
  const files = globSync('admin-ui/**/*.{ts,tsx}').filter((file) => !/\.test\.ts$|^admin-ui\/dev\//.test(file));
  assert.ok(files.length > 100);
  const found = files.filter((file) => /\b(?:local|session)Storage\b/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found, ['admin-ui/components/hooks/browserStore.ts']);
});
