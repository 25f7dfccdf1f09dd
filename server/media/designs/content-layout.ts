/** Prepares the text of each type of element for layout: the same words, sizes and weights as on screens. */
import { colorIn, type Palette } from '../../../shared/design/brand.ts';
import { COUNTDOWN, type CountdownContent, SECOND_LINE } from '../../../shared/design/draw/clock-text.ts';
import { priceLines, RAISED } from '../../../shared/design/draw/price.ts';
import { cellText, hasLineAbove, TABLE } from '../../../shared/design/draw/table-style.ts';
import {
  COLUMN_GAP,
  FITTED_LINE_HEIGHT,
  HEADING_WEIGHT,
  MARKER_GAP,
  paragraphLooks,
  weightOf,
} from '../../../shared/design/draw/text-style.ts';
import type { Element } from '../../../shared/design/elements.ts';
import {
  type Align,
  alignedAt,
  type Block,
  blockLayouter,
  columnsLayouter,
  type Laid,
  type Layouter,
  type Run,
  type RunStyle,
} from './flow.ts';
import type { Shaper } from './shaper.ts';

type Of<T extends Element['type']> = Extract<Element, { type: T }>;

export interface TextContext {
  readonly shaper: Shaper;
  readonly palette: Palette;
  /** Families by role. */
  readonly families: { readonly heading: string; readonly body: string };
  readonly locale: string;
}

interface Textual {
  readonly color: string;
  readonly font: 'heading' | 'body' | null;
}

/** Returns the style of text that has no style of its own. @param role font role where the element has none */
const baseStyle = (
  { color, font }: Textual,
  { palette, families }: TextContext,
  role: 'heading' | 'body' = 'heading',
): RunStyle => ({
  family: families[font ?? role],
  weight: HEADING_WEIGHT,
  isTabular: false,
  spacing: 0,
  size: 1,
  color: colorIn(palette, color as never),
  ...{ isItalic: false, isUnderlined: false, isStruck: false, raise: 0, opacity: 1 },
});

/** Returns a block of one run. Its line height is relative to the size of the run. */
const blockOf = (run: Run, align: Align, more: Partial<Block> = {}): Block => ({
  runs: [run],
  before: 0,
  lineHeight: FITTED_LINE_HEIGHT * run.size,
  isNowrap: false,
  align,
  ...more,
});

/** Collapses white space as browsers do outside of paragraphs. */
const collapsed = (text: string): string => text.replace(/[ \t\n\r]+/g, ' ').trim();

/** A text of one style. Lines after the first are smaller. */
export const plainLayouter = (
  lines: readonly string[],
  element: Textual & { readonly align: Align },
  context: TextContext,
  isNowrap = false,
): Layouter => {
  const style = baseStyle(element, context);
  const blocks = lines.map((line, i) => {
    const look = i === 0 ? {} : SECOND_LINE;
    return blockOf({ ...style, ...look, text: collapsed(line) }, element.align, { isNowrap });
  });
  return blockLayouter(blocks, context.shaper);
};

export const textLayouter = (element: Of<'text'>, context: TextContext): Layouter => {
  const base = baseStyle(element, context);
  const blocks = paragraphLooks(element).map((look): Block => {
    const family = context.families[look.role];
    const cased = (text: string) => (look.isUppercase ? text.toLocaleUpperCase(context.locale) : text);
    const style = { ...base, family, weight: look.weight, size: look.size, spacing: look.spacing };
    const runs = look.runs.map(
      (run): Run => ({
        ...style,
        text: cased(run.text),
        weight: weightOf(run) ?? look.weight,
        color: run.color ? colorIn(context.palette, run.color) : base.color,
        isItalic: run.italic === true,
        isUnderlined: run.underline === true,
        isStruck: run.strike === true,
      }),
    );
    return {
      runs,
      before: look.before * look.size,
      lineHeight: look.lineHeight * look.size,
      isNowrap: false,
      align: element.align,
      marker: look.marker === null ? undefined : { run: { ...style, text: look.marker }, gap: MARKER_GAP * look.size },
    };
  });
  const layout = blockLayouter(blocks, context.shaper);
  return element.columns > 1 ? columnsLayouter(layout, element.columns, COLUMN_GAP) : layout;
};

