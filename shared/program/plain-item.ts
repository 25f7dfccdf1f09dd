import type { ProgramItem } from './program.ts';

/** A picture for ten seconds, always valid. Callers override the fields that they need. */
export const PLAIN_ITEM: ProgramItem = {
  item_id: null,
  content_id: null,
  widget_id: null,
  kind: 'image',
  name: '',
  asset: null,
  url: null,
  data_url: null,
  duration_ms: 10_000,
  media_ms: null,
  width: null,
  height: null,
  muted: false,
  zone_id: null,
  blocks: [],
};
