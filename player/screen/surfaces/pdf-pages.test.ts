import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageAfter, pageAt } from './pdf-pages.ts';

const turn = { since: 1_000, until: 11_000 };

test('pages share the play equally, and the last page stays until the end of the play', () => {
  assert.deepEqual(
    [0, 1_000, 3_499, 3_500, 6_000, 8_500, 10_999, 11_000, 99_000].map((at) => pageAt(turn, 4, at)),
    [0, 0, 0, 1, 2, 3, 3, 3, 3],
  );
  assert.equal(pageAt(turn, 1, 5_000), 0);
});

test('pageAfter returns the next page and the instant from which pageAt returns it', () => {
  for (const pages of [2, 3, 7, 40]) {
    for (let at = turn.since; at < turn.until; at += 97) {
      const next = pageAfter(turn, null, pages, at);
      if (!next) {
        assert.equal(pageAt(turn, pages, at), pages - 1);
        continue;
      }
      assert.ok(next.at > at - 1e-6, `${next.at} after ${at}`);
      assert.equal(pageAt(turn, pages, next.at + 1e-6), next.page);
      assert.equal(pageAt(turn, pages, next.at - 1e-6), next.page - 1);
    }
  }
});

test('after the last page, pageAfter returns the first page only if the document repeats', () => {
  assert.equal(pageAfter(turn, null, 3, 10_000), null);
  assert.deepEqual(pageAfter(turn, { since: 11_000, until: 21_000 }, 3, 10_000), { page: 0, at: 11_000 });
  assert.deepEqual(pageAfter(turn, { since: 11_000, until: 21_000 }, 1, 2_000), { page: 0, at: 11_000 });
});
