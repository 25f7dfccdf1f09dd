import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts, fitting, holdsSecret } from './drafts.ts';

const DAY = 86_400_000;

const open = () => {
  const stored = new Map<string, string>([['vitrine.session', 'stays']]);
  let now = 1_000_000;
  const storage = {
    keys: () => [...stored.keys()],
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => {
      stored.set(key, text);
      return true;
    },
    removeItem: (key: string) => void stored.delete(key),
  };
  return { stored, drafts: new Drafts({ storage, now: () => now }), pass: (ms: number) => (now += ms) };
};

test('stored draft is returned with its time and base version until it is dropped', () => {
  const { drafts } = open();
  drafts.store('a', { base: '"3"', value: { name: 'Window' } });
  assert.deepEqual(drafts.find('a'), { at: 1_000_000, base: '"3"', value: { name: 'Window' } });
  assert.equal(drafts.find('b'), undefined);
  drafts.drop('a');
  assert.equal(drafts.find('a'), undefined);
});

test('draft that is older than two weeks is not returned', () => {
  const { drafts, stored, pass } = open();
  drafts.store('a', { base: null, value: 1 });
  pass(14 * DAY);
  assert.ok(drafts.find('a'));
  pass(1);
  assert.equal(drafts.find('a'), undefined);
  assert.deepEqual([...stored.keys()], ['vitrine.session']);
});

test('oldest drafts are removed when there are more than thirty, and other data in the browser stays', () => {
  const { drafts, stored, pass } = open();
  for (let i = 0; i < 35; i++) {
    drafts.store(`p${i}`, { base: null, value: i });
    pass(1);
  }
  assert.equal(stored.size, 31);
  assert.equal(drafts.find('p4'), undefined);
  assert.equal(drafts.find('p5')?.value, 5);
  assert.equal(stored.get('vitrine.session'), 'stays');
});

test('draft with a password or token is never stored, and the earlier draft is removed', () => {
  const { drafts, stored } = open();
  drafts.store('a', { base: null, value: { name: 'A' } });
  for (const secret of [
    { password: 'x' },
    { deep: [{ api_key: 'x' }] },
    { new_password: 'x' },
    { token: 'x' },
    { url: 'https://a:b@nas.test/' },
  ]) {
    drafts.store('a', { base: null, value: { name: 'A', ...secret } });
    assert.deepEqual([...stored.keys()], ['vitrine.session'], JSON.stringify(secret));
  }
  assert.equal(holdsSecret({ password: '', name: 'x', tokens: 3, url: 'http://a.test:80/@b' }), false);
});

test('draft that is too large is not stored', () => {
  const { drafts } = open();
  drafts.store('a', { base: null, value: 'x'.repeat(200_001) });
  assert.equal(drafts.find('a'), undefined);
});

test('stored data that cannot be read is ignored', () => {
  const { drafts, stored } = open();
  for (const text of [
    '{',
    'null',
    '{"at":"x","base":null,"value":1}',
    '{"at":1,"base":3,"value":1}',
    '{"at":1,"base":null}',
  ]) {
    stored.set('vitrine.draft.a', text);
    assert.equal(drafts.find('a'), undefined, text);
  }
});

test('draft of an older version gets missing fields from the record, and a draft of another shape is not returned', () => {
  const now = { name: 'A', zones: [{ id: 'z' }], until: null as string | null };
  assert.deepEqual(fitting(now, { name: 'B', old: 1 }), { name: 'B', old: 1, zones: [{ id: 'z' }], until: null });
  assert.deepEqual(fitting(now, { ...now, until: '2026-01-01' }), { ...now, until: '2026-01-01' });
  assert.deepEqual(fitting({ ...now, until: '2026-01-01' }, now), now);
  for (const other of [null, 5, 'text', [], { name: 3 }, { zones: {} }, { zones: 'x' }])
    assert.equal(fitting(now, other), undefined, JSON.stringify(other));
});
