/** Documents with faults: each is accepted with a right meaning or refused with 400, and the server goes on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DESIGN_BYTES } from '../../../shared/design/design.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import { TEMPLATE_TASKS } from '../../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES } from '../../../shared/design/templates/template.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();
const COUNT = 200;
/** Values that replace a part of a document. */
const STRANGE: readonly unknown[] = [
  ...[null, -1, 1e308, 0, '', 'x'.repeat(6_000), true, [], {}, '__proto__', '<script>alert(1)</script>'],
  ...['https://elsewhere.test/a.png', 'javascript:alert(1)', '\u0000', '\ud800', [[[[[]]]]], { id: {} }],
];

/** Returns the places of all values in a document. */
const pathsOf = (value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
  typeof value === 'object' && value !== null
    ? [
        ...(path.length > 0 ? [path] : []),
        ...Object.entries(value).flatMap(([key, inside]) =>
          pathsOf(inside, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ]
    : [path];

/** Returns a copy with another value at a place; `undefined` removes the value. */
const changed = (document: object, path: readonly (string | number)[], value: unknown): object => {
  const copy = structuredClone(document) as Record<string | number, never>;
  const holder = path.slice(0, -1).reduce((inside, key) => inside[key]!, copy);
  const last = path.at(-1)!;
  if (value === undefined) delete holder[last];
  else holder[last] = value as never;
  return copy;
};

/** Returns a generator of numbers from 0 to 1 that is the same in every run. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
};

test('200 damaged documents are accepted or refused with a sentence, and the server goes on', async (t) => {
  const shop = await shops.open(t);
  const random = randomFrom(40_200);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let refused = 0;
  for (let n = 0; n < COUNT; n++) {
    const options = { language: 'en', currency: 'EUR', until: '2026-12-24T18:00' };
    const design = templateDesign(pick(TEMPLATE_TASKS).id, pick(TEMPLATE_STYLES), options)!;
    const path = pick(pathsOf(design));
    const value = random() < 0.2 ? undefined : pick(STRANGE);
    const bytes = Buffer.from(JSON.stringify(changed(design, path, value)));
    const { status, body } = await shop.upload(bytes, `damaged ${n}`);
    assert.ok(
      status === 201 || status === 400 || status === 415,
      `${status} for ${path.join('.')} = ${JSON.stringify(value)}`,
    );
    // Without its format, a document is not recognized as a design.
    if (status === 415) assert.equal(path[0], 'format');
    if (status !== 400) continue;
    refused++;
    assert.match(body.error, /^(Page \d+|The d|pages|version|template|style)/, `${path.join('.')}: ${body.error}`);
    assert.ok(body.error.length < 400);
  }
  assert.ok(refused > COUNT / 2, `${refused} were refused`);
  assert.equal((await shop.call('GET', '/api/health')).status, 200);
});

test('document that is too large, of a newer version or not JSON is refused with 400', async (t) => {
  const shop = await shops.open(t);
  const refusal = async (text: string): Promise<string> => {
    const { status, body } = await shop.upload(Buffer.from(text), 'x.design');
    assert.equal(status, 400, body.error);
    return body.error;
  };
  const head = '{"format":"vitrine-design","version":1,"template":false,"style":null,"pages":[';
  assert.match(await refusal(`${head}${' '.repeat(MAX_DESIGN_BYTES)}]}`), /larger than 512 kB/);
  assert.match(await refusal('{"format":"vitrine-design","version":99}'), /newer version/);
  assert.match(await refusal(head), /not valid JSON/);
});
