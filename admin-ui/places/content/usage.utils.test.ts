import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentUsage } from '../../../shared/contract/content.ts';
import { isUsed, mergeUsages } from './usage.utils.ts';

const nowhere: ContentUsage = {
  playlists: [],
  schedules: [],
  walls: [],
  devices: [],
  widgets: [],
  kiosk_pages: [],
  layouts: [],
  screens: [],
};

test('a content in a draft alone is used; one that is nowhere is not', () => {
  assert.equal(isUsed(nowhere), false);
  assert.equal(isUsed({ ...nowhere, playlists: [{ id: 'p', name: 'P', draft: true, published: false }] }), true);
});

test('a screen that two of them would change is named once', () => {
  const screen = { id: 's', name: 'Window' };
  assert.deepEqual(
    mergeUsages([
      { ...nowhere, screens: [screen] },
      { ...nowhere, screens: [screen], walls: [{ id: 'w', name: 'W' }] },
    ]),
    {
      ...nowhere,
      screens: [screen],
      walls: [{ id: 'w', name: 'W' }],
    },
  );
});
