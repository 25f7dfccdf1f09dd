/**
 * Lays text out in lines like a browser: blocks of runs, line breaks (UAX #14), alignment, and the largest size at which
 * everything fits. Lengths are in em of the element's size, so that one layout serves all sizes.
 */
import LineBreaker from 'linebreak';
import { ROUNDING_PX, SMALLEST, STEPS } from '../../../shared/design/draw/fit-text.ts';
import type { FontStyle, Shaper, Word } from './shaper.ts';

export type Align = 'start' | 'center' | 'end';

export interface RunStyle extends FontStyle {
  /** Size in em of the element. */
  readonly size: number;
  readonly color: string;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
  /** Distance above the baseline, in em of the element. */
  readonly raise: number;
  readonly opacity: number;
}

export interface Run extends RunStyle {
  readonly text: string;
}

export interface Block {
  readonly runs: readonly Run[];
  /** Space above, in em of the element. */
  readonly before: number;
  /** Line height, in em of the element. */
  readonly lineHeight: number;
  /** Whether the text has one line, whatever its length. */
  readonly isNowrap: boolean;
  readonly align: Align;
  /** Marker of a list item, and its distance from the text in em of the element. */
  readonly marker?: { readonly run: Run; readonly gap: number } | undefined;
}

/** A word at its place. `y` is the baseline. */
export interface PlacedWord {
  readonly word: Word;
  readonly style: RunStyle;
  readonly x: number;
  readonly y: number;
}

interface Rule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Text that is laid out. `width` is the width of the widest line, which may be more than was available. */
export interface Laid {
  readonly width: number;
  readonly height: number;
  /** Lower end of the descenders of the lowest line, which counts for browsers when they decide whether text fits. */
  readonly bottom: number;
  readonly words: readonly PlacedWord[];
  /** Thin horizontal lines. */
  readonly rules: readonly Rule[];
}

/** Lays out content of an element. @param em pixels per em @param breaksWords whether words may be broken */
export type Layouter = (width: number, em: number, breaksWords: boolean) => Laid;

interface Item {
  readonly word: Word;
  readonly style: RunStyle;
  /** Width of the spaces behind the word. They do not count at the end of a line. */
  readonly space: number;
  readonly canBreakAfter: boolean;
  readonly mustBreakAfter: boolean;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const isBlank = (character: string): boolean => ' \n\r\u2028\u2029'.includes(character);

/** Returns the length of a text without the spaces and line breaks at its end. */
const endOfWord = (text: string): number => {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1]!)) end--;
  return end;
};

/** Returns the words of a block with the places where lines may end. */
const itemsOf = (block: Block, shaper: Shaper): Item[] => {
  const text = block.runs.map((run) => run.text).join('');
  const breaks = new Map<number, boolean>();
  if (!block.isNowrap) {
    const breaker = new LineBreaker(text);
    for (let found = breaker.nextBreak(); found; found = breaker.nextBreak())
      breaks.set(found.position, found.required);
  }
  const items: Item[] = [];
  let at = 0;
  for (const run of block.runs) {
    const end = at + run.text.length;
    const cuts = [...breaks.keys()].filter((position) => position > at && position < end);
    for (const cut of [...cuts, end]) {
      if (cut === at) continue;
      const part = text.slice(at, cut).replaceAll('\t', '        ');
      const word = part.slice(0, endOfWord(part));
      const blanks = part.slice(word.length).replace(/[^ ]/g, '');
      const isLast = cut >= text.length;
      items.push({
        word: shaper.word(word, run),
        style: run,
        space: blanks === '' ? 0 : shaper.word(' ', run).width * run.size * blanks.length,
        canBreakAfter: breaks.has(cut),
        mustBreakAfter: breaks.get(cut) === true && (!isLast || /[\n\r]$/.test(part)),
      });
      at = cut;
    }
  }
  return items;
};

/** Divides items that are wider than a line into characters. */
const broken = (items: readonly Item[], width: number, shaper: Shaper): Item[] =>
  items.flatMap((item): Item[] => {
    if (item.word.width * item.style.size <= width) return [item];
    const parts = [...graphemes.segment(item.word.text)].map(({ segment }) => segment);
    return parts.map((part, i) => ({
      ...item,
      word: shaper.word(part, item.style),
      space: i === parts.length - 1 ? item.space : 0,
      canBreakAfter: i < parts.length - 1 || item.canBreakAfter,
      mustBreakAfter: i === parts.length - 1 && item.mustBreakAfter,
    }));
  });

const wide = ({ word, style }: Item): number => word.width * style.size;

/** Returns the items of each line. */
const linesOf = (items: readonly Item[], width: number): Item[][] => {
  const lines: Item[][] = [];
  let line: Item[] = [];
  let [used, unit, unitWidth, trailing] = [0, [] as Item[], 0, 0];
  const end = (): void => {
    lines.push(line);
    [line, used, trailing] = [[], 0, 0];
  };
  for (const item of items) {
    unit.push(item);
    // Spaces within the unit count; those behind its last word do not.
    const visible = unitWidth + wide(item);
    unitWidth = visible + item.space;
    if (!item.canBreakAfter && item !== items.at(-1)) continue;
    if (line.length > 0 && used + trailing + visible > width + 1e-6) end();
    used += trailing + visible;
    trailing = item.space;
    line.push(...unit);
    [unit, unitWidth] = [[], 0];
    if (item.mustBreakAfter) end();
  }
  if (line.length > 0 || lines.length === 0) end();
  return lines;
};

