import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FULL_ZONE } from '../../../../shared/program/full-zone.ts';
import { PLAIN_ITEM } from '../../../../shared/program/plain-item.ts';
import type { Program, ProgramItem, ProgramZone } from '../../../../shared/program/program.ts';
import type { Showing } from '../../../../shared/protocol/messages.ts';
import { drawnZones } from './drawn.utils.ts';

const item = (item_id: number | null, content_id: string): ProgramItem => ({
  ...PLAIN_ITEM,
  item_id,
  content_id,
  name: content_id,
});
const zone = (id: string, z_index: number): ProgramZone => ({ ...FULL_ZONE, id, name: id, z_index });
const program: Program = {
  format: 1,
  base: { layout_id: 'l', playlist_id: 'p', item: null, source: 'device' },
  fallback: item(null, 'logo'),
  layouts: [{ id: 'l', name: 'Counter', width: 1920, height: 1080, zones: [zone('front', 2), zone('back', 1)] }],
  playlists: [{ id: 'p', name: 'Window', anchor_ms: 0, items: [item(1, 'bread'), item(2, 'cake')] }],
  schedules: [],
  assets: [],
};
const showing = (zone_id: string | null, item_id: number | null, content_id: string): Showing => ({
  zone_id,
  item_id,
  content_id,
  widget_id: null,
  since: 0,
});
const drawn = (...turns: Showing[]) => drawnZones(program, turns).map(({ zone, item }) => `${zone.id}: ${item.name}`);

test('reported content is drawn in its zones from back to front', () => {
  assert.deepEqual(drawn(showing('front', 2, 'cake'), showing('back', 1, 'bread')), ['back: bread', 'front: cake']);
  assert.deepEqual(drawn(showing(null, null, 'logo')), ['full: logo']);
});

test('reported content that is no longer in the program is not drawn', () => {
  assert.deepEqual(drawn(showing('front', 1, 'cake'), showing('gone', 1, 'bread')), []);
});
