import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fillWidget, namesUsedBy, namesUsedByDoc, picked, StoreValues, type Values, valuesOf } from './values.ts';

const textOf = (title: string) => ({ widget_type: 'directory-board', config: { title } });
const htmlOf = (html: string) => ({ widget_type: 'text', config: { html } });
const addressOf = (url: string) => ({ widget_type: 'webpage', config: { url } });
const text = (title: string, values: Values = {}) => fillWidget(textOf(title), values).config['title'];
const html = (written: string, values: Values = {}) => fillWidget(htmlOf(written), values).config['html'];
const address = (url: string, values: Values = {}) => fillWidget(addressOf(url), values).config['url'];

const Names = fc.stringMatching(/^[A-Za-z0-9_]{1,40}$/).filter((name) => name !== '__proto__');
/** Values that would be dangerous in a page or an address if they were inserted unchanged, and harmless values. */
const Valued = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    '<script>',
    '"><img src=x>',
    "'",
    '{{price}}',
    '{{{{',
    '//evil.test',
    '@evil.test',
    '..',
    '\ud800',
    '-->',
  ),
);

test('placeholder becomes its value, or its default, or nothing; the missing value is then reported', () => {
  const values = { price: '3.99', 'store.name': 'Mill' };
  assert.equal(text('Only {{price}} at {{ store.name }}', values), 'Only 3.99 at Mill');
  assert.equal(text('{{price|9}} {{phone| no phone }}{{region|}}', values), '3.99  no phone ');
  assert.deepEqual(fillWidget(textOf('{{a}}{{price}}{{constructor}}'), values), {
    config: { title: '3.99' },
    troubles: [
      { kind: 'lacks', name: 'a' },
      { kind: 'lacks', name: 'constructor' },
    ],
  });
});

test('four braces become two, and placeholders in an inserted value are not replaced', () => {
  assert.equal(text('{{{{price}} {{{{{{price}}', { price: '1' }), '{{price}} {{1');
  assert.equal(text('{{a}}{{a}}', { a: '{{a}}', b: 'x' }), '{{a}}{{a}}');
  assert.equal(text('{{a}}b}}', { a: '{{', b: 'x' }), '{{b}}');
});

test('names of values that differ only in their Unicode form are equal', () => {
  assert.equal(text('{{Größe}}', { Größe: 'XL' }), 'XL');
  assert.deepEqual(StoreValues.parse({ Größe: ' XL ' }), { Größe: 'XL' });
});

test('invalid name in braces is reported and left unchanged', () => {
  for (const wrong of [
    '{{price',
    '{{pri-ce}}',
    '{{store.phone}}',
    '{{__proto__}}',
    `{{${'x'.repeat(41)}}}`,
    '{{a|{b}}}',
    '{{}}',
  ]) {
    assert.equal(namesUsedBy(textOf(wrong)).wrong, 'braces', wrong);
    assert.equal(text(wrong, { price: '1', a: '1' }), wrong);
  }
  for (const right of ['}}', '{ {a}}', '{a}', '{{{{', '{{a}}}}'])
    assert.equal(namesUsedBy(textOf(right)).wrong, undefined, right);
});

test('value inserted into HTML becomes text, or a part of an address after the host', () => {
  const values = { a: '<b a="\'x\'">&', p: 'a b/c?d' };
  assert.equal(html('<p class="x">{{a}}</p>', values), '<p class="x">&#60;b a=&#34;&#39;x&#39;&#34;&#62;&#38;</p>');
  assert.equal(
    html('<img src="https://cdn.test/{{p}}.png">', values),
    '<img src="https://cdn.test/a%20b%2Fc%3Fd.png">',
  );
  assert.equal(html('<!-- " < --><b>{{a|<}}</b>'), '<!-- " < --><b>&#60;</b>');
  const nowhere = [
    '<img src="{{p}}">',
    '<img src="https://{{p}}/a">',
    '<img src=https://cdn.test/{{p}}>',
    '<p style="color: {{p}}">',
    '<style>p { color: {{p}} }</style>',
    '<STYLE a>{{p}}</STYLE>',
    '<plaintext>{{p}}',
    '<{{p}}>',
    '</{{p}}>',
    '<b{{p}}>',
    '<!--><img alt="{{p}}">',
    '<a title=">" {{p}}>',
  ];
  for (const one of nowhere) assert.equal(namesUsedBy(htmlOf(one)).wrong, 'place', one);
  for (const one of [
    '<!-- <b title="x -->{{p}}',
    '<style><!--</style>{{p}}',
    '<style>a</style>{{p}}',
    '<b title="a > b">{{p}}</b>',
    'a < {{p}}',
    '"{{p}}"',
  ])
    assert.equal(namesUsedBy(htmlOf(one)).wrong, undefined, one);
});

