/**
 * Declaration of every type of widget: the config fields that a client may send and the defaults that the server adds,
 * the data of the page, the order of the fields in the form of the admin window, and the texts of the documents.
 */
import type { z } from 'zod';
import {
  address,
  categories,
  choice,
  code,
  color,
  type Fields,
  flag,
  locale,
  longText,
  number,
  pageAddress,
  picture,
  pictures,
  sourceWidget,
  text,
  theme,
  zone,
} from '../config-fields.ts';

interface Traits {
  /** Whether people touch the widget, so that it must not be reloaded while they use it. */
  readonly touched?: boolean;
  /** Whether the widget is a strip, wide and low. The admin window then begins with a preview of this shape. */
  readonly strip?: boolean;
}
const widget = <C extends Fields, L extends Fields>(
  content: C,
  look: L,
  { touched = false, strip = false }: Traits = {},
) => ({
  content,
  look,
  touched,
  strip,
});

/** Text size in pixels on a screen with 1080 lines; absent: the page chooses the size. */
const pixels = () => number(4, 1000, { unit: 'px' });
const look = { theme: theme(), background: color(), color: color(), font_size: pixels() };
const feed = { feed_url: address(), max_items: number(1, 50, { fallback: 12, whole: true }) };
/** Speed as a number of seconds. In this time, the text moves by the width of a screen, or by the height of a board. */
const speed = (fallback: number) => number(1, 600, { unit: 's', fallback });

export const widgetTypes = {
  clock: widget(
    {
      format: choice(['24h', '12h']),
      timezone: zone(),
      show_seconds: flag(false),
      show_date: flag(true),
      date_format: choice(['long', 'medium', 'short'], 'long'),
      date_position: choice(['below', 'above', 'left', 'right'], 'below'),
      locale: locale(),
    },
    { ...look, date_color: color(), date_font_size: pixels() },
  ),
  weather: widget(
    {
      location: text(),
      latitude: number(-90, 90, { unit: '°', digits: 4 }),
      longitude: number(-180, 180, { unit: '°', digits: 4 }),
      units: choice(['metric', 'imperial'], 'metric'),
      /** Number of forecast days after today; 0: today only. */
      days: number(0, 7, { fallback: 5, whole: true }),
      show_location: flag(true),
      locale: locale(),
    },
    look,
  ),
  rss: widget({ ...feed, scroll_speed: speed(20), locale: locale() }, look, { strip: true }),
  text: widget(
    { html: longText(), overflow: choice(['fit', 'scroll', 'clip'], 'fit') },
    { theme: theme(), background: color(), css: code() },
  ),
  webpage: widget(
    {
      url: pageAddress(),
      zoom: number(10, 500, { unit: '%', fallback: 100 }),
      /** Seconds between reloads; 0: never. */
      refresh_interval: number(0, 86_400, { unit: 's', fallback: 0 }),
    },
    {},
  ),
  social: widget({ ...feed, show_images: flag(true), scroll_speed: speed(30), locale: locale() }, look),
  'directory-board': widget(
    {
      title: text(),
      footer_text: text(),
      categories: categories(),
      columns: number(1, 8, { whole: true }),
      scroll_speed: speed(30),
    },
    { ...look, logo_url: picture(), background_images: pictures(20) },
  ),
  'directory-search': widget(
    {
      title: text(),
      placeholder_text: text('Search'),
      show_onscreen_keyboard: flag(true),
      source_widget_id: sourceWidget(),
      categories: categories(),
    },
    { ...look, logo_url: picture() },
    { touched: true },
  ),
};

type Types = typeof widgetTypes;
export type WidgetType = keyof Types;
type FieldsOf<T extends WidgetType> = Types[T]['content'] & Types[T]['look'];
type KeyOf<T extends WidgetType> = T extends WidgetType ? keyof FieldsOf<T> & string : never;
type FieldOf<T extends WidgetType> = T extends WidgetType ? FieldsOf<T>[keyof FieldsOf<T>] : never;
/** A config field of any type. */
export type WidgetField = FieldOf<WidgetType>;
export type WidgetFieldKey = KeyOf<WidgetType>;

/** The config with all defaults filled in. */
export type WidgetSettings<T extends WidgetType = WidgetType> = T extends WidgetType
  ? { readonly type: T } & {
      readonly [K in keyof FieldsOf<T>]: FieldsOf<T>[K] extends { schema: z.ZodType }
        ? z.output<FieldsOf<T>[K]['schema']>
        : never;
    }
  : never;

export const widgetTypeNames = Object.keys(widgetTypes) as [WidgetType, ...WidgetType[]];
type Listed = readonly (readonly [WidgetFieldKey, WidgetField])[];
/** Fields of one widget type, in the order of the form. */
export const contentFields = (type: WidgetType) => Object.entries(widgetTypes[type].content) as unknown as Listed;
export const lookFields = (type: WidgetType) => Object.entries(widgetTypes[type].look) as unknown as Listed;

/**
 * Text keys of all choices of all types, for example `format.24h` or `format.auto`. A choice without a default may stay
 * `auto`.
 */
export type WidgetChoice =
  | { [T in WidgetType]: ChoicesIn<FieldsOf<T>> }[WidgetType]
  | 'theme.auto'
  | 'theme.light'
  | 'theme.dark';
type ChoicesIn<F> = {
  [K in keyof F & string]: F[K] extends {
    readonly kind: 'choice';
    readonly options: readonly (infer O extends string)[];
    readonly fallback: infer D;
  }
    ? `${K}.${O | (D extends null ? 'auto' : never)}`
    : never;
}[keyof F & string];
