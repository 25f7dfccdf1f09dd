/** Colours and fills of a design: fixed colours, or roles of the brand that each workspace has its own colours for. */
import { z } from 'zod';

/**
 * Roles of a brand (brand.ts): `paper` and `ink` for backgrounds and text, `primary`, `accent` and `second` for areas
 * that mean something; `headline` is `primary` as text on `paper`. `on-…` is the text colour with the best contrast on that area; `quiet` is a weaker `ink`.
 */
export const COLOR_ROLES = [
  'paper',
  'ink',
  'quiet',
  'headline',
  'primary',
  'on-primary',
  'accent',
  'on-accent',
  'second',
  'on-second',
] as const;
export const ColorRole = z.enum(COLOR_ROLES);
export type ColorRole = z.infer<typeof ColorRole>;

export const HexColor = z.string().regex(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i, 'must be a colour like #A1B2C3');
export const Color = z.union([ColorRole, HexColor]);
export type Color = z.infer<typeof Color>;

/** Point of a picture, as shares of its width and height, that stays visible when the picture is cropped. */
export const FocalPoint = z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) });
export type FocalPoint = z.infer<typeof FocalPoint>;

/** A picture or clip of the library, by the id of its content; null: a drawn placeholder. */
export const MediaRef = z.object({
  content_id: z.string().max(64).nullable(),
  fit: z.enum(['fill', 'fit']),
  focus: FocalPoint,
  /** Colour over the picture, for readable text on it; null: none. The colour may have an alpha channel. */
  overlay: Color.nullable(),
  /** Opacity of the overlay, 0 to 1. */
  overlay_opacity: z.number().min(0).max(1),
  /** Slow zoom towards the focal point while the page is shown. */
  zoom: z.boolean(),
});
export type MediaRef = z.infer<typeof MediaRef>;

export const Fill = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('color'), color: Color }),
  z.object({
    kind: z.literal('gradient'),
    /** Two colours, from the first to the second. */
    from: Color,
    to: Color,
    /** Direction in degrees: 0 upwards, 90 to the right. */
    angle: z.number().min(0).max(360),
  }),
  z.object({
    kind: z.literal('pattern'),
    /** Name of a drawing in `shared/design/drawings`. */
    pattern: z.string().max(40),
    color: Color,
    background: Color,
  }),
  z.object({ kind: z.literal('media'), media: MediaRef }),
]);
export type Fill = z.infer<typeof Fill>;
