import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** Returns the CSS classes that a style sheet styles globally: selectors that consist of a class only. */
const classesOf = (css: string): string[] => {
  const found: string[] = [];
  let depth = 0;
  let selector = '';
  for (const char of css.replace(/\/\*[\s\S]*?\*\//g, '')) {
    if (char === '{') {
      if (depth++ === 0)
        found.push(...selector.split(',').flatMap((part) => /^\s*\.([\w-]+)\s*$/.exec(part)?.[1] ?? []));
      selector = '';
    } else if (char === '}') {
      depth--;
      selector = '';
    } else selector = char === ';' ? '' : selector + char;
  }
  return found;
};

test('each global class belongs to one style sheet only, because style sheets of visited pages stay loaded', () => {
  assert.deepEqual(classesOf('.a { & .b { color: red; } } .c, .d > e { } /* .f { } */ @media x { .g { } }'), [
    'a',
    'c',
  ]);
  const owners = new Map<string, Set<string>>();
  for (const file of globSync('**/*.css', { cwd: ROOT }))
    for (const name of classesOf(readFileSync(join(ROOT, file), 'utf8')))
      owners.set(name, (owners.get(name) ?? new Set()).add(file));
  const shared = [...owners]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `.${name}: ${[...files].join(', ')}`);
  assert.deepEqual(shared, []);
});
