/**
 * The brand of a workspace: colours, fonts, corner radius and logo, once for everything that Vitrine draws. Colours for
 * text are computed, so that every combination that a design can name is readable. Pure.
 */
import { z } from 'zod';
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

/** Smallest contrast of text on its background (WCAG AA). */
export const MIN_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

export const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(Math.max(value, 0), 255))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`.toUpperCase();

/** Returns the relative luminance by WCAG 2, 0 to 1. */
export const luminanceOf = (hex: string): number => {
  const [r, g, b] = rgbOf(hex).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};

/** Returns the contrast of two colours by WCAG 2, 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};

/** Returns a mix of two colours. @param share share of the second colour, 0 to 1 */
export const mixed = (one: string, other: string, share: number): string => {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  return hexOf(a.map((value, i) => value + (b[i]! - value) * share) as unknown as Rgb);
};

/** Near-black and near-white, which look better on a screen than the pure colours. */
const [DARK, LIGHT, BLACK] = ['#14161A', '#FFFFFF', '#000000'];

/**
 * Returns the readable text colour on a background: white or near-black, whichever has more contrast; black where both
 * have less than {@link MIN_CONTRAST}, which happens on some greys of medium brightness.
 */
export const readableOn = (background: string): string => {
  const best = contrastOf(background, LIGHT) >= contrastOf(background, DARK) ? LIGHT : DARK;
  return contrastOf(background, best) >= MIN_CONTRAST ? best : BLACK;
};

/**
 * Moves a colour towards the readable text colour until it has at least {@link MIN_CONTRAST} on the background. The hue
 * stays as long as possible.
 */
const readable = (color: string, background: string): string => {
  const goal = readableOn(background);
  for (let share = 0; share < 1; share += 0.05) {
    const found = mixed(color, goal, share);
    if (contrastOf(found, background) >= MIN_CONTRAST) return found;
  }
  return goal;
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
