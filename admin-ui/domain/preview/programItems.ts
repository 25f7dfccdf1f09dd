import type { Content } from '../../../shared/contract/content/content.ts';
import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';
import type { ProgramItem, Transition } from '../../../shared/program/program.ts';
import { kindOfMime } from '../../api/files/content.ts';

const transitionOf = (transition: Transition | null): Pick<ProgramItem, 'transition'> =>
  transition ? { transition } : {};

/** Values of the fields of an item that previews do not use. */
const UNSEEN = { url: null, data_url: null, width: null, height: null } as const;

/**
 * Returns an item of a playlist in the form for players, for previews of drafts and of unassigned playlists.
 * @param begins transition of an item without its own transition
 */
export const toProgramItem = (item: PlaylistItem, begins: Transition | null = null): ProgramItem => ({
  ...UNSEEN,
  item_id: item.id,
  content_id: item.content_id,
  widget_id: item.widget_id,
  kind: item.widget_id !== null ? 'widget' : kindOfMime(item.mime_type, item.remote_url),
  name: item.filename ?? item.widget_name ?? '',
  asset: null,
  duration_ms: item.duration_sec * 1000,
  media_ms: item.content_duration === null ? null : item.content_duration * 1000,
  muted: item.muted,
  zone_id: item.zone_id,
  blocks: item.schedules,
  ...transitionOf(item.transition ?? begins),
});

export const contentToProgramItem = (content: Content): ProgramItem => ({
  ...UNSEEN,
  item_id: null,
  content_id: content.id,
  widget_id: null,
  kind: content.kind,
  name: content.filename,
  asset: content.sha256,
  duration_ms: 10_000,
  media_ms: null,
  muted: false,
  zone_id: null,
  blocks: [],
});

export const widgetToProgramItem = ({ id, name }: Pick<Widget, 'id' | 'name'>): ProgramItem => ({
  ...UNSEEN,
  item_id: null,
  content_id: null,
  widget_id: id,
  kind: 'widget',
  name,
  asset: null,
  duration_ms: 10_000,
  media_ms: null,
  muted: false,
  zone_id: null,
  blocks: [],
});
