import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
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
const sources = globSync('admin-ui/**/*.{ts,tsx}', { exclude: (path) => /i18n\/(en|de)|\.test\.|\/dev\//.test(String(path)) }).map((file) => ({
  file,
  code: readFileSync(file, 'utf8'),
}));

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
  const all = sources.map((s) => s.code).join('\n');
  const unused = [...english.keys()].filter((key) => {
    const stem = key.replace(/_(zero|one|other)$/, '');
    const parent = stem.slice(0, stem.lastIndexOf('.'));
    return !all.includes(`'${stem}'`) && !all.includes(`\`${parent}.\${`);
  });
  assert.deepEqual(unused, []);
});

test('no component has text of its own', () => {
  const hard: string[] = [];
  for (const { file, code } of sources) {
    if (!file.endsWith('.tsx')) continue;
    const plain = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    for (const [, text] of plain.matchAll(/>\s*([^<>{}()=;]*[A-Za-zÄÖÜäöüß]{2,}[^<>{}()=;]*?)\s*<\//g)) hard.push(`${file}: ${text}`);
    for (const [, text] of plain.matchAll(/\b(?:aria-label|title|placeholder|label|hint|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g)) hard.push(`${file}: ${text}`);
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
    for (const [, section = ''] of code.matchAll(/\bt\(\s*['`](\w+)\./g)) if (section in en && !(section in first)) later.push(`${file}: ${section}`);
    for (const [, path = ''] of code.matchAll(/^import (?!type )[^;]*?from '(\.[^']+)';/gm)) walk(join(dirname(file), path));
  };
  walk('admin-ui/start.tsx');
  walk('admin-ui/places/screens/ScreensPage.tsx');
  assert.ok(seen.size > 50, `only ${seen.size} files found`);
  assert.deepEqual(later, []);
});
