/**
 * Draws A4 pages with text in Inter. The font package is split into parts by script, for browsers. Each character is
 * set in the part that contains it, and only used parts are embedded in the file.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { embedByOutline, type OpenFont } from './glyphs.ts';

type Doc = PDFKit.PDFDocument;

/** Size and margins of a page in points (1/72 inch). */
export const PAGE = { width: 595.28, height: 841.89, margin: 48 } as const;
export const INNER = PAGE.width - 2 * PAGE.margin;
/** Lower end of tables. The page number is below. */
export const BOTTOM = PAGE.height - PAGE.margin - 24;

/** A part of the font, with the first and last code points of its ranges. */
interface FontPart {
  readonly name: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** Parts of the font in the order in which they are searched: the most frequent characters first. */
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'greek-ext'];
/** Replaces a character that no part of the font contains, so that readers see that a character is missing. */
const UNKNOWN = '?';

const fileOf = (file: string): string => createRequire(import.meta.url).resolve(`@fontsource-variable/inter/${file}`);

const readParts = (): FontPart[] => {
  const texts = JSON.parse(readFileSync(fileOf('unicode.json'), 'utf8')) as Record<string, string>;
  return SCRIPTS.map((name) => ({
    name,
    ranges: texts[name]!.split(',').map((range) => {
      const [first, last = first] = range.replace('U+', '').split('-');
      return [Number.parseInt(first!, 16), Number.parseInt(last!, 16)] as const;
    }),
  }));
};

export interface TextStyle {
  /**
   * Font size in points.
   * @default 9
   */
  readonly size?: number;
  /** @default ink */
  readonly color?: string;
  readonly isBold?: boolean;
  /**
   * Maximum width in points. Longer text ends in an ellipsis.
   * @default natural width
   */
  readonly width?: number;
  /** Alignment within `width`. @default left */
  readonly align?: 'left' | 'right';
  /** Sets figures for columns: all digits have the same width, and kerning is off. */
  readonly isFigure?: boolean;
}

const FIGURES = { tnum: true, kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];

/** Line height as a multiple of the font size. */
export const LEADING = 1.45;

export const INK = '#1c1a17';
export const SOFT = '#6b655c';
export const LINE = '#ddd7cc';
export const ACCENT = '#2f4bc7';
/** Colour of planned plays, drawn behind shown plays. */
export const PLANNED = '#cfd6f3';

export class Paper {
  readonly doc: Doc;
  readonly #parts = readParts();
  readonly #opened = new Set<string>();

  constructor(doc: Doc) {
    this.doc = doc;
  }

  /** Writes a line of text with its top edge at `y`. Returns the width of the text. */
  text(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { size = 9, color = INK, isBold = false, width, align = 'left', isFigure = false } = style;
    const fitted = width === undefined ? text : this.#fit(text, size, width);
    const wide = this.width(fitted, size, isFigure);
    let at = align === 'right' && width !== undefined ? x + width - wide : x;
    // The package has no bold font that can be embedded, so letters are drawn with a thin outline of their own
    // colour.
    this.doc
      .fillColor(color)
      .strokeColor(color)
      .lineWidth(size * 0.028);
    const features = isFigure ? { features: FIGURES } : {};
    for (const [part, run] of this.#runs(fitted)) {
      this.#use(part, size);
      this.doc.text(run, at, y, { lineBreak: false, fill: true, stroke: isBold, ...features });
      at += this.doc.widthOfString(run, features);
    }
    return wide;
  }

  /** Draws text in lines of at most `width`, broken at spaces. Returns the y below the last line. */
  paragraph(text: string, x: number, y: number, { width, size = 9, ...style }: TextStyle & { width: number }): number {
    const lines = this.lines(text, { width, size });
    for (const [i, line] of lines.entries()) this.text(line, x, y + i * size * LEADING, { ...style, size, width });
    return y + lines.length * size * LEADING;
  }

  /** @param style.most limit of lines; the last line has the rest of the text, and may be too long */
  lines(
    text: string,
    { width, size = 9, most = Number.POSITIVE_INFINITY }: { width: number; size?: number; most?: number },
  ): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && lines.length + 1 < most && this.width(longer, size) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return line === '' ? lines : [...lines, line];
  }

  rule(y: number, color: string = LINE): void {
    this.doc
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.margin + INNER, y)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke();
  }

  bar(x: number, y: number, width: number, height: number, color: string): void {
    if (width > 0 && height > 0) this.doc.rect(x, y, width, height).fill(color);
  }

  #use(part: string, size: number): void {
    const name = `inter-${part}`;
    if (!this.#opened.has(name)) {
      this.doc.registerFont(name, readFileSync(fileOf(`files/inter-${part}-wght-normal.woff2`)));
      this.#opened.add(name);
      this.doc.font(name, size);
      embedByOutline((this.doc as unknown as { _font: OpenFont })._font);
    } else this.doc.font(name, size);
  }

  #partOf(letter: string): string | undefined {
    const code = letter.codePointAt(0)!;
    return this.#parts.find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last))?.name;
  }

  /** Splits text into runs, each with its part of the font. */
  #runs(text: string): [part: string, run: string][] {
    const runs: [string, string][] = [];
    for (const letter of text) {
      const part = this.#partOf(letter);
      const [name, shown] = part === undefined ? ['latin', UNKNOWN] : [part, letter];
      const last = runs.at(-1);
      if (last?.[0] === name) last[1] += shown;
      else runs.push([name, shown]);
    }
    return runs;
  }

  /** Returns the width of a line of text, in points. */
  width(text: string, size: number, isFigure = false): number {
    let wide = 0;
    for (const [part, run] of this.#runs(text)) {
      this.#use(part, size);
      wide += this.doc.widthOfString(run, isFigure ? { features: FIGURES } : {});
    }
    return wide;
  }

  #fit(text: string, size: number, width: number): string {
    if (this.width(text, size) <= width) return text;
    const letters = [...text];
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.width(`${letters.slice(0, middle).join('')}…`, size) <= width) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join('').trimEnd()}…`;
  }
}
