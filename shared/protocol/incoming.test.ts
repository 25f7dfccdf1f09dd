import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readerOf, SaidOnce } from './incoming.ts';

const read = readerOf(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('show'),
      id: z.string(),
      kind: z.enum(['image', 'web']),
      turned: z.union([z.literal(0), z.literal(90)]).optional(),
      depth: z.literal(['flat', 1]).optional(),
      fill: z.union([z.enum(['none']), z.object({ by: z.enum(['waves']), size: z.number() })]).optional(),
      place: z.object({ corner: z.enum(['left', 'right']) }).nullish(),
      as: z.discriminatedUnion('shape', [z.object({ shape: z.literal('box'), width: z.number() })]).optional(),
    }),
    z.object({ type: z.literal('clock'), t0: z.number() }),
  ]),
);
const show = { type: 'show', id: 'x', kind: 'web' };

test('reader removes undeclared fields from a declared message', () => {
  assert.deepEqual(read({ ...show, shadow: 3, place: { corner: 'left', depth: 1 } }), {
    is: 'message',
    message: { ...show, place: { corner: 'left' } },
  });
});

test('reader returns the name of an unknown message type, cut off after 60 characters', () => {
  assert.deepEqual(read({ type: 'dance', id: 1 }), { is: 'unknown', what: 'type "dance"' });
  assert.deepEqual(read({ type: 'x'.repeat(1_000) }), { is: 'unknown', what: `type "${'x'.repeat(60)}"` });
  assert.deepEqual(read({ type: 'toString' }), { is: 'unknown', what: 'type "toString"' });
});

for (const [name, over] of [
  ['of the message', { kind: 'video' }],
  ['further inside', { place: { corner: 'top' } }],
  ['of numbers', { turned: 45 }],
  ['of numbers and texts', { depth: 2 }],
  ['or an object', { fill: 'all' }],
  ['in an object or a text', { fill: { by: 'dots', size: 1 } }],
  ['that tells kinds apart', { as: { shape: 'circle', radius: 2 } }],
  ['twice', { kind: 'video', place: { corner: 'top' } }],
] as const) {
  test(`message with an unknown value, ${name}, counts as newer, not as malformed`, () => {
    const said = { ...show, ...over };
    const { is, ...rest } = read(said);
    assert.equal(is, 'newer');
    assert.equal('message' in rest && rest.message, said);
  });
}

for (const [name, said] of [
  ['null', null],
  ['a list', []],
  ['a text', 'show'],
  ['no type', {}],
  ['a type that is no text', { type: 1 }],
  ['a member missing', { type: 'show', id: 'x' }],
  ['a member of another type', { ...show, id: 1 }],
  ['an enumeration that is a number', { ...show, kind: 1 }],
  ['a union of numbers that is a text', { ...show, turned: '90' }],
  ['an object with a value that is not known beside one that is wrong', { ...show, fill: { by: 'dots', size: '1' } }],
  ['a kind that is no text', { ...show, as: { shape: 1 } }],
  ['a value that is not known beside one that is wrong', { ...show, id: 1, kind: 'video' }],
  ['a number that is none', { type: 'clock', t0: Number.POSITIVE_INFINITY }],
] as const) {
  test(`message is malformed: ${name}`, () => assert.equal(read(said).is, 'malformed'));
}

test('error about a malformed message names the message and the field', () => {
  const what = (said: unknown) => (read(said) as { what: string }).what;
  assert.match(what({ ...show, id: 1 }), /^"show": id: ./);
  assert.match(what({ ...show, place: { corner: 1 } }), /^"show": place\.corner: /);
  assert.match(what(null), /^message: ./);
});

test('SaidOnce logs each text once, and at most as many texts as its limit', () => {
  const heard: string[] = [];
  const once = new SaidOnce((what) => heard.push(what), 2);
  for (const what of ['a', 'a', 'b', 'c', 'a', 'c']) once.log(what);
  assert.deepEqual(heard, ['a', 'b']);
  const many: string[] = [];
  const log = new SaidOnce((what) => many.push(what));
  for (let i = 0; i < 150; i++) log.log(`${i}`);
  assert.equal(many.length, 100);
});
