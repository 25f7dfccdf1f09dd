import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type ESTree, parseSync, Visitor } from 'vite';
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
 * Patterns for composed keys, such as `screen.gauge.${field}` and `bulk.${what}Title`. A placeholder stands for one
 * part of a key, or for a piece of a part.
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
    // The singular may leave out its number placeholder: "1 left" needs none.
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

test('every text key in the code exists, including composed keys', () => {
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

/** Matches names, units and signs that are the same in every language. */
const SAME_EVERYWHERE = /^(Vitrine|https?:\/\/|English|Deutsch|Esc|Ctrl|mm|ms|dBm|px|MB|CSV|PDF|HTML|CSS|[\W\d_]*|\w)$/;
const isText = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && !SAME_EVERYWHERE.test(text.replace(/[\s,.:]+$/, '').trim());
/** Matches names of attributes and properties whose values people read. */
const READ =
  /^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|label|hint|lead|alt|confirm|submit|error|text|detail|none|words|said|action|empty|unit)$/;
/** Returns whether a value of such an attribute is a technical name: an icon, a kind, or a text key. */
const isName = (text: string): boolean => /^[a-z][\w-]*(\.[\w-]+)*$/.test(text);

/**
 * Returns the string literals to which an expression may evaluate: for a condition, the literals of both branches.
 */
const literalsIn = (node: ESTree.Node | null): string[] => {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [node.quasis.map((part) => part.value.cooked).join('')];
    case 'ConditionalExpression':
      return [...literalsIn(node.consequent), ...literalsIn(node.alternate)];
    case 'LogicalExpression':
      return [...literalsIn(node.left), ...literalsIn(node.right)];
    case 'JSXExpressionContainer':
      return literalsIn(node.expression as ESTree.Node);
    default:
      return [];
  }
};

/** Finds literal text in a source file: between tags, in attributes, and in arguments of a toast or a field. */
const ownWords = (file: string, code: string): string[] => {
  const found: string[] = [];
  const takeRead = (called: string, value: ESTree.Node | null) => {
    if (READ.test(called)) found.push(...literalsIn(value).filter((text) => !isName(text)));
  };
  const takeChildren = (children: readonly ESTree.Node[]) =>
    found.push(...children.filter(({ type }) => type === 'JSXExpressionContainer').flatMap(literalsIn));
  new Visitor({
    JSXText(node) {
      found.push(node.value.trim());
    },
    JSXElement(node) {
      takeChildren(node.children);
    },
    JSXFragment(node) {
      takeChildren(node.children);
    },
    JSXAttribute(node) {
      takeRead(node.name.type === 'JSXIdentifier' ? node.name.name : '', node.value);
    },
    Property({ key, value }) {
      takeRead(key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '', value);
    },
  }).visit(parseSync(file, code).program);
  return found.filter(isText);
};

test('search for literal text finds it in every place where a component may have it', () => {
  const words = (code: string) => ownWords('x.tsx', `const x = ${code};`);
  for (const [code, text] of [
    ['<p>Save it</p>', 'Save it'],
    ['<p>{on ? "Is on" : t("a.b")}</p>', 'Is on'],
    ['<Button aria-label="Close me" />', 'Close me'],
    ['<Field placeholder={isNew ? `Type ' + '$' + '{name}` : undefined} />', 'Type '],
    ['<Field hint="Nur hier" />', 'Nur hier'],
    ['toast({ tone: "done", text: "It is saved" })', 'It is saved'],
  ] as const)
    assert.deepEqual(words(code), [text], code);
  for (const code of [
    '<p>{t("a.b")} · {n} %</p>',
    '<a title={name} />',
    '<Row unit="mm" label={t("a.b")} />',
    '({ tone: "done", icon: "x" })',
  ])
    assert.deepEqual(words(code), [], code);
});

test('no component has literal text', () => {
  const hard = sources
    .filter(({ file }) => !/help.topics\.\w\w\.ts$|admin-ui.dev/.test(file))
    .flatMap(({ file, code }) => ownWords(file, code).map((text) => `${file}: ${text}`));
  assert.deepEqual(hard, []);
});

test('no style sheet has literal text', () => {
  const hard = globSync('admin-ui/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/content:\s*(['"])(.*?)\1/g)]
      .map(([, , text = '']) => text)
      .filter(isText)
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(hard, []);
});

test('first load uses no text that is loaded later', () => {
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
  walk('admin-ui/pages/screens/list/ScreensPage.tsx');
  assert.ok(seen.size > 50, `only ${seen.size} files found`);
  assert.deepEqual(later, []);
});
