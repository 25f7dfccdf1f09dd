/**
 * Turns words into shapes: outlines of the fonts that come with Vitrine, layers of colour emoji, and text in fonts of the
 * system for characters that no font of ours has (Chinese, Arabic). Lengths are in em. Words are remembered for the time
 * of one drawing, because a table repeats them.
 */
import { emojiFile, fontFiles } from './font-files.ts';
import { atWeight, type FontGlyph, type OpenFont, openFont } from './variable-font.ts';

/** Number of different words that are shaped with kerning. Further words use the widths of single characters. */
const MAX_SHAPED = 700;

/** Everything that decides the shape of a word. */
export interface FontStyle {
  /** Family of the brand (font-files.ts). */
  readonly family: string;
  readonly weight: number;
  /** Whether all digits have the same width. */
  readonly isTabular: boolean;
  /** Space after each character, in em. */
  readonly spacing: number;
}

/** A part of a word, from left to right. */
export type Segment = { readonly width: number } & (
  | { readonly kind: 'outline'; readonly d: string; readonly unitsPerEm: number }
  | {
      readonly kind: 'emoji';
      readonly layers: readonly { readonly d: string; readonly color: string }[];
      readonly unitsPerEm: number;
    }
  | { readonly kind: 'system'; readonly text: string }
);

export interface Word {
  readonly text: string;
  readonly width: number;
  /** Number of glyphs. */
  readonly count: number;
  /** Returns the shapes. Computed on the first call, because hidden words need only their width. */
  segments(): readonly Segment[];
}

/** Distances from the baseline in em; `descent` is positive. */
export interface Metrics {
  readonly ascent: number;
  readonly descent: number;
}

const LETTERS: Readonly<Record<string, string>> = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'Z',
};

/** Returns the outline of a glyph as SVG path, moved by an offset in units of the font. */
const pathOf = ({ path }: FontGlyph, dx: number, dy: number): string =>
  path.commands
    .map(
      ({ command, args }) =>
        LETTERS[command]! + args.map((value, i) => Math.round(value + (i % 2 === 0 ? dx : dy))).join(' '),
    )
    .join('');

const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f/u;
/** Characters that are as wide as high. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f000}-\u{3ffff}]/u;
const NO_WIDTH = /\p{M}|\p{Cf}/u;
/** Characters without a picture that fonts lack. */
const INVISIBLE = /\u200b|\u2060|\ufeff/g;
/** Usual width in em of a character in a font of the system, which cannot be measured here. */
const SYSTEM_WIDTH = 0.56;
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const systemWidth = (text: string): number => {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 1 : NO_WIDTH.test(character) ? 0 : SYSTEM_WIDTH;
  return width;
};

/** Opened files, for all drawings of this process. */
const opened = new Map<string, OpenFont>();
const opening = (file: string): OpenFont => {
  const known = opened.get(file);
  if (known) return known;
  const font = openFont(file);
  opened.set(file, font);
  return font;
};

/** Weights of opened files. A brand has two families, and a page about four weights. */
const MAX_WEIGHTS = 60;
const weights = new Map<string, OpenFont>();
const weighted = (file: string, weight: number): OpenFont => {
  const key = `${weight} ${file}`;
  const known = weights.get(key);
  if (known) return known;
  if (weights.size >= MAX_WEIGHTS) weights.clear();
  const font = atWeight(opening(file), weight);
  weights.set(key, font);
  return font;
};

/** Font that draws a character: an outline font, the emoji font, or a font of the system. */
type Source = OpenFont | 'emoji' | 'system';
interface Piece {
  readonly source: Source;
  text: string;
}

const featuresOf = ({ isTabular, spacing }: FontStyle): Record<string, boolean> => ({
  ...(isTabular && { tnum: true }),
  // Browsers do not join letters that have space between them.
  ...(spacing > 0 && { liga: false, clig: false }),
});

export class Shaper {
  readonly #words = new Map<string, Word>();
  readonly #advances = new Map<string, number>();
  #shaped = 0;

  metrics({ family, weight }: FontStyle): Metrics {
    const font = this.#fonts(family, weight)[0];
    if (!font) return { ascent: 0.95, descent: 0.25 };
    return { ascent: font.ascent / font.unitsPerEm, descent: -font.descent / font.unitsPerEm };
  }