test('value in an address is allowed only after the host', () => {
  assert.equal(
    address('https://shop.test/{{s}}?q={{s}}#{{s}}', { s: 'a/b &' }),
    'https://shop.test/a%2Fb%20%26?q=a%2Fb%20%26#a%2Fb%20%26',
  );
  for (const url of [
    '{{s}}',
    'https://{{s}}',
    'https://a.test{{s}}/',
    'https:///{{s}}',
    'https:/\\/{{s}}/',
    'https://a@{{s}}/',
    '/{{s}}',
    '//{{s}}/a',
  ])
    assert.equal(namesUsedBy(addressOf(url)).wrong, 'place', url);
  assert.deepEqual(fillWidget(addressOf(`https://a.test/${'{{s}}'.repeat(400)}`), { s: 'x'.repeat(20) }).troubles, [
    { kind: 'too_long' },
  ]);
});

test('address has at most 4,000 characters', () => {
  const troubles = (length: number) =>
    fillWidget(addressOf('https://a.test/{{s}}'), { s: 'x'.repeat(length - 15) }).troubles.length;
  assert.deepEqual([troubles(4_000), troubles(4_001)], [0, 1]);
});

test('address keeps its host, and a page keeps its elements, for any values', () => {
  const templates = [
    'https://shop.test/{{v}}',
    'https://shop.test?{{v}}',
    'http://shop.test:81/a/{{v}}/../{{v}}#{{v}}',
    'https:\\\\shop.test\\{{v}}',
  ];
  fc.assert(
    fc.property(Valued, fc.constantFrom(...templates), (v, template) => {
      const filled = new URL(String(address(template, { v })));
      assert.equal(filled.hostname, 'shop.test');
      assert.equal(filled.username, '');
    }),
  );
  fc.assert(
    fc.property(Valued, (v) => {
      const filled = String(html('<p title="https://a.test/{{v}}">{{v}}</p>', { v }));
      assert.match(filled, /^<p title="https:\/\/a\.test\/[^"'<>\s]*">[^<>"']*<\/p>$/);
    }),
  );
});

test('result does not depend on the order of values, and doubled braces become single braces', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          Names.map((name) => `{{${name}}}`),
          fc.string(),
          Valued,
        ),
        { maxLength: 20 },
      ),
      (parts) => {
        const written = parts.join('');
        const doubled = written.replaceAll('{{', '{{{{');
        assert.equal(text(doubled), written.replaceAll('{{', '{{{{').replaceAll('{{{{', '{{'));
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.dictionary(Names, fc.string({ minLength: 1 })),
      fc.string().filter((s) => !/[{}]/.test(s)),
      (values, between) => {
        const names = Object.keys(values);
        const written = names.map((name) => `{{${name}}}`).join(between);
        assert.equal(text(written, values), names.map((name) => values[name]).join(between));
        assert.deepEqual(namesUsedBy(textOf(written)).places, names.length);
        const turned = Object.fromEntries(Object.entries(values).reverse());
        assert.equal(JSON.stringify(picked(turned, names)), JSON.stringify(picked(values, names.toReversed())));
      },
    ),
  );
});

test('hostile text of half a megabyte is parsed quickly', () => {
  const much = 500_000;
  for (const part of [
    '{',
    '{{',
    '{{ ',
    '{{a',
    '{{a|',
    '{{a}}',
    '{{  a  |',
    '<',
    '<a ',
    '<a "',
    '<!--',
    ' ',
    '{{a ',
    "<a href='",
    '<a href="https://{{a}}',
  ])
    for (const make of [htmlOf, textOf, addressOf]) {
      const widget = make(part.repeat(much / part.length));
      const began = performance.now();
      namesUsedBy(widget);
      fillWidget(widget, { a: '1' });
      assert.ok(performance.now() - began < 1_500, `${part} ${performance.now() - began}`);
    }
  for (const odd of [
    `{{${' '.repeat(much)}`,
    `{{a${' '.repeat(much)}`,
    `{{a|${' '.repeat(much)}`,
    `{{${'a'.repeat(much)}`,
  ]) {
    const began = performance.now();
    namesUsedBy(htmlOf(odd));
    assert.ok(performance.now() - began < 500);
  }
});

