import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutationsOf } from './mutations.ts';

const mutated = (source: string) =>
  mutationsOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

test('each operator, literal or call of an expression gives its own faults', () => {
  for (const [source, faults] of [
    ['a < b', ['a <= b', 'a > b']],
    ['a === "x"', ['a !== "x"']],
    ['a && b', ['a', 'b']],
    ['a ?? b', ['a']],
    ['!a', ['a']],
    ['a * b', ['a / b']],
    ['`a` + b', []],
    ['f(7)', ['f(8)']],
    ['f(1_000)', ['f(2000)']],
    ["f('')", ["f('mutant')"]],
    ["f('x', true)", ["f('', true)", "f('x', false)"]],
    ['a.some(b).filter(c)', ['a.some(b)', 'a.every(b).filter(c)']],
    ['(a = b) => a', ['(a) => a']],
    ['and(eq(a, b), gt(c, d))', ['and(undefined, gt(c, d))', 'and(eq(a, b), undefined)', 'and(eq(a, b), gt(d, c))']],
    ['sql`a + b DESC`', ['sql`a - b DESC`', 'sql`a + b ASC`']],
    [
      "'SELECT a FROM b WHERE c < d AND e'",
      ["'SELECT a FROM b WHERE c > d AND e'", "'SELECT a FROM b WHERE c < d OR e'"],
    ],
  ] as const)
    assert.deepEqual(
      mutated(`x = ${source};`)
        .filter((code) => code !== ';')
        .sort(),
      faults.map((code) => `x = ${code};`).sort(),
      source,
    );
});

test('faults remove statements, and leave messages and types unchanged', () => {
  for (const [source, faults] of [
    ['if (a) b();', ['if (!(a)) b();', 'if (a) ;', 'if (false) b();']],
    ["this.log.warn('x', { a: 1 });", []],
    ["throw new Error(a ? 'x' : 'y');", []],
    ["import { a } from 'b';", []],
    ["type A = 'x' | 1; const a = b as A; let c: 1;", []],
    ["const a = { 'x-y': b };", []],
  ] as const)
    assert.deepEqual(mutated(source).sort(), [...faults].sort(), source);
});
