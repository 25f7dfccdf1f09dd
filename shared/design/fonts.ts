/**
 * Fonts that come with Vitrine, and the files of them that a design needs. Pages for players, previews in the window and
 * thumbnails use this table. It contains no font data: each host reads the files of the packages by {@link packageFileOf}.
 */
import type { BRAND_FONTS, Brand } from './brand.ts';
import type { Page } from './design.ts';
import type { Element } from './elements.ts';
import { STYLE_SIZES } from './rich-text.ts';

export type BrandFont = (typeof BRAND_FONTS)[number];
type FontRole = 'heading' | 'body';

/** Characters of each file of a font, as a CSS `unicode-range`. The ranges are the same for all fonts. */
const SUBSETS = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  vietnamese:
    'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  'greek-ext': 'U+1F00-1FFF',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  'cyrillic-ext': 'U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F',
} as const;
export type FontSubset = keyof typeof SUBSETS;

export interface FontFamily {
  /** CSS family, and name for people. */
  readonly name: string;
  /** Lightest and heaviest weight. */
  readonly weights: readonly [lightest: number, heaviest: number];
  readonly subsets: readonly FontSubset[];
  /** SPDX identifier. */
  readonly licence: 'OFL-1.1';
  /** CSS families for characters that the font does not have. */
  readonly instead: string;
}

const LATIN = ['latin', 'latin-ext'] as const;
const CYRILLIC = ['cyrillic', 'cyrillic-ext'] as const;
const SANS = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const SERIF = "'Noto Serif', Georgia, serif";

/**
 * The fonts by their id. Only the axis of the weight is used: with an optical size, letters change their shape with the
 * size in pixels, so that a small preview would break lines at other places than the screen.
 */
export const FONTS: Readonly<Record<BrandFont, FontFamily>> = {
  inter: {
    name: 'Inter',
    weights: [100, 900],
    subsets: [...LATIN, 'vietnamese', 'greek', 'greek-ext', ...CYRILLIC],
    licence: 'OFL-1.1',
    instead: SANS,
  },
  fraunces: {
    name: 'Fraunces',
    weights: [100, 900],
    subsets: [...LATIN, 'vietnamese'],
    licence: 'OFL-1.1',
    instead: SERIF,
  },
  bitter: {
    name: 'Bitter',
    weights: [100, 900],
    subsets: [...LATIN, 'vietnamese', ...CYRILLIC],
    licence: 'OFL-1.1',
    instead: SERIF,
  },
  oswald: {
    name: 'Oswald',
    weights: [200, 700],
    subsets: [...LATIN, 'vietnamese', ...CYRILLIC],
    licence: 'OFL-1.1',
    instead: SANS,
  },
  nunito: {
    name: 'Nunito',
    weights: [200, 1000],
    subsets: [...LATIN, 'vietnamese', ...CYRILLIC],
    licence: 'OFL-1.1',
    instead: SANS,
  },
  caveat: {
    name: 'Caveat',
    weights: [400, 700],
    subsets: [...LATIN, ...CYRILLIC],
    licence: 'OFL-1.1',
    instead: SANS,
  },
};

export const isBrandFont = (id: string): id is BrandFont => Object.hasOwn(FONTS, id);

/** Returns the path of a font's file below `node_modules`. */
export const packageFileOf = (font: BrandFont, subset: FontSubset): string =>
  `@fontsource-variable/${font}/files/${font}-${subset}-wght-normal.woff2`;

/** Returns the CSS family of a brand's font: a font that comes along, or the id of an uploaded font. */
const familyOf = (font: string): string => (isBrandFont(font) ? FONTS[font].name : `font-${font}`);

/**
 * Returns the CSS families of a brand's font, most specific first. Inter is the second, because every page contains it
 * (the window under the name Inter Variable), so that a missing file has the same result on all machines.
 */
const stackOf = (font: string): string => {
  const own = familyOf(font);
  const rest = ['Inter', "'Inter Variable'", 'Twemoji', isBrandFont(font) ? FONTS[font].instead : SANS];
  return [...new Set([/^\w+$/.test(own) ? own : `'${own.replace(/[^\w-]/g, '')}'`, ...rest])].join(', ');
};

/** Returns the CSS families of each role of a brand, for `DrawContext.fonts`. */
export const stacksOf = (brand: Pick<Brand, 'heading_font' | 'body_font'>): Readonly<Record<FontRole, string>> => ({
  heading: stackOf(brand.heading_font),
  body: stackOf(brand.body_font),
});