test('visible texts of a config are filled with values, and all other fields stay', () => {
  const { config } = fillWidget(
    {
      widget_type: 'directory-board',
      config: {
        title: '{{a}}',
        color: '{{a}}',
        own: '{{a}}',
        logo_url: 'https://a.test/{{a}}',
        background_images: ['https://a.test/{{a}}', 'data:image/png;base64,{{a}}', 3],
        categories: [
          { name: '{{a}}', entries: [{ identifier: '{{a}}', name: 'x{{a}}', subtitle: '{{a}}' }, null, 7] },
          'x',
        ],
      },
    },
    { a: '<1>' },
  );
  assert.deepEqual(config, {
    title: '<1>',
    color: '{{a}}',
    own: '{{a}}',
    logo_url: 'https://a.test/%3C1%3E',
    background_images: ['https://a.test/%3C1%3E', 'data:image/png;base64,{{a}}', 3],
    categories: [{ name: '<1>', entries: [{ identifier: '<1>', name: 'x<1>', subtitle: '<1>' }, null, 7] }, 'x'],
  });
  const css = { widget_type: 'text', config: { html: '', css: '{{a}}' } };
  assert.equal(namesUsedBy(css).isTemplate, false);
  assert.equal(namesUsedBy(textOf('{{{{')).isTemplate, true, 'what a store without values would show otherwise');
  const unknown = { widget_type: 'hologram', config: { title: '{{a}}' } };
  assert.deepEqual(fillWidget(unknown, {}), { config: unknown.config, troubles: [] });
});

test('document of version 1 uses no values, and a later version uses the values that its widgets name', () => {
  const widgets = [textOf('{{a|1}} {{b}}'), textOf('{{a}}')].map((one, i) => ({
    ...one,
    ...{ id: `w${i}`, name: 'W', valid_from: null, valid_until: null },
  }));
  assert.deepEqual([...namesUsedByDoc({ version: 1, widgets })], []);
  assert.deepEqual(
    [...namesUsedByDoc({ version: 2, widgets })],
    [
      ['a', true],
      ['b', true],
    ],
  );
  assert.deepEqual(
    [...namesUsedByDoc({ version: 2, widgets: widgets.slice(0, 1) })],
    [
      ['a', false],
      ['b', true],
    ],
  );
});

test('store name is always available as a value, and an empty region counts as a missing value', () => {
  const values = { price: '1', 'store.name': 'no' };
  assert.deepEqual(valuesOf({ name: 'Mill', region: '', values }), { price: '1', 'store.name': 'Mill' });
  assert.equal(valuesOf({ name: 'Mill', region: 'North', values })['store.region'], 'North');
});

test('values are refused if they are too many, too long or empty, or have invalid names', () => {
  const why = (values: unknown) => StoreValues.safeParse(values).error?.issues[0]?.message;
  assert.equal(why({ price: 'x'.repeat(500) }), undefined);
  assert.equal(why({ price: 'x'.repeat(501) }), 'must be at most 500 characters');
  assert.equal(why({ price: ' ' }), 'must not be empty');
  assert.equal(why({ price: 'a\u0000' }), 'must not contain control characters');
  assert.equal(why({ price: 'a\nb' }), undefined);
  const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`v${i}`, 'x']));
  assert.equal(why(many(100)), undefined);
  assert.equal(why(many(101)), 'must be at most 100 values');
  for (const name of ['', 'a b', 'a-b', 'a.b', 'x'.repeat(41)])
    assert.ok(
      !StoreValues.safeParse(JSON.parse(JSON.stringify({ x: 'y' }).replace('"x"', JSON.stringify(name)))).success,
      name,
    );
  assert.deepEqual(StoreValues.parse(JSON.parse('{"__proto__":"x","a":"y"}')), { a: 'y' });
});