const lineWidth = (line: readonly Item[]): number =>
  line.reduce((sum, item, i) => sum + wide(item) + (i < line.length - 1 ? item.space : 0), 0);

/** Returns the distance of a line from the start. A line that is too wide begins at the start, as in browsers. */
export const alignedAt = (align: Align, free: number): number =>
  align === 'start' ? 0 : Math.max(align === 'center' ? free / 2 : free, 0);

/** Prepares blocks, so that they can be laid out at many widths. */
export const blockLayouter = (blocks: readonly Block[], shaper: Shaper): Layouter => {
  const prepared = blocks.map((block) => {
    const [first] = block.runs;
    const { ascent, descent } = shaper.metrics(first!);
    const marker = block.marker && {
      word: shaper.word(block.marker.run.text, block.marker.run),
      style: block.marker.run,
    };
    return {
      block,
      items: itemsOf(block, shaper),
      marker,
      descent: descent * first!.size,
      indent: marker ? marker.word.width * marker.style.size + block.marker!.gap : 0,
      // The text of a line is centred in its line height.
      baseline: (block.lineHeight - (ascent + descent) * first!.size) / 2 + ascent * first!.size,
    };
  });
  return (width, _em, breaksWords) => {
    const words: PlacedWord[] = [];
    let [y, widest, bottom] = [0, 0, 0];
    for (const { block, items, marker, indent, baseline, descent } of prepared) {
      y += block.before;
      const room = Math.max(width - indent, 0.01);
      const lines = linesOf(
        breaksWords ? broken(items, room, shaper) : items,
        block.isNowrap ? Number.POSITIVE_INFINITY : room,
      );
      if (marker) words.push({ ...marker, x: 0, y: y + baseline });
      for (const line of lines) {
        const used = lineWidth(line);
        widest = Math.max(widest, indent + used);
        let x = indent + alignedAt(block.align, room - used);
        for (const item of line) {
          if (item.word.text !== '')
            words.push({ word: item.word, style: item.style, x, y: y + baseline - item.style.raise });
          x += wide(item) + item.space;
        }
        bottom = y + baseline + descent;
        y += block.lineHeight;
      }
    }
    return { width: widest, height: y, bottom, words, rules: [] };
  };
};

/**
 * Distributes text over columns of equal height. A line is never divided.
 * @param gap space between columns, in em
 */
export const columnsLayouter =
  (inner: Layouter, count: number, gap: number): Layouter =>
  (width, em, breaksWords) => {
    const column = Math.max((width - gap * (count - 1)) / count, 0.01);
    const laid = inner(column, em, breaksWords);
    const lines = [...new Set(laid.words.map(({ y }) => y))].sort((a, b) => a - b);
    const perColumn = Math.max(Math.ceil(lines.length / count), 1);
    const starts = Array.from({ length: count }, (_, i) => lines[i * perColumn]);
    const [first = 0] = lines;
    const words = laid.words.map((placed) => {
      const i = Math.floor(lines.indexOf(placed.y) / perColumn);
      return { ...placed, x: placed.x + i * (column + gap), y: placed.y - starts[i]! + first };
    });
    const ends = starts.map((start, i) => (start === undefined ? 0 : (starts[i + 1] ?? laid.height + first) - start));
    return {
      ...laid,
      width: laid.width > column ? width + laid.width - column : laid.width,
      height: Math.max(...ends, 0),
      bottom: 0,
      words,
    };
  };

export interface Fitted {
  /** Pixels per em. */
  readonly em: number;
  readonly laid: Laid;
}

/**
 * Returns the largest size up to `wanted` at which the content fits, in the same steps as on screens
 * (shared/design/draw/fit-text.ts).
 * @param area pixels @param wanted pixels per em
 */
export const fitted = (layout: Layouter, area: { width: number; height: number }, wanted: number): Fitted => {
  const at = (em: number, breaksWords = false): Fitted => ({ em, laid: layout(area.width / em, em, breaksWords) });
  const fits = ({ em, laid }: Fitted): boolean =>
    Math.max(laid.height, laid.bottom) * em <= area.height + ROUNDING_PX && laid.width * em <= area.width + ROUNDING_PX;
  const largest = at(wanted);
  if (fits(largest)) return largest;
  let best = at(wanted * SMALLEST);
  if (!fits(best)) return at(wanted * SMALLEST, true);
  let [low, high] = [wanted * SMALLEST, wanted];
  for (let step = 0; step < STEPS; step++) {
    const middle = at((low + high) / 2);
    if (fits(middle)) [low, best] = [middle.em, middle];
    else high = middle.em;
  }
  return best;
};
