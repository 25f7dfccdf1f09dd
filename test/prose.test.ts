/** Limits the number of sentences that a stranger has to read twice (build/prose.mjs). */
import assert from 'node:assert/strict';
import { test } from 'node:test';

const { adviceFor, findProse } = await import(new URL('../build/prose.mjs', import.meta.url).href);

/**
 * Permitted number of sentences that match a pattern of build/prose.mjs. These sentences read well. The number is only
 * ever lowered.
 */
const MOST_HITS = 120;

test('comments and test names have at most as many hits as before', () => {
  const { length } = findProse();
  assert.ok(length <= MOST_HITS, `${length} hits instead of ${MOST_HITS}: npm run prose lists them`);
});

test('patterns match unclear sentences and do not match clear sentences', () => {
  const riddles = [
    '/** Of one store: a segment takes some milliseconds. */',
    '// What all ways in have in common: requests are counted.',
    ' * Whoever comes then comes again.',
    "test('who may not do everything is told of each record that is in the way', () => {",
    "test('one whose file is on its way stays', () => {",
  ];
  const plain = [
    '/** Limit per store and minute. */',
    '// Shared request pipeline of all transports.',
    "test('player retries a failed download after 5 s', () => {",
    "const text = 'Of what is said';",
    '/** @throws what the file system throws */',
  ];
  for (const line of riddles) assert.notEqual(adviceFor(line), undefined, line);
  for (const line of plain) assert.equal(adviceFor(line), undefined, line);
});
