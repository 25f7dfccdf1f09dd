import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAgo, formatBytes, formatClock, formatSpan } from './format.ts';

const plain = (s: string) => s.replace(/[\u00a0\u202f]/g, ' ');

test('duration of a clip of 9.2 seconds is 0:10, and of an hour 1:00:00', () => {
  assert.equal(formatClock(9.2), '0:10');
  assert.equal(formatClock(65), '1:05');
  assert.equal(formatClock(3600), '1:00:00');
});

test('sizes use decimal units of the locale and never show 1000 of a unit', () => {
  assert.equal(plain(formatBytes('en-GB', 999_600)), '1 MB');
  assert.equal(plain(formatBytes('de-DE', 1_530_000)), '1,5 MB');
  assert.equal(plain(formatBytes('en-GB', 0)), '0 bytes');
  assert.equal(plain(formatBytes('en-GB', 4_000_000_000)), '4 GB');
});

test('span names its two largest units and leaves out zeros', () => {
  assert.equal(plain(formatSpan('en-GB', 3 * 86_400 + 4 * 3600 + 59)), '3 days 4 hrs');
  assert.equal(plain(formatSpan('en-GB', 86_400)), '1 day');
  assert.equal(plain(formatSpan('en-GB', 0)), '0 secs');
  assert.equal(formatSpan('de-DE', 63), '1\u00a0Min. 3\u00a0Sek.', 'no line ends between a number and its unit');
});

test('event 9 seconds ago is now, and 10 seconds ago is not', () => {
  assert.equal(formatAgo('en-GB', 991, 1000), 'now');
  assert.equal(formatAgo('en-GB', 990, 1000), '10 seconds ago');
  assert.equal(formatAgo('de-DE', 1000 - 7200, 1000), 'vor 2 Stunden');
});