export const priceLayouter = (element: Of<'price'>, context: TextContext): Layouter => {
  const base = baseStyle(element, context);
  const blocks = priceLines(element, context.locale).map((line): Block => {
    const style = {
      ...base,
      size: line.size,
      weight: line.weight ?? base.weight,
      isTabular: line.size === 1,
      isStruck: line.isStruck,
      opacity: line.opacity ?? 1,
    };
    return {
      runs: line.parts.map(({ text, isRaised }) => {
        const size = isRaised ? line.size * RAISED.size : line.size;
        return { ...style, text, size, raise: isRaised ? RAISED.shift * size : 0 };
      }),
      before: 0,
      lineHeight: line.lineHeight * line.size,
      isNowrap: true,
      align: element.align,
    };
  });
  return blockLayouter(blocks, context.shaper);
};

/** Moves laid text. */
const moved = ({ words }: Laid, dx: number, dy: number) =>
  words.map((word) => ({ ...word, x: word.x + dx, y: word.y + dy }));

export const countdownLayouter = (
  content: CountdownContent,
  element: Of<'countdown'>,
  context: TextContext,
): Layouter => {
  if (typeof content === 'string') return plainLayouter([content], element, context);
  const base = { ...baseStyle(element, context), isTabular: true };
  const unit = { ...base, size: COUNTDOWN.unitSize, weight: COUNTDOWN.unitWeight };
  const groups = content.map(([number, name]) =>
    blockLayouter(
      [blockOf({ ...base, text: number }, 'center'), blockOf({ ...unit, text: name }, 'center')],
      context.shaper,
    ),
  );
  // Each group is as wide as its widest line.
  const widths = groups.map((group) => group(1_000, 1, false).width);
  const laid = groups.map((group, i) => group(widths[i]!, 1, false));
  const total = widths.reduce((sum, width) => sum + width, 0) + COUNTDOWN.gap * (groups.length - 1);
  return (width) => {
    let x = alignedAt(element.align, width - total);
    const words = laid.flatMap((group, i) => {
      const found = moved(group, x, 0);
      x += widths[i]! + COUNTDOWN.gap;
      return found;
    });
    return {
      width: total,
      height: Math.max(...laid.map(({ height }) => height)),
      bottom: Math.max(...laid.map(({ bottom }) => bottom)),
      words,
      rules: [],
    };
  };
};

/** A cell of a table at its column. */
interface Cell {
  readonly column: number;
  readonly layout: Layouter;
}
interface Row {
  readonly cells: readonly Cell[];
  /** Whether the only cell spans all columns. */
  readonly isHeading: boolean;
  readonly hasLine: boolean;
  readonly before: number;
}

/** Space of half an em, as wide as the space before a note on screens. */
const EN_SPACE = '\u2002';

/** Width that no text exceeds, in em: cells that do not break are measured in it. */
const ENDLESS = 1e6;

