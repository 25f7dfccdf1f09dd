/** Dates, currencies and search of templates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEMPLATE_TASKS } from '../../../shared/design/templates/tasks.ts';
import { templates as german } from '../../i18n/de/templates.ts';
import { templates as english } from '../../i18n/en/templates.ts';
import { currencyOf, endOf, nextSaturday, tasksMatching } from './templates.utils.ts';

const local = (text: string) => Date.parse(`${text}:00Z`);

test('countdown of a new template ends on the next Saturday at 18:00', () => {
  assert.equal(nextSaturday(local('2026-11-25T10:00')), '2026-11-28T18:00');
  assert.equal(nextSaturday(local('2026-11-28T17:59')), '2026-11-28T18:00');
  assert.equal(nextSaturday(local('2026-11-28T18:00')), '2026-12-05T18:00');
  assert.equal(nextSaturday(local('2026-12-27T00:00')), '2027-01-02T18:00');
});

test('end of today is the midnight after it', () => {
  assert.equal(endOf('today', local('2026-12-31T10:00')), '2027-01-01T00:00');
  assert.equal(endOf('twoWeeks', local('2026-11-28T10:00')), '2026-12-13T00:00');
});

test('currency follows the first region of the browser', () => {
  assert.equal(currencyOf(['de', 'de-CH']), 'CHF');
  assert.equal(currencyOf(['en-GB', 'de-CH']), 'GBP');
  assert.equal(currencyOf(['de-AT']), 'EUR');
  assert.equal(currencyOf(['en']), 'EUR');
  assert.equal(currencyOf(['zh-Hans-XX']), 'EUR');
});

test('search finds a template by its English and by its German name', () => {
  const names = ({ id, group }: { id: string; group: string }) =>
    [german, english]
      .flatMap(({ tasks, groups }) => [
        (tasks as Record<string, string>)[id],
        (groups as Record<string, string>)[group],
      ])
      .join(' ');
  const found = (typed: string) => tasksMatching(typed, names).map(({ id }) => id);
  assert.ok(found('christmas').includes('christmas'));
  assert.ok(found('weihnachten').includes('christmas'));
  assert.deepEqual(found('menu three'), ['menu-three-columns', 'menu-three-pages']);
  assert.ok(found('offnungs').includes('opening-hours'));
  assert.deepEqual(found('xyzzy'), []);
  assert.equal(found('').length, TEMPLATE_TASKS.length);
});
