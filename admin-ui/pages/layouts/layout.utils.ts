/** A layout in the editor, and its edits. */
import { type Layout, ZONE_FILLS, type Zone, type ZoneInLayout } from '../../../shared/contract/content/layouts.ts';
import { halved, inside, placeFor, type Rect } from '../../components/canvas/canvas.utils.ts';

export interface LayoutDraft {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The zones. Zones that are not stored yet have ids that begin with `new-`. */
  readonly zones: readonly Zone[];
}

const NEW = 'new-';

export const draftOf = ({ name, width, height, zones }: Layout): LayoutDraft => ({ name, width, height, zones });

export const rectOf = (zone: Zone): Rect => ({
  x: zone.x_percent,
  y: zone.y_percent,
  width: zone.width_percent,
  height: zone.height_percent,
});
export const withRect = (zone: Zone, { x, y, width, height }: Rect): Zone => ({
  ...zone,
  x_percent: x,
  y_percent: y,
  width_percent: width,
  height_percent: height,
});

/** Returns the zones from back to front. At the same level, the later zone is in front. */
export const stacked = (zones: readonly Zone[]): Zone[] => [...zones].sort((a, b) => a.z_index - b.z_index);

export const changedZone = (draft: LayoutDraft, id: string, change: (zone: Zone) => Zone): LayoutDraft => ({
  ...draft,
  zones: draft.zones.map((z) => (z.id === id ? change(z) : z)),
});

const nextId = (zones: readonly Zone[]): string =>
  `${NEW}${1 + Math.max(0, ...zones.map((z) => (z.id.startsWith(NEW) ? Number(z.id.slice(NEW.length)) : 0)))}`;
const top = (zones: readonly Zone[]): number => (zones.length === 0 ? 0 : Math.max(...zones.map((z) => z.z_index)) + 1);

/** The content, widget or playlist that a zone shows permanently. */
export interface Fill {
  readonly key: (typeof ZONE_FILLS)[number];
  readonly id: string;
}
const EMPTY = { content_id: null, widget_id: null, playlist_id: null } as const;

export const fillOf = (zone: Zone): Fill | null => {
  const key = ZONE_FILLS.find((one) => zone[one] !== null);
  return key ? { key, id: zone[key]! } : null;
};
/** @param fill null removes the zone's own content */
export const filled = (draft: LayoutDraft, zoneId: string, fill: Fill | null): LayoutDraft =>
  changedZone(draft, zoneId, (zone) => ({ ...zone, ...EMPTY, ...(fill && { [fill.key]: fill.id }) }));

/** Returns the first zone without content, which is the default target of the next item. */
export const firstEmpty = (draft: LayoutDraft): Zone | undefined => draft.zones.find((zone) => fillOf(zone) === null);

/** Adds a zone in front of all others, in free space if there is any. The first zone fills the picture. */
export const added = (draft: LayoutDraft, name: string): { draft: LayoutDraft; id: string } => {
  const id = nextId(draft.zones);
  const zone = withRect(
    {
      id,
      layout_id: '',
      name,
      x_percent: 0,
      y_percent: 0,
      width_percent: 100,
      height_percent: 100,
      z_index: top(draft.zones),
      zone_type: 'content',
      fit_mode: 'cover',
      background_color: '#000000',
      ...EMPTY,
    },
    placeFor(draft.zones.map(rectOf)),
  );
  return { draft: { ...draft, zones: [...draft.zones, zone] }, id };
};

/** Divides a zone into two equal halves across its longer side. The new half has no content. */
export const divided = (draft: LayoutDraft, zoneId: string, name: string): { draft: LayoutDraft; id: string } => {
  const zone = draft.zones.find((z) => z.id === zoneId);
  const halves = zone && halved(rectOf(zone), draft);
  if (!halves) return { draft, id: zoneId };
  const id = nextId(draft.zones);
  const other = { ...withRect(zone, halves[1]), ...EMPTY, id, name };
  const zones = draft.zones.flatMap((z) => (z.id === zoneId ? [withRect(z, halves[0]), other] : [z]));
  return { draft: { ...draft, zones }, id };
};

/** Adds a copy of a zone beside the original, so that both are visible. */
export const duplicated = (draft: LayoutDraft, zoneId: string, name: string): { draft: LayoutDraft; id: string } => {
  const zone = draft.zones.find((z) => z.id === zoneId);
  if (!zone) return { draft, id: zoneId };
  const id = nextId(draft.zones);
  const rect = rectOf(zone);
  const beside = inside({ ...rect, x: rect.x + 4, y: rect.y + 4 });
  return {
    draft: { ...draft, zones: [...draft.zones, { ...withRect(zone, beside), id, name, z_index: top(draft.zones) }] },
    id,
  };
};

export const removed = (draft: LayoutDraft, zoneId: string): LayoutDraft => ({
  ...draft,
  zones: draft.zones.filter((z) => z.id !== zoneId),
});

/** Moves a zone one step to the front (1) or to the back (-1). All levels are renumbered, so that no two are equal. */
export const raised = (draft: LayoutDraft, zoneId: string, by: 1 | -1): LayoutDraft => {
  const order = stacked(draft.zones);
  const from = order.findIndex((z) => z.id === zoneId);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return draft;
  [order[from], order[to]] = [order[to]!, order[from]!];
  const height = new Map(order.map((z, index) => [z.id, index]));
  return { ...draft, zones: draft.zones.map((z) => ({ ...z, z_index: height.get(z.id) ?? z.z_index })) };
};

export const bodyOf = ({
  name,
  width,
  height,
  zones,
}: LayoutDraft): { name: string; width: number; height: number; zones: ZoneInLayout[] } => ({
  name,
  width,
  height,
  zones: zones.map(({ id, layout_id: _of, ...zone }) => (id.startsWith(NEW) ? zone : { id, ...zone })),
});

/** Usual resolutions of screens in pixels, with the keys of their texts. */
export const SIZES = [
  { key: 'landscape', width: 1920, height: 1080 },
  { key: 'portrait', width: 1080, height: 1920 },
  { key: 'landscape4k', width: 3840, height: 2160 },
  { key: 'portrait4k', width: 2160, height: 3840 },
] as const;
export const ZONE_TYPES = ['content', 'widget', 'ticker', 'web'] as const;
