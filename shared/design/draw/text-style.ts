/** Look of rich text: sizes, weights and markers of paragraphs and runs. Used by the DOM renderer and by thumbnails. Pure. */
import type { Element } from '../elements.ts';
import { type Paragraph, STYLE_SIZES, type TextRun } from '../rich-text.ts';

type TextElement = Extract<Element, { type: 'text' }>;

export const HEADING_WEIGHT = 700;
const BODY_WEIGHT = 450;
const BOLD_WEIGHT = 750;
/** Space between letters of a kicker, in em. */
const KICKER_SPACING = 0.08;
/** Line heights by role: headings are set tighter than running text. */
const LINE_HEIGHT = { heading: 1.06, body: 1.3 };
/** Line height of prices, clocks, countdowns and tables. */
export const FITTED_LINE_HEIGHT = 1.1;
/** Space between the marker of a list and its text, and between columns of a text, in em. */
export const MARKER_GAP = 0.5;
export const COLUMN_GAP = 0.6;

export interface ParagraphLook {
  readonly runs: readonly TextRun[];
  /** Size relative to the size of a title. */
  readonly size: number;
  /** Space above, in em of the paragraph. */
  readonly before: number;
  readonly role: 'heading' | 'body';
  readonly weight: number;
  readonly lineHeight: number;
  /** Space between letters, in em of the paragraph. */
  readonly spacing: number;
  readonly isUppercase: boolean;
  /** Marker of a list item: a bullet, or the number of the item within its list; null: no list. */
  readonly marker: string | null;
}

/** A character without width. An empty paragraph keeps its height, so that people can separate lines by an empty line. */
const EMPTY: TextRun = { text: '\u200b' };

const markerOf = (paragraph: Paragraph, number: number): string | null =>
  paragraph.list === null ? null : paragraph.list === 'bullet' ? '•' : `${number}.`;

export const paragraphLooks = (element: TextElement): ParagraphLook[] => {
  let number = 0;
  return element.text.map((paragraph, i) => {
    number = paragraph.list === 'number' ? number + 1 : 0;
    const { size, before, font } = STYLE_SIZES[paragraph.style];
    const role = element.font ?? font;
    return {
      runs: paragraph.runs.some(({ text }) => text !== '') ? paragraph.runs : [EMPTY],
      size,
      before: i === 0 ? 0 : before,
      role,
      weight: font === 'heading' ? HEADING_WEIGHT : BODY_WEIGHT,
      lineHeight: LINE_HEIGHT[role],
      spacing: paragraph.style === 'kicker' ? KICKER_SPACING : 0,
      isUppercase: element.uppercase || paragraph.style === 'kicker',
      marker: markerOf(paragraph, number),
    };
  });
};

/** Returns the weight of a run that has one of its own. */
export const weightOf = (run: TextRun): number | undefined => (run.bold ? BOLD_WEIGHT : undefined);