const rowsOf = (element: Of<'table'>, context: TextContext): Row[] => {
  const { columns, rows } = element;
  const base = { ...baseStyle(element, context, 'body'), weight: TABLE.weight };
  const small = { ...base, size: TABLE.noteSize, opacity: TABLE.noteOpacity };
  const layoutOf = (blocks: readonly Block[]) => blockLayouter(blocks, context.shaper);
  const titles: Row = {
    ...{ isHeading: false, hasLine: false, before: 0 },
    cells: columns.map(({ title, align }, column) => {
      const text = collapsed(title.toLocaleUpperCase(context.locale));
      return { column, layout: layoutOf([blockOf({ ...small, spacing: TABLE.titleSpacing, text }, align)]) };
    }),
  };
  const found = rows.map((row, i): Row => {
    if (row.heading) {
      const style = { ...base, family: context.families.heading, weight: HEADING_WEIGHT };
      const text = collapsed(row.cells[0] ?? '');
      const layout = layoutOf([blockOf({ ...style, text }, element.align)]);
      return {
        cells: [{ column: 0, layout }],
        isHeading: true,
        hasLine: false,
        before: i === 0 ? 0 : TABLE.headingGap,
      };
    }
    const cells = columns.map(({ align, kind }, column): Cell => {
      const isPrice = kind === 'price';
      const text = collapsed(cellText(element, row, column, context.locale));
      const block = blockOf({ ...base, isTabular: isPrice, text }, align, { isNowrap: isPrice });
      const note = column === 0 ? collapsed(row.note) : '';
      // A note follows the text on the same line, after a space and half its size.
      const runs = [
        ...block.runs,
        ...(note === ''
          ? []
          : [
              { ...base, text: ' ' },
              { ...small, weight: TABLE.noteWeight, text: `${EN_SPACE}${note}` },
            ]),
      ];
      // A cell without text has no height.
      return { column, layout: layoutOf(runs.every((run) => run.text === '') ? [] : [{ ...block, runs }]) };
    });
    return { cells, isHeading: false, hasLine: hasLineAbove(element, i), before: 0 };
  });
  return columns.some(({ title }) => title !== '') ? [titles, ...found] : found;
};

/** Returns the widths of the columns: a price column is as wide as its widest price, the others share the rest. */
const columnWidths = ({ columns }: Of<'table'>, rows: readonly Row[]): ((width: number) => number[]) => {
  const natural = columns.map(({ kind }, column) => {
    if (kind !== 'price') return 0;
    const cells = rows.filter(({ isHeading }) => !isHeading).map(({ cells }) => cells[column]!);
    return Math.max(0, ...cells.map(({ layout }) => layout(ENDLESS, 1, false).width));
  });
  const weights = columns.map(({ kind, weight }) => (kind === 'price' ? 0 : weight));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const fixed = natural.reduce((sum, width) => sum + width, 0) + TABLE.columnGap * (columns.length - 1);
  return (width) => {
    const free = Math.max(width - fixed, 0);
    if (total === 0) return natural.map((own) => own + free / columns.length);
    return natural.map((own, i) => own + (free * weights[i]!) / Math.max(total, 1));
  };
};

export const tableLayouter = (element: Of<'table'>, context: TextContext): Layouter => {
  const rows = rowsOf(element, context);
  const widthsAt = columnWidths(element, rows);
  return (width, em, breaksWords) => {
    const widths = widthsAt(width);
    const starts = widths.map((_, i) => widths.slice(0, i).reduce((sum, one) => sum + one + TABLE.columnGap, 0));
    const all = widths.reduce((sum, one) => sum + one, 0) + TABLE.columnGap * (widths.length - 1);
    const words: Laid['words'][number][] = [];
    const rules: Laid['rules'][number][] = [];
    let [y, widest, bottom] = [0, all, 0];
    rows.forEach((row, i) => {
      y += (i === 0 ? 0 : TABLE.rowGap) + row.before;
      if (row.hasLine) {
        for (const [column, own] of widths.entries()) rules.push({ x: starts[column]!, y, width: own });
        y += 1 / em + TABLE.rowGap;
      }
      let height = 0;
      for (const { column, layout } of row.cells) {
        const own = row.isHeading ? width : widths[column]!;
        const laid = layout(Math.max(own, 0.01), em, breaksWords);
        words.push(...moved(laid, starts[column]!, y));
        height = Math.max(height, laid.height);
        bottom = Math.max(bottom, y + laid.bottom);
        widest = Math.max(widest, starts[column]! + laid.width);
      }
      y += height;
    });
    return { width: widest, height: y, bottom, words, rules };
  };
};
