/** Makes programs and states for tests. A test gives the fields that matter; the other fields have defaults. */

import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import type {
  Placement,
  Program,
  ProgramItem,
  ProgramLayout,
  ProgramPlaylist,
  ProgramZone,
} from '../../../shared/program/program.ts';
import type { ScreenState } from '../host/host.ts';

/** The instant at which test playlists begin: noon, UTC. */
export const NOON = Date.UTC(2026, 2, 1, 12);

export const item = (id: number, part: Partial<ProgramItem>): ProgramItem => ({
  ...PLAIN_ITEM,
  item_id: id,
  content_id: `content-${id}`,
  name: `item ${id}`,
  muted: true,
  ...part,
});

export const playlist = (items: readonly ProgramItem[]): ProgramPlaylist => ({
  id: 'playlist',
  name: 'Playlist',
  anchor_ms: NOON,
  items: [...items],
});

export const program = (items: readonly ProgramItem[], part: Partial<Program> = {}): Program => ({
  format: 1,
  base: {
    layout_id: part.layouts?.[0]?.id ?? null,
    playlist_id: items.length > 0 ? 'playlist' : null,
    item: null,
    source: items.length > 0 ? 'device' : null,
  },
  fallback: null,
  layouts: [],
  playlists: items.length > 0 ? [playlist(items)] : [],
  schedules: [],
  assets: [],
  ...part,
});

export const zone = (id: string, part: Partial<ProgramZone>): ProgramZone => ({
  id,
  name: id,
  x: 0,
  y: 0,
  width: 100,
  height: 100,
  z_index: 0,
  zone_type: 'content',
  fit: 'cover',
  background: '#000000',
  ...part,
});

export const layout = (id: string, zones: readonly ProgramZone[]): ProgramLayout => ({
  id,
  name: id,
  width: 1920,
  height: 1080,
  zones: [...zones],
});

export const placement = (part: Partial<Placement> = {}): Placement => ({
  orientation: '0',
  timezone: 'UTC',
  wall: null,
  ...part,
});

type Playing = Extract<ScreenState, { phase: 'playing' }>;

export const playing = (of: Program | null, part: Partial<Playing> = {}): Playing => ({
  phase: 'playing',
  device_name: 'Bakery counter',
  program_id: of && 'a'.repeat(64),
  program: of,
  placement: placement(),
  overlay: null,
  screen_on: true,
  launch_url: null,
  identify_until: null,
  identify_groups: [],
  repairs: 0,
  ...part,
});
