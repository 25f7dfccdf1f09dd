import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LicencePart } from '../../../shared/protocol/releases/licences.ts';
import { partsLike, readableLicence, titleOf } from './about.utils.ts';

const part = (name: string, licence: string, kind: LicencePart['kind'] = 'package'): LicencePart => ({
  name,
  version: '1.0.0',
  kind,
  licence,
  source: null,
  note: null,
  texts: [],
});
const list = {
  vitrine: { version: '1.0.0', licence: 'MIT', text: '' },
  texts: {},
  parts: [part('express', 'MIT'), part('Inter', 'OFL-1.1', 'font'), part('node', 'MIT', 'program')],
};

test('parts are found by name or licence, and kinds without matches are left out', () => {
  const found = (typed: string) =>
    partsLike(list, typed).map(({ kind, parts }) => [kind, parts.map(({ name }) => name)]);
  assert.deepEqual(found(' '), [
    ['program', ['node']],
    ['font', ['Inter']],
    ['package', ['express']],
  ]);
  assert.deepEqual(found('mit EXP'), [['package', ['express']]]);
  assert.deepEqual(found('nothing'), []);
});

test('licence name is shown without its prefix LicenseRef-, and the title of a part contains its version if known', () => {
  assert.equal(readableLicence('LicenseRef-Liberation'), 'Liberation');
  assert.deepEqual([titleOf(part('a', 'MIT')), titleOf({ ...part('a', 'MIT'), version: null })], ['a 1.0.0', 'a']);
});
