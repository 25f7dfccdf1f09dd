/**
 * The brand of a workspace: colours, fonts, corner radius and logo, once for everything that Vitrine draws. Colours for
 * text are computed, so that every combination that a design can name is readable. Pure.
 */
import { z } from 'zod';
import { mixed, readable, readableOn } from './contrast.ts';
import type { Color, ColorRole } from './fills.ts';

const Hex = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #A1B2C3');

/**
 * Fonts that come with Vitrine (fonts.ts): a neutral sans, a soft serif, a slab, a condensed, a rounded and a handwritten
 * font. Each covers the Latin languages of Europe.
 */
export const BRAND_FONTS = ['inter', 'fraunces', 'bitter', 'oswald', 'nunito', 'caveat'] as const;
/** A font that comes along, or the id of an uploaded font. */
const Font = z.string().max(64);

export const Brand = z.object({
  /** Name for people and in designs; empty: the name of the workspace. */
  name: z.string().max(120),
  /** Background of designs in the light tone. */
  paper: Hex,
  /** Colour of areas that mean something: headings, price badges, buttons. */
  primary: Hex,
  accent: Hex,
  /** A second area colour; null: derived from `primary`. */
  second: Hex.nullable(),
  heading_font: Font,
  body_font: Font,
  /** Corner radius in units (page-formats.ts). */
  radius: z.number().min(0).max(120),
  tone: z.enum(['light', 'dark']),
  /** Contents of the library; null: no logo. `logo_dark` is for dark backgrounds; null: the same logo. */
  logo_content_id: z.string().max(64).nullable(),
  logo_dark_content_id: z.string().max(64).nullable(),
  /** Whether entries and exits are off. A slow zoom is off as well. */
  reduced_motion: z.boolean(),
});
export type Brand = z.infer<typeof Brand>;

/** A brand without its logos, which have references of their own. */
export type StoredBrand = Omit<Brand, 'logo_content_id' | 'logo_dark_content_id'>;

/** The brand of a workspace that has none. */
export const DEFAULT_BRAND: Brand = {
  name: '',
  paper: '#FFFFFF',
  primary: '#0F3D3E',
  accent: '#FFB547',
  second: null,
  heading_font: 'inter',
  body_font: 'inter',
  radius: 24,
  tone: 'light',
  logo_content_id: null,
  logo_dark_content_id: null,
  reduced_motion: false,
};

/** Share of `paper` in weaker text. */
const QUIET = 0.35;
/** Share of the primary colour in the dark background. */
const DARK_PAPER = 0.82;

export type Palette = Readonly<Record<ColorRole, string>>;

/** Returns the colour of each role. Text roles have a contrast of at least 4.5 on the area that they belong to. */
export const paletteOf = (brand: Brand): Palette => {
  const paper = brand.tone === 'dark' ? mixed(brand.primary, '#0B0C0F', DARK_PAPER) : brand.paper.toUpperCase();
  const ink = readableOn(paper);
  const second = brand.second ?? mixed(brand.primary, paper, 0.85);
  return {
    paper,
    ink,
    quiet: readable(mixed(ink, paper, QUIET), paper),
    headline: readable(brand.primary.toUpperCase(), paper),
    primary: brand.primary.toUpperCase(),
    'on-primary': readableOn(brand.primary),
    accent: brand.accent.toUpperCase(),
    'on-accent': readableOn(brand.accent),
    second: second.toUpperCase(),
    'on-second': readableOn(second),
  };
};

/** Returns a colour of a design as hex: a role by the palette, or the fixed colour itself. */
export const colorIn = (palette: Palette, color: Color): string =>
  color.startsWith('#') ? color : palette[color as ColorRole];

/** Returns the id of the logo for the tone of the brand; null: none. */
export const logoOf = (brand: Brand): string | null =>
  (brand.tone === 'dark' && brand.logo_dark_content_id) || brand.logo_content_id;
