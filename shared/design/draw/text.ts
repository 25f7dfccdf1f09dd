/** Draws rich text: paragraphs, lists and runs, in the fonts and colours of the brand. */
import { colorIn } from '../brand.ts';
import type { Element } from '../elements.ts';
import type { TextRun } from '../rich-text.ts';
import type { DrawContext } from './context.ts';
import { box, span } from './dom.ts';
import { MARKER_GAP, paragraphLooks, weightOf } from './text-style.ts';

type TextElement = Extract<Element, { type: 'text' }>;

const runOf = (run: TextRun, context: DrawContext): HTMLElement =>
  span(run.text, {
    'font-weight': weightOf(run),
    'font-style': run.italic ? 'italic' : undefined,
    'text-decoration':
      [run.underline && 'underline', run.strike && 'line-through'].filter(Boolean).join(' ') || undefined,
    color: run.color && colorIn(context.palette, run.color),
    'white-space': 'pre-wrap',
  });

/** Returns the paragraphs, with sizes relative to the font size of the parent (the size of a title). */
export const paragraphsOf = (element: TextElement, context: DrawContext): HTMLElement[] =>
  paragraphLooks(element).map((look) => {
    const runs = look.runs.map((run) => runOf(run, context));
    const isList = look.marker !== null;
    return box(
      {
        'font-size': `${look.size}em`,
        'margin-top': look.before === 0 ? undefined : `${look.before}em`,
        'font-family': context.fonts[look.role],
        'font-weight': look.weight,
        'line-height': look.lineHeight,
        'letter-spacing': look.spacing === 0 ? undefined : `${look.spacing}em`,
        'text-transform': look.isUppercase ? 'uppercase' : undefined,
        display: isList ? 'flex' : undefined,
        gap: isList ? `${MARKER_GAP}em` : undefined,
      },
      ...(look.marker === null ? runs : [span(look.marker, { flex: 'none' }), box({ flex: '1' }, ...runs)]),
    );
  });
