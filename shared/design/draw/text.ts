/** Draws rich text: paragraphs, lists and runs, in the fonts and colours of the brand. */
import { colorIn } from '../brand.ts';
import type { Element } from '../elements.ts';
import { type Paragraph, STYLE_SIZES, type TextRun } from '../rich-text.ts';
import type { DrawContext } from './context.ts';
import { box, span } from './dom.ts';

type TextElement = Extract<Element, { type: 'text' }>;

const HEADING_WEIGHT = 700;
const BODY_WEIGHT = 450;
const BOLD_WEIGHT = 750;
const KICKER_SPACING = '0.08em';
/** Line heights by role: headings are set tighter than running text. */
const LINE_HEIGHT = { heading: 1.06, body: 1.3 };

const runOf = (run: TextRun, context: DrawContext): HTMLElement =>
  span(run.text, {
    'font-weight': run.bold ? BOLD_WEIGHT : undefined,
    'font-style': run.italic ? 'italic' : undefined,
    'text-decoration':
      [run.underline && 'underline', run.strike && 'line-through'].filter(Boolean).join(' ') || undefined,
    color: run.color && colorIn(context.palette, run.color),
    'white-space': 'pre-wrap',
  });

/** Marker of a list item: a bullet, or the number of the item within its list. */
const markerOf = (paragraph: Paragraph, number: number): string => (paragraph.list === 'bullet' ? '•' : `${number}.`);

/** Returns the paragraphs, with sizes relative to the font size of the parent (the size of a title). */
export const paragraphsOf = (element: TextElement, context: DrawContext): HTMLElement[] => {
  let number = 0;
  return element.text.map((paragraph, i) => {
    number = paragraph.list === 'number' ? number + 1 : 0;
    const { size, before, font } = STYLE_SIZES[paragraph.style];
    const role = element.font ?? font;
    const runs = paragraph.runs.map((run) => runOf(run, context));
    // An empty paragraph keeps its height, so that people can separate lines by an empty line.
    const content = paragraph.runs.some(({ text }) => text !== '') ? runs : [span('\u200b')];
    return box(
      {
        'font-size': `${size}em`,
        'margin-top': i === 0 ? undefined : `${before}em`,
        'font-family': context.fonts[role],
        'font-weight': font === 'heading' ? HEADING_WEIGHT : BODY_WEIGHT,
        'line-height': LINE_HEIGHT[role],
        'letter-spacing': paragraph.style === 'kicker' ? KICKER_SPACING : undefined,
        'text-transform': element.uppercase || paragraph.style === 'kicker' ? 'uppercase' : undefined,
        display: paragraph.list ? 'flex' : undefined,
        gap: paragraph.list ? '0.5em' : undefined,
      },
      ...(paragraph.list
        ? [span(markerOf(paragraph, number), { flex: 'none' }), box({ flex: '1' }, ...content)]
        : content),
    );
  });
};
