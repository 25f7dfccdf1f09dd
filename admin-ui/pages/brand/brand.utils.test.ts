import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_BRAND } from '../../../shared/design/brand.ts';
import { changesOf, checkOf, fontName, isComplete, withChanges } from './brand.utils.ts';

const stored = { ...DEFAULT_BRAND, primary: '#7A1F3D', second: '#AABBCC' };

test('changes of a brand are the fields that differ from the stored brand', () => {
  assert.deepEqual(changesOf({ name: '', radius: 0, primary: '#7A1F3D', tone: 'dark' }, stored), {
    radius: 0,
    tone: 'dark',
  });
});

test('empty colour means the default colour', () => {
  assert.deepEqual(changesOf({ primary: '', second: '' }, stored), { primary: DEFAULT_BRAND.primary, second: null });
});

test('colour that is not complete yet prevents saving, and the preview keeps the stored colour', () => {
  const changes = changesOf({ primary: '#7A1', accent: '#00FF00' }, stored);
  assert.equal(isComplete(changes), false);
  assert.deepEqual(withChanges(stored, changes), { ...stored, accent: '#00FF00' });
  assert.equal(isComplete(changesOf({ second: '' }, stored)), true);
});

test('check of a colour returns the contrast of its text, and whether it differs from the background', () => {
  const { contrast, text, standsOut } = checkOf({ ...stored, primary: '#FAFAFA' }, 'primary');
  assert.ok(contrast > 15 && text === '#14161A' && !standsOut);
  assert.ok(checkOf(stored, 'primary').standsOut);
});

test('font is shown by its name with capital letters', () => {
  assert.equal(fontName('jetbrains-mono'), 'Jetbrains Mono');
});
