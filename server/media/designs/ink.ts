/** Draws laid text as SVG. Counts what it draws, so that a document cannot make a drawing of any size. */
import type { Rect } from '../../../shared/design/box.ts';
import { TABLE } from '../../../shared/design/draw/table-style.ts';
import type { Fitted, PlacedWord } from './flow.ts';
import type { Segment } from './shaper.ts';

/** Number of glyphs that are drawn as outlines. A page that can be read has some 2,000. */
const MAX_GLYPHS = 6_000;
/** Number of words that are drawn as bars. Further words are left out. */
const MAX_BARS = 20_000;
/** Height of text in pixels of the result, below which nobody can read it. A word becomes a bar. */
const READABLE_PX = 1.6;
/** Height and darkness of a bar, like the small letters of the word. */
const BAR = { height: 0.5, opacity: 0.55 };
/** Slant of a font without italics, as browsers slant it. */
const SLANT = -0.25;
/** Position and thickness of lines through and below text, in em. */
const STRIKE = { y: -0.3, height: 0.07 };
const UNDERLINE = { y: 0.1, height: 0.07 };

const number = (value: number): string => String(Math.round(value * 100) / 100);
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
/** Escapes text, and removes half characters and control characters, which XML does not permit. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[<>&"]/g, (found) => ESCAPES[found]!);

export class Ink {
  readonly #scale: number;
  #glyphs = 0;
  #bars = 0;

  /** @param scale pixels of the result per pixel of the page */
  constructor(scale: number) {
    this.#scale = scale;
  }

  /**
   * Returns a text as SVG. Lines outside of the visible rectangle are left out.
   * @param x left edge in pixels @param y upper edge in pixels
   */
  text({ em, laid }: Fitted, x: number, y: number, seen: Rect): string {
    const color = laid.words[0]?.style.color ?? 'none';
    const rules = laid.rules.map(
      (rule) =>
        `<rect x="${number(x + rule.x * em)}" y="${number(y + rule.y * em)}" width="${number(rule.width * em)}" height="1" fill="${color}" opacity="${TABLE.lineOpacity}"/>`,
    );
    const visible = laid.words.filter((word) => {
      const [baseline, size] = [y + word.y * em, word.style.size * em];
      return baseline > seen.y - size / 2 && baseline - size < seen.y + seen.height;
    });
    return [...rules, ...joined(visible).map((word) => this.#word(word, em, x, y))].join('');
  }

  #word({ word, style, x: dx, y: dy }: PlacedWord, em: number, x0: number, y0: number): string {
    const size = style.size * em;
    const [x, y, width] = [x0 + dx * em, y0 + dy * em, word.width * size];
    const bar = (at: { readonly y: number; readonly height: number }, opacity = 1): string =>
      `<rect x="${number(x)}" y="${number(y + at.y * size)}" width="${number(width)}" height="${number(at.height * size)}" fill="${style.color}"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`;
    this.#glyphs += word.count;
    let drawn: string;
    if (size * this.#scale < READABLE_PX || this.#glyphs > MAX_GLYPHS) {
      if (this.#bars++ > MAX_BARS) return '';
      drawn = bar({ y: -BAR.height, height: BAR.height }, BAR.opacity);
    } else {
      let at = x;
      drawn = word
        .segments()
        .map((segment) => {
          const found = segmentSvg(segment, style, at, y, size);
          at += segment.width * size;
          return found;
        })
        .join('');
    }
    if (style.isStruck) drawn += bar(STRIKE);
    if (style.isUnderlined) drawn += bar(UNDERLINE);
    return style.opacity === 1 ? drawn : `<g opacity="${style.opacity}">${drawn}</g>`;
  }
}

const segmentSvg = (segment: Segment, style: PlacedWord['style'], x: number, y: number, size: number): string => {
  const slant = style.isItalic ? SLANT : 0;
  if (segment.kind === 'system')
    return `<text x="${number(x)}" y="${number(y)}" font-family="system-ui, 'Noto Sans', sans-serif" font-weight="${style.weight >= 600 ? 'bold' : 'normal'}"${style.isItalic ? ' font-style="italic"' : ''} font-size="${number(size)}" fill="${style.color}" xml:space="preserve">${escaped(segment.text)}</text>`;
  const scale = size / segment.unitsPerEm;
  const place = `transform="matrix(${scale.toFixed(6)} 0 ${(-slant * scale).toFixed(6)} ${(-scale).toFixed(6)} ${number(x)} ${number(y)})"`;
  if (segment.kind === 'emoji')
    return `<g ${place}>${segment.layers.map(({ d, color }) => `<path fill="${color}" d="${d}"/>`).join('')}</g>`;
  return segment.d === '' ? '' : `<path ${place} fill="${style.color}" d="${segment.d}"/>`;
};

const isSystem = ({ word }: PlacedWord): boolean => word.segments().every(({ kind }) => kind === 'system');

/**
 * Joins neighbouring words of a line that fonts of the system draw, so that the system orders the words of a line that
 * is read from right to left.
 */
const joined = (words: readonly PlacedWord[]): PlacedWord[] => {
  const result: PlacedWord[] = [];
  for (const placed of words) {
    const last = result.at(-1);
    if (
      !last ||
      last.y !== placed.y ||
      last.style !== placed.style ||
      placed.x < last.x ||
      !isRightToLeft(placed) ||
      !isRightToLeft(last)
    ) {
      result.push(placed);
      continue;
    }
    const text = `${last.word.text} ${placed.word.text}`;
    const width = (placed.x - last.x) / placed.style.size + placed.word.width;
    const segments = [{ kind: 'system', text, width } as const];
    const word = { text, width, count: last.word.count + placed.word.count, segments: () => segments };
    result[result.length - 1] = { ...last, word };
  }
  return result;
};

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const isRightToLeft = (placed: PlacedWord): boolean => RIGHT_TO_LEFT.test(placed.word.text) && isSystem(placed);
