import type { Content } from '../../../shared/contract/content/content.ts';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import type { Playlist, PlaylistItem, PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';

export type PublishState = 'published' | 'changed' | 'never';
export const publishStateOf = ({ status, published_at }: Pick<Playlist, 'status' | 'published_at'>): PublishState =>
  published_at === null ? 'never' : status === 'published' ? 'published' : 'changed';

export const totalSeconds = (items: readonly Pick<PlaylistItem, 'duration_sec'>[]): number =>
  items.reduce((sum, item) => sum + item.duration_sec, 0);

export interface ZoneLength {
  readonly zone: Zone;
  readonly seconds: number;
}

/**
 * Returns the total duration of each zone with items, the longest first; zones play at the same time. Items whose
 * zone is not in the layout count for its largest zone, as on screens.
 */
export const zoneLengths = (
  items: readonly Pick<PlaylistItem, 'duration_sec' | 'zone_id'>[],
  zones: readonly Zone[],
): ZoneLength[] => {
  const area = (zone: Zone) => zone.width_percent * zone.height_percent;
  const largest = zones.reduce<Zone | undefined>(
    (best, zone) => (best && area(best) >= area(zone) ? best : zone),
    undefined,
  );
  const inZones = Map.groupBy(items, (item) => zones.find(({ id }) => id === item.zone_id) ?? largest);
  return [...inZones]
    .flatMap(([zone, own]) => (zone ? [{ zone, seconds: totalSeconds(own) }] : []))
    .sort((a, b) => b.seconds - a.seconds);
};

/**
 * Returns the duration that the server uses if none is given: the length of the clip, rounded up, otherwise ten
 * seconds.
 */
export const defaultSeconds = (content: Pick<Content, 'kind' | 'duration_sec'>): number =>
  content.kind === 'video' && content.duration_sec ? Math.max(1, Math.ceil(content.duration_sec)) : 10;

const inOrder = (items: readonly PlaylistItem[]): PlaylistItem[] =>
  items.map((item, sort_order) => (item.sort_order === sort_order ? item : { ...item, sort_order }));

/** Returns the playlist with other items. Every change of items makes the playlist a draft, as on the server. */
const withItems = (playlist: PlaylistWithItems, items: readonly PlaylistItem[]): PlaylistWithItems => ({
  ...playlist,
  status: 'draft',
  item_count: items.length,
  items: inOrder(items),
});

export const moved = (playlist: PlaylistWithItems, id: number, to: number): PlaylistWithItems => {
  const item = playlist.items.find((i) => i.id === id);
  if (!item) return playlist;
  const rest = playlist.items.filter((i) => i.id !== id);
  return withItems(playlist, [...rest.slice(0, to), item, ...rest.slice(to)]);
};

export const inserted = (playlist: PlaylistWithItems, item: PlaylistItem, at: number): PlaylistWithItems =>
  withItems(playlist, [...playlist.items.slice(0, at), item, ...playlist.items.slice(at)]);

export const without = (playlist: PlaylistWithItems, id: number): PlaylistWithItems =>
  withItems(
    playlist,
    playlist.items.filter((i) => i.id !== id),
  );

/**
 * Returns the playlist with a changed item. Muting alone does not make the playlist a draft, since it takes effect
 * at once.
 */
export const changed = (playlist: PlaylistWithItems, id: number, change: Partial<PlaylistItem>): PlaylistWithItems => {
  const items = playlist.items.map((item) => (item.id === id ? { ...item, ...change } : item));
  const onlyMuted = Object.keys(change).join() === 'muted';
  return onlyMuted ? { ...playlist, items } : withItems(playlist, items);
};

/** Returns an item before the server has stored it. Its id is negative. */
export const draftItem = (playlistId: string, content: Content, id: number): PlaylistItem => ({
  id,
  playlist_id: playlistId,
  content_id: content.id,
  widget_id: null,
  zone_id: null,
  sort_order: 0,
  duration_sec: defaultSeconds(content),
  muted: false,
  filename: content.filename,
  mime_type: content.mime_type,
  thumbnail_path: content.thumbnail_path,
  content_duration: content.duration_sec,
  remote_url: content.remote_url,
  widget_name: null,
  widget_type: null,
  widget_config: null,
  schedules: [],
  transition: null,
  valid_from: null,
  valid_until: null,
  shown_from: content.valid_from,
  shown_until: content.valid_until,
  slot_id: null,
});

/** Default duration of a widget in seconds. */
const WIDGET_SECONDS = 10;

export const draftWidgetItem = (
  playlistId: string,
  widget: Pick<Widget, 'id' | 'name' | 'widget_type' | 'config' | 'valid_from' | 'valid_until'>,
  id: number,
): PlaylistItem => ({
  id,
  playlist_id: playlistId,
  content_id: null,
  widget_id: widget.id,
  zone_id: null,
  sort_order: 0,
  duration_sec: WIDGET_SECONDS,
  muted: false,
  filename: null,
  mime_type: null,
  thumbnail_path: null,
  content_duration: null,
  remote_url: null,
  widget_name: widget.name,
  widget_type: widget.widget_type,
  widget_config: widget.config,
  schedules: [],
  transition: null,
  valid_from: null,
  valid_until: null,
  shown_from: widget.valid_from,
  shown_until: widget.valid_until,
  slot_id: null,
});

/** Returns whether the item has sound that can be muted. */
export const canSound = (item: Pick<PlaylistItem, 'mime_type'>): boolean =>
  /^(video|audio)\//.test(item.mime_type ?? '');
