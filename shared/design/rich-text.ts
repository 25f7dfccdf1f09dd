/** Text of a design: paragraphs of runs. Plain data, never markup. */
import { z } from 'zod';
import { Color } from './fills.ts';

/** Characters of all runs of a text. A longer text is a document, not a screen. */
export const MAX_TEXT = 5_000;
export const MAX_PARAGRAPHS = 100;
export const MAX_RUNS = 50;

/** Line breaks and tabs are permitted; other control characters are refused. */
const RunText = z
  .string()
  .max(MAX_TEXT)
  .regex(/^[\P{Cc}\n\t]*$/u, 'must not contain control characters');

export const TextRun = z.object({
  text: RunText,
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  underline: z.boolean().optional(),
  strike: z.boolean().optional(),
  color: Color.optional(),
});
export type TextRun = z.infer<typeof TextRun>;

/** Sizes of paragraphs relative to the size of the text element. Templates use names, so that a style stays a style. */
export const PARAGRAPH_STYLES = ['kicker', 'title', 'heading', 'body', 'small'] as const;
export const ParagraphStyle = z.enum(PARAGRAPH_STYLES);
export type ParagraphStyle = z.infer<typeof ParagraphStyle>;

/** Size and weight of each style: size relative to the element's size, space before in lines, font role. */
export const STYLE_SIZES: Readonly<
  Record<ParagraphStyle, { readonly size: number; readonly before: number; readonly font: 'heading' | 'body' }>
> = {
  kicker: { size: 0.37, before: 0, font: 'body' },
  title: { size: 1, before: 0.1, font: 'heading' },
  heading: { size: 0.6, before: 0.35, font: 'heading' },
  body: { size: 0.42, before: 0.35, font: 'body' },
  small: { size: 0.28, before: 0.4, font: 'body' },
};

export const Paragraph = z.object({
  style: ParagraphStyle,
  list: z.enum(['bullet', 'number']).nullable(),
  runs: z.array(TextRun).max(MAX_RUNS, `must have at most ${MAX_RUNS} runs`),
});
export type Paragraph = z.infer<typeof Paragraph>;

export const RichText = z
  .array(Paragraph)
  .max(MAX_PARAGRAPHS, `must have at most ${MAX_PARAGRAPHS} paragraphs`)
  .refine((paragraphs) => plainText(paragraphs).length <= MAX_TEXT, `must have at most ${MAX_TEXT} characters`);
export type RichText = z.infer<typeof RichText>;

/** Returns the text without styles, one line per paragraph. */
export const plainText = (paragraphs: readonly Paragraph[]): string =>
  paragraphs.map(({ runs }) => runs.map(({ text }) => text).join('')).join('\n');

/** Returns a text of one style, one paragraph per line. */
export const textOf = (text: string, style: ParagraphStyle = 'title'): Paragraph[] =>
  text.split('\n').map((line) => ({ style, list: null, runs: [{ text: line }] }));