/** A font file that a design needs. Its fields are those of a `FontFace`. */
export interface FontFile {
  /** Key of the file among the files of a design's item. Ids of contents have no colon, so keys never collide. */
  readonly key: string;
  readonly family: string;
  /** CSS `font-weight`: two numbers for a variable font. */
  readonly weight: string;
  /** CSS `unicode-range`. */
  readonly range: string;
  /** The file: of a font that comes along, or an uploaded font as a whole. */
  readonly source: { readonly font: BrandFont; readonly subset: FontSubset } | { readonly uploaded: string };
}

type FontBrand = Pick<Brand, 'name' | 'heading_font' | 'body_font' | 'logo_content_id' | 'logo_dark_content_id'>;

/**
 * A character of each script in which browsers write dates. The language of the screen is known only there, so a clock
 * needs the files of all of these.
 */
const DATE_SAMPLE = 'aşứωж';

const currencySample = (currency: string): string =>
  `0${new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(0)}`;

/** Returns the characters that an element shows, by the font role in which it shows them. */
const charactersOf = (element: Element, brand: FontBrand): Readonly<Partial<Record<FontRole, string>>> => {
  switch (element.type) {
    case 'text': {
      const found = { heading: '', body: '' };
      for (const { style, runs, list } of element.text) {
        const text = runs.map((run) => run.text).join('');
        const marker = list === null ? '' : '•0';
        found[element.font ?? STYLE_SIZES[style].font] += text + text.toUpperCase() + marker;
      }
      return found;
    }
    case 'table': {
      const role = element.font ?? 'body';
      const found = { heading: '', body: '' };
      const hasPrices = element.columns.some(({ kind }) => kind === 'price');
      if (hasPrices && element.rows.length > 0) found[role] += currencySample(element.currency);
      for (const { title } of element.columns) found[role] += title + title.toUpperCase();
      for (const { cells, heading, note } of element.rows)
        found[heading ? 'heading' : role] += [...cells, note].join('');
      return found;
    }
    case 'price':
      return { [element.font ?? 'heading']: currencySample(element.currency) + element.unit };
    case 'clock':
      return { [element.font ?? 'heading']: DATE_SAMPLE };
    case 'countdown':
      return { [element.font ?? 'heading']: DATE_SAMPLE + element.after };
    case 'weather':
      return { [element.font ?? 'heading']: `0${element.place_name}` };
    case 'logo':
      return brand.logo_content_id === null && brand.logo_dark_content_id === null ? { heading: brand.name } : {};
    case 'media':
    case 'shape':
    case 'icon':
    case 'qr':
      return {};
    default:
      return element satisfies never;
  }
};

const RANGES = Object.entries(SUBSETS).map(([subset, ranges]) => ({
  subset: subset as FontSubset,
  ranges: ranges.split(',').map((range) => {
    const [first, last = first] = range.slice(2).split('-');
    return [Number.parseInt(first!, 16), Number.parseInt(last!, 16)] as const;
  }),
}));

/** Returns the files of a font in which a browser looks for these characters. */
const subsetsFor = (font: BrandFont, characters: ReadonlySet<string>): FontSubset[] => {
  const points = [...characters].map((character) => character.codePointAt(0)!);
  return RANGES.flatMap(({ subset, ranges }) =>
    FONTS[font].subsets.includes(subset) &&
    points.some((point) => ranges.some(([first, last]) => point >= first && point <= last))
      ? [subset]
      : [],
  );
};

/**
 * Returns the font files that pages need, in a fixed order. A font without text has no files, and a font whose text is
 * all in one script has one file.
 */
export const fontFilesOf = (pages: readonly Pick<Page, 'elements'>[], brand: FontBrand): FontFile[] => {
  const characters = new Map<string, Set<string>>();
  for (const element of pages.flatMap(({ elements }) => elements))
    for (const [role, text] of Object.entries(charactersOf(element, brand))) {
      const font = role === 'heading' ? brand.heading_font : brand.body_font;
      const found = characters.get(font) ?? new Set();
      for (const character of text) found.add(character);
      characters.set(font, found);
    }
  return [...characters].flatMap(([font, found]): FontFile[] => {
    if (found.size === 0) return [];
    const family = familyOf(font);
    // The weight covers everything, so that browsers do not draw a font of one weight with artificial bold.
    if (!isBrandFont(font))
      return [{ key: `font:${font}`, family, weight: '1 1000', range: 'U+0-10FFFF', source: { uploaded: font } }];
    return subsetsFor(font, found).map((subset) => ({
      key: `font:${font}:${subset}`,
      family,
      weight: FONTS[font].weights.join(' '),
      range: SUBSETS[subset],
      source: { font, subset },
    }));
  });
};
