import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentUsage } from '../../../shared/contract/content/content.ts';
import { isUsed, mergeUsages } from './usage.utils.ts';

const nowhere: ContentUsage = {
  playlists: [],
  schedules: [],
  walls: [],
  devices: [],
  widgets: [],
  kiosk_pages: [],
  designs: [],
  layouts: [],
  screens: [],
};

test('content that only a draft uses counts as used, and content without any use does not', () => {
  assert.equal(isUsed(nowhere), false);
  assert.equal(isUsed({ ...nowhere, playlists: [{ id: 'p', name: 'P', draft: true, published: false }] }), true);
});

test('screen that is affected by two contents is listed once', () => {
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
