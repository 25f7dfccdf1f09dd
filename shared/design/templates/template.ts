/**
 * Templates: what a task says (tasks.ts) in the look of a style (styles/). Every task exists in every style, so that a
 * shop keeps one look for all that it shows. Words are in the language of the workspace (words.ts).
 */
import type { Page } from '../design.ts';

export const TEMPLATE_STYLES = ['bold', 'photo', 'calm', 'playful'] as const;
export type TemplateStyle = (typeof TEMPLATE_STYLES)[number];

/** A text of up to three levels. */
export interface Words {
  readonly kicker?: string;
  readonly title: string;
  readonly body?: string;
}

export interface Price {
  readonly amount: number;
  readonly old?: number;
  readonly unit?: string;
}

/** A row of a list: a name with a note, and a value that is a price or a text such as `9:00 – 18:00`. */
export interface ListRow {
  readonly name: string;
  readonly note?: string;
  readonly value: string;
  readonly heading?: boolean;
}

export interface Card {
  readonly name: string;
  readonly note?: string;
  readonly price: Price;
}

/** What a template says, without its look. `shape` decides the composition. */
export type TemplateContent = { readonly words: Words; readonly currency: string } & (
  | {
      /** One message with a picture: an offer, an event, a job. */
      readonly shape: 'hero';
      readonly price?: Price;
      /** Text of a QR code. */
      readonly qr?: string;
      /** Local minute of the end of a countdown. */
      readonly until?: string;
    }
  | {
      /** A list in one to three tables: a menu, opening hours, a directory. */
      readonly shape: 'list';
      readonly tables: readonly (readonly ListRow[])[];
      readonly values: 'price' | 'text';
      readonly hasPicture: boolean;
    }
  /** Two or three articles side by side. */
  | { readonly shape: 'cards'; readonly cards: readonly Card[] }
  /** A few words, large: a quote, a welcome, a notice. */
  | { readonly shape: 'statement'; readonly signature?: string; readonly qr?: string }
  /** One sign that is read from far: a room, a queue, a Wi-Fi. */
  | { readonly shape: 'sign'; readonly icon: string; readonly qr?: string }
);

export interface Style {
  readonly id: TemplateStyle;
  readonly hero: (content: Extract<TemplateContent, { shape: 'hero' }>) => Page;
  readonly list: (content: Extract<TemplateContent, { shape: 'list' }>) => Page;
  readonly cards: (content: Extract<TemplateContent, { shape: 'cards' }>) => Page;
  readonly statement: (content: Extract<TemplateContent, { shape: 'statement' }>) => Page;
  readonly sign: (content: Extract<TemplateContent, { shape: 'sign' }>) => Page;
}

/** Returns the page of a content in a style. */
export const pageIn = (style: Style, content: TemplateContent): Page =>
  (style[content.shape] as (content: TemplateContent) => Page)(content);
