import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { GAUGES } from '../../shared/protocol/telemetry.ts';
import { de } from './de.ts';
import { first } from './en.first.ts';
import { en } from './en.ts';

const flat = (texts: object, path = ''): Map<string, string> => {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    const at = path ? `${path}.${key}` : key;
    if (typeof value === 'string') found.set(at, value);
    else for (const [inner, text] of flat(value, at)) found.set(inner, text);
  }
  return found;
};
const english = flat(en);
const german = flat(de);
const sources = globSync('admin-ui/**/*.{ts,tsx}', {
  exclude: (path) => /i18n\/(en|de)|\.test\.|\/dev\//.test(String(path)),
}).map((file) => ({
  file,
  code: readFileSync(file, 'utf8'),
}));

const code = sources.map((source) => source.code).join('\n');
const stemOf = (key: string): string => key.replace(/_(zero|one|other)$/, '');
/**
 * Names that are put together, as `screen.gauge.${field}` and `bulk.${what}Title` are: a hole is one part of a name, or
 * a piece of it.
 */
const composed = [
  ...code.matchAll(/`([a-z]\w*\.(?:[\w.]|\$\{[^{}`]*\})*\$\{[^{}`]*\}(?:[\w.]|\$\{[^{}`]*\})*)`/gi),
].map(([, name]) => new RegExp(`^${name!.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`));

test('English and German have the same keys', () => {
  assert.deepEqual([...german.keys()].sort(), [...english.keys()].sort());
});

test('no text is empty, and every translation has the placeholders of the original', () => {
  const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1]).sort();
  for (const [key, text] of english) {
    assert.notEqual(text.trim(), '', key);
    assert.notEqual(german.get(key)!.trim(), '', key);
    // "1 left" may be said without the number.
    if (!/_(one|zero)$/.test(key)) assert.deepEqual(holes(german.get(key)!), holes(text), key);
  }
});

test('every key is used somewhere in the window', () => {
  const quoted = new Set([...code.matchAll(/'([\w.-]+)'/g)].map(([, name]) => name));
  const unused = [...english.keys()]
    .map(stemOf)
    .filter((stem) => !quoted.has(stem) && !composed.some((name) => name.test(stem)));
  assert.deepEqual(unused, []);
});

test('every text that the window names is there, names with holes included', () => {
  const stems = [...new Set([...english.keys()].map(stemOf))];
  const named = [...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, name]) => name!);
  assert.ok(named.length > 500, `only ${named.length} names found`);
  assert.ok(composed.length > 20, `only ${composed.length} names with holes found`);
  const missing = [
    ...named.filter((name) => !stems.includes(name)),
    ...composed.filter((name) => !stems.some((stem) => name.test(stem))),
  ];
  assert.deepEqual(missing, []);
  for (const field of GAUGES) assert.ok(stems.includes(`screen.gauge.${field}`), field);
});

test('no component has text of its own', () => {
  const hard: string[] = [];
  for (const { file, code } of sources) {
    if (!file.endsWith('.tsx')) continue;
    const plain = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    for (const [, text] of plain.matchAll(/>\s*([^<>{}()=;]*[A-Za-zÄÖÜäöüß]{2,}[^<>{}()=;]*?)\s*<\//g))
      hard.push(`${file}: ${text}`);
    for (const [, text] of plain.matchAll(
      /\b(?:aria-label|title|placeholder|label|hint|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g,
    ))
      hard.push(`${file}: ${text}`);
  }
  assert.deepEqual(hard, []);
});

test('what is loaded first says nothing that comes later', () => {
  const seen = new Set<string>();
  const later: string[] = [];
  const walk = (file: string): void => {
    if (seen.has(file) || !/\.tsx?$/.test(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, section = ''] of code.matchAll(/\bt\(\s*['`](\w+)\./g))
      if (section in en && !(section in first)) later.push(`${file}: ${section}`);
    for (const [, path = ''] of code.matchAll(/^import (?!type )[^;]*?from '(\.[^']+)';/gm))
      walk(join(dirname(file), path));
  };
  walk('admin-ui/start.tsx');
  walk('admin-ui/places/screens/ScreensPage.tsx');
  assert.ok(seen.size > 50, `only ${seen.size} files found`);
  assert.deepEqual(later, []);
});
