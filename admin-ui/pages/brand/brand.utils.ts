import { type Brand, DEFAULT_BRAND, paletteOf } from '../../../shared/design/brand.ts';
import { contrastOf } from '../../../shared/design/contrast.ts';

export const BRAND_COLORS = ['paper', 'primary', 'accent', 'second'] as const;
export type BrandColor = (typeof BRAND_COLORS)[number];

/** Changes that are not saved yet. A colour is the typed text, which may be incomplete. */
export type BrandDraft = Partial<Brand>;

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the fields of a draft that differ from the stored brand. An empty colour means the default colour. */
export const changesOf = (draft: BrandDraft, stored: Brand): BrandDraft => {
  const changes: Record<string, unknown> = {};
  for (const [field, typed] of Object.entries(draft) as [keyof Brand, Brand[keyof Brand] | undefined][]) {
    const value = typed === '' && isBrandColor(field) ? DEFAULT_BRAND[field] : typed;
    if (value !== undefined && value !== stored[field]) changes[field] = value;
  }
  return changes;
};

const isBrandColor = (field: string): field is BrandColor => (BRAND_COLORS as readonly string[]).includes(field);

/** Returns whether all colours of a change are complete, so that it can be saved. */
export const isComplete = (changes: BrandDraft): boolean =>
  BRAND_COLORS.every((field) => typeof changes[field] !== 'string' || isColor(changes[field]));

/** Returns the brand with the changes, for previews. A colour that is not complete yet stays as it is stored. */
export const withChanges = (stored: Brand, changes: BrandDraft): Brand => ({
  ...stored,
  ...Object.fromEntries(
    Object.entries(changes).filter(
      ([field, value]) => !isBrandColor(field) || typeof value !== 'string' || isColor(value),
    ),
  ),
});

/** Contrast below which an area hardly stands out from the background. */
const MIN_AREA_CONTRAST = 1.3;

export interface ColorCheck {
  readonly background: string;
  readonly text: string;
  /** Contrast of the text, 1 to 21. */
  readonly contrast: number;
  /** Whether an area of this colour can be told from the background. */
  readonly standsOut: boolean;
}

/** Returns how texts look on a colour of the brand. */
export const checkOf = (brand: Brand, color: BrandColor): ColorCheck => {
  const palette = paletteOf(brand);
  const background = palette[color];
  const text = palette[color === 'paper' ? 'ink' : (`on-${color}` as const)];
  return {
    background,
    text,
    contrast: contrastOf(background, text),
    standsOut: color === 'paper' || contrastOf(background, palette.paper) >= MIN_AREA_CONTRAST,
  };
};

/** Returns the name of a font for people: `jetbrains-mono` → `Jetbrains Mono`. */
export const fontName = (font: string): string =>
  font
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