  /** Returns a word. It may contain spaces, and no line break. */
  word(written: string, style: FontStyle): Word {
    const text = written.replace(INVISIBLE, '');
    const key = `${style.family} ${style.weight} ${style.isTabular} ${style.spacing} ${text}`;
    const known = this.#words.get(key);
    if (known) return known;
    const word = this.#shaped++ < MAX_SHAPED ? this.#shape(text, style) : this.#estimate(text, style);
    this.#words.set(key, word);
    return word;
  }

  #fonts(family: string, weight: number): OpenFont[] {
    return fontFiles(family).map((file) => weighted(file, weight));
  }

  #shape(text: string, style: FontStyle): Word {
    let [width, count] = [0, 0];
    const made = this.#pieces(text, style).map(({ source, text: part }) => {
      const spaced = style.spacing * [...characters.segment(part)].length;
      if (source === 'system') {
        const wide = systemWidth(part) + spaced;
        [width, count] = [width + wide, count + part.length];
        return (): Segment => ({ kind: 'system', text: part, width: wide });
      }
      const font = source === 'emoji' ? opening(emojiFile()!) : source;
      const { glyphs, positions, advanceWidth } = font.layout(part, featuresOf(style));
      const wide = advanceWidth / font.unitsPerEm + spaced;
      [width, count] = [width + wide, count + glyphs.length];
      const at = (place: (glyph: FontGlyph, dx: number, dy: number) => void): void => {
        let x = 0;
        glyphs.forEach((glyph, i) => {
          const { xAdvance, xOffset, yOffset } = positions[i]!;
          place(glyph, x + xOffset, yOffset);
          x += xAdvance + style.spacing * font.unitsPerEm;
        });
      };
      if (source === 'emoji') return (): Segment => ({ ...emojiSegment(at), width: wide, unitsPerEm: font.unitsPerEm });
      return (): Segment => {
        let d = '';
        at((glyph, dx, dy) => {
          d += pathOf(glyph, dx, dy);
        });
        return { kind: 'outline', d, width: wide, unitsPerEm: font.unitsPerEm };
      };
    });
    let segments: readonly Segment[] | undefined;
    return { text, width, count, segments: () => (segments ??= made.map((make) => make())) };
  }

  /** Returns a word by the widths of its characters, without kerning. */
  #estimate(text: string, style: FontStyle): Word {
    const [font] = this.#fonts(style.family, style.weight);
    let width = 0;
    for (const character of text) {
      const key = `${style.family} ${style.weight} ${character}`;
      let advance = this.#advances.get(key);
      if (advance === undefined) {
        const code = character.codePointAt(0)!;
        advance = font?.hasGlyphForCodePoint(code)
          ? font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm
          : systemWidth(character);
        this.#advances.set(key, advance);
      }
      width += advance + style.spacing;
    }
    return { text, width, count: text.length, segments: () => this.#shape(text, style).segments() };
  }

  /** Divides a text by the fonts that have its characters. */
  #pieces(text: string, { family, weight }: FontStyle): Piece[] {
    const fonts = this.#fonts(family, weight);
    const pieces: Piece[] = [];
    for (const { segment } of characters.segment(text)) {
      const last = pieces.at(-1);
      const source = this.#sourceOf(segment, fonts, last?.source);
      if (last && last.source === source) last.text += segment;
      else pieces.push({ source, text: segment });
    }
    return pieces;
  }

  #sourceOf(character: string, fonts: readonly OpenFont[], before: Source | undefined): Source {
    const codes = [...character].map((one) => one.codePointAt(0)!);
    const hasAll = (font: OpenFont): boolean => codes.every((code) => font.hasGlyphForCodePoint(code));
    const hasEmoji = (): boolean => {
      const file = emojiFile();
      return file !== undefined && opening(file).hasGlyphForCodePoint(codes[0]!);
    };
    if (EMOJI.test(character) && hasEmoji()) return 'emoji';
    // A space between two Arabic words belongs to their text, so that the system can order them.
    if (character === ' ' && before === 'system') return before;
    const font = fonts.find(hasAll);
    if (font) return font;
    return /\p{Extended_Pictographic}/u.test(character) && hasEmoji() ? 'emoji' : 'system';
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

const emojiSegment = (at: (place: (glyph: FontGlyph, dx: number, dy: number) => void) => void) => {
  const layers: { d: string; color: string }[] = [];
  at((glyph, dx, dy) => {
    for (const { glyph: layer, color } of glyph.layers ?? [])
      layers.push({
        d: pathOf(layer, dx, dy),
        color: `#${hex(color.red)}${hex(color.green)}${hex(color.blue)}${hex(color.alpha)}`,
      });
  });
  return { kind: 'emoji', layers } as const;
};
