import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ValueText } from '../../../shared/chain/values.ts';
import type { StoreNow } from './store-registry.ts';
import { rowsOf, TablePlan, tableHead, tableLine } from './values-table.ts';

const storeOf = (name: string, values: Record<string, string> = {}, ref = `id-${name}`) =>
  ({ ref, name, values, revision: 7 }) as unknown as StoreNow;
const planOf = (table: string, stores: readonly StoreNow[]) => {
  const plan = new TablePlan(stores);
  for (const row of rowsOf(table)) plan.add(row);
  return plan;
};
const changesIn = (plan: TablePlan) =>
  plan.view(false).changes.map(({ store_name, name, before, after }) => `${store_name} ${name} ${before}>${after}`);
const mistakesIn = (plan: TablePlan) =>
  plan.view(false).mistakes.map(({ line, column, error }) => `${line}/${column} ${error}`);

const MILL = storeOf('Mill', { price: '3.99', phone: '112' });
const DOCK = storeOf('Dock');

test('table is parsed in the formats of common spreadsheets, and its changes are listed', () => {
  for (const table of [
    'Store,price,size\nMill,2.99,\nDock,,"a, ""b""\nc"\n',
    '\ufeffStore;price;size\r\nid-Mill;2.99;\r\n\r\n Dock ;;"a, ""b""\nc"',
    '"Store"\t"price"\tsize\rMill\t2.99\t\rDock\t\t"a, ""b""\nc"\r\t\t\r',
  ]) {
    const plan = planOf(table, [MILL, DOCK]);
    assert.deepEqual(changesIn(plan), ['Mill price 3.99>2.99', 'Dock size null>a, "b"\nc'], table);
    assert.deepEqual(mistakesIn(plan), []);
    assert.deepEqual(
      plan.changes.map(({ values }) => values),
      [{ price: '2.99', phone: '112' }, { size: 'a, "b"\nc' }],
    );
    assert.equal(plan.revision, 14);
  }
});

test('empty cell deletes a value, and values whose column or row is not in the table stay', () => {
  const plan = planOf('x,phone\nMill,\n', [MILL, DOCK]);
  assert.deepEqual(changesIn(plan), ['Mill phone 112>null']);
  assert.deepEqual(plan.changes[0]?.values, { price: '3.99' });
  const { stores, changed_stores, changed } = planOf('x,price\nMill,3.99\nDock,\n', [MILL, DOCK]).view(false);
  assert.deepEqual([stores, changed_stores, changed], [2, 0, 0]);
});

test('every error in a table is listed with line and column', () => {
  const table = [
    'x,price,pri-ce,price,,size',
    'Mill,1',
    'Nowhere,1',
    'id-Mill,1',
    `Dock,${'x'.repeat(501)},,,,"a\u0000",,more`,
    '"a',
    'b",1',
    'Pier,1',
  ].join('\n');
  assert.deepEqual(mistakesIn(planOf(table, [MILL, DOCK])), [
    '1/3 pri-ce is not a valid name of a value: use at most 40 letters, digits and _',
    'The value 1/4 price has two columns: remove one column',
    '3/1 There is no store of the name or id “Nowhere”',
    'The store 4/1 Mill is already in line 2: remove one of the two lines',
    '5/2 The cell has more than 500 characters',
    '5/6 The cell contains control characters: remove these characters',
    '5/8 This column has no name in the first line',
    '6/1 There is no store of the name or id “a\nb”',
    '8/1 There is no store of the name or id “Pier”',
  ]);
  assert.deepEqual(mistakesIn(planOf('Store\nMill', [MILL])), [
    '1/2 The first line has no name of a value: give each value a column',
  ]);
  assert.throws(() => planOf('x,price\nMill,"1', [MILL]), {
    message: 'table: line 2 has an opening quote without a closing quote',
  });
  assert.throws(() => planOf(`x${',v'.repeat(501)}`, []), /at most 500 columns/);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`v${i}`, '1']));
  assert.deepEqual(mistakesIn(planOf('x,v1,other\nFull,2,1', [storeOf('Full', many)])), [
    'The store 2/1 Full would have more than 100 values',
  ]);
  assert.deepEqual(mistakesIn(planOf('x,v1,other\nFull,,1', [storeOf('Full', many)])), []);
});

test('large table lists only its first 100 changes and errors, but counts and applies all changes', () => {
  const stores = Array.from({ length: 300 }, (_, i) => storeOf(`S${i}`));
  const plan = planOf(`x,a\n${stores.map(({ name }) => `${name},1`).join('\n')}\n${'no\n'.repeat(200)}`, stores);
  const { changes, changed, mistakes, wrong } = plan.view(false);
  assert.deepEqual([changes.length, changed, mistakes.length, wrong], [100, 300, 100, 200]);
  assert.equal(plan.changes.length, 300);
});

test('exported table changes nothing when it is imported, and contains no formula, whatever the values are', () => {
  const cell = fc.oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.constantFrom('=1+1', "'=1", "''+49 30", 'a;=b', "a; '-1", '"', 'a\nb', 'a;b\tc', '+49', '@x'),
  );
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    cell.filter((text) => ValueText.safeParse(text).data === text),
    { minKeys: 1, maxKeys: 5 },
  );
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 5 }), (all) => {
      const stores = all.map((one, i) => storeOf(i === 0 ? '=Mill' : `S;${i}`, one, `id${i}`));
      const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
      const lines = stores.map((one) => tableLine(one, names));
      const plan = planOf(tableHead(names) + lines.join(''), stores);
      assert.deepEqual([mistakesIn(plan), changesIn(plan)], [[], []]);
      assert.equal(plan.view(false).stores, stores.length);
      for (const one of stores)
        for (const name of names) {
          const { [name]: value = '' } = one.values;
          const [cell = ''] = tableLine({ name: value, values: {} }, []).split(/[\r\n]/);
          assert.doesNotMatch(cell, /^"?\s*[=+\-@]/);
        }
    }),
  );
});

test('parser needs time in proportion to the length of the table, also for malicious tables', () => {
  for (const part of ['"', '""', '"\n', ',', ';', "'", '\n', '\r', 'a,', '";"']) {
    // Measures processor time, because other tests that run at the same time do not change it.
    const before = process.threadCpuUsage();
    try {
      for (const _ of rowsOf(`x,a\n${part.repeat(2_000_000 / part.length)}`));
    } catch {}
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 4_000_000, `${JSON.stringify(part)} ${(user + system) / 1000} ms`);
  }
});
