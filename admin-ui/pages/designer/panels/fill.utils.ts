/** Changes of fills in the designer. Pure. */
import { PATTERNS } from '../../../../shared/design/drawings/patterns.ts';
import type { Color, Fill, MediaRef } from '../../../../shared/design/fills.ts';

export type FillKind = Fill['kind'];
export const FILL_KINDS: readonly FillKind[] = ['none', 'color', 'gradient', 'pattern', 'media'];

/** A picture that is not chosen yet. */
export const NO_MEDIA: MediaRef = {
  content_id: null,
  fit: 'fill',
  focus: { x: 0.5, y: 0.5 },
  overlay: null,
  overlay_opacity: 0.5,
  zoom: false,
};

/** Direction of a new gradient in degrees: to the lower right corner. */
const DIAGONAL = 135;

/** Returns the colour that a fill consists of mainly; undefined for none. */
const mainColorOf = (fill: Fill): Color | undefined => {
  switch (fill.kind) {
    case 'none':
      return undefined;
    case 'color':
      return fill.color;
    case 'gradient':
      return fill.from;
    case 'pattern':
      return fill.background;
    case 'media':
      return fill.media.overlay ?? undefined;
    default:
      fill satisfies never;
      return undefined;
  }
};

/** Returns a fill of another kind that keeps the main colour. */
export const fillAs = (fill: Fill, kind: FillKind): Fill => {
  if (fill.kind === kind) return fill;
  const color = mainColorOf(fill) ?? 'primary';
  switch (kind) {
    case 'none':
      return { kind };
    case 'color':
      return { kind, color };
    case 'gradient':
      return { kind, from: color, to: color === 'accent' ? 'primary' : 'accent', angle: DIAGONAL };
    case 'pattern':
      return { kind, pattern: PATTERNS[0]!, color: color === 'second' ? 'primary' : 'second', background: color };
    case 'media':
      return { kind, media: NO_MEDIA };
    default:
      kind satisfies never;
      return fill;
  }
};
