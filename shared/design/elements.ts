/** Elements of a design. Each type is plain data; player, window and thumbnails draw them with the same code. */
import { z } from 'zod';
import { PlacedBox } from './box.ts';
import { Color, Fill, MediaRef } from './fills.ts';
import { RichText } from './rich-text.ts';

/** Length in units of the page (page-formats.ts): pixels of a full-HD picture. */
const Units = z.number().min(0).max(2000);
const Short = z.string().max(200);

/** Entry and exit of an element. Every animation follows the shared clock, so that neighbouring screens are in step. */
export const Animation = z.object({
  kind: z.enum(['none', 'fade', 'rise', 'wipe', 'scale', 'letters', 'lines']),
  /** Milliseconds after the page begins, or before it ends. */
  delay_ms: z.number().int().min(0).max(20_000),
  /** Duration in milliseconds. */
  ms: z.number().int().min(100).max(5_000),
});
export type Animation = z.infer<typeof Animation>;

const common = {
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 characters of a–z, 0–9 and -'),
  /** Name for people; empty: the type. */
  name: z.string().max(80).default(''),
  /** Place in every format where neither the layout nor a manual arrangement places the element. */
  place: PlacedBox,
  /** Group that is selected and moved as a whole; null: none. */
  group: z.string().max(40).nullable().default(null),
  /** Rotation in degrees, clockwise. */
  rotation: z.number().min(-180).max(180).default(0),
  opacity: z.number().min(0).max(1).default(1),
  /** Whether people with the right to fill only may change the content of this element. */
  fillable: z.boolean().default(false),
  enter: Animation.optional(),
  exit: Animation.optional(),
};

/** Area behind a text, price or table. */
const panel = {
  fill: Fill.default({ kind: 'none' }),
  /** Corner radius in units; null: the radius of the brand. */
  radius: Units.nullable().default(0),
  padding: Units.default(0),
  shadow: z.boolean().default(false),
};

const textual = {
  color: Color.default('ink'),
  /** Font role of the brand; null: by paragraph style. */
  font: z.enum(['heading', 'body']).nullable().default(null),
  align: z.enum(['start', 'center', 'end']).default('start'),
  vertical: z.enum(['top', 'middle', 'bottom']).default('middle'),
};

/** What happens to text that does not fit: `shrink` until it fits, `wrap` and overflow visibly, or `cut` with "…". */
const Overflow = z.enum(['shrink', 'wrap', 'cut']);

export const TextElement = z.object({
  type: z.literal('text'),
  ...common,
  ...panel,
  ...textual,
  text: RichText,
  /** Size of a title in units; other paragraphs are smaller (rich-text.ts). With `shrink`, the largest size. */
  size: z.number().min(8).max(1000),
  overflow: Overflow.default('shrink'),
  columns: z.number().int().min(1).max(4).default(1),
  uppercase: z.boolean().default(false),
});

export const MediaElement = z.object({
  type: z.literal('media'),
  ...common,
  media: MediaRef,
  radius: Units.nullable().default(null),
  shadow: z.boolean().default(false),
});

export const ShapeElement = z.object({
  type: z.literal('shape'),
  ...common,
  shape: z.enum(['rectangle', 'ellipse', 'line', 'arrow', 'burst', 'ribbon', 'wave']),
  fill: Fill,
  /** Width of the outline or line in units; 0: no outline. */
  stroke: Units.default(0),
  stroke_color: Color.default('ink'),
  radius: Units.nullable().default(0),
});

export const IconElement = z.object({
  type: z.literal('icon'),
  ...common,
  /** Name of a lucide icon, for example `coffee`. An unknown name draws nothing. */
  icon: z.string().regex(/^[a-z0-9-]{1,40}$/),
  color: Color.default('ink'),
});

export const QrElement = z.object({
  type: z.literal('qr'),
  ...common,
  /** Text of the code, usually an address. */
  value: z.string().max(1000),
  color: Color.default('#000000'),
  background: Color.default('#FFFFFF'),
});

export const CountdownElement = z.object({
  type: z.literal('countdown'),
  ...common,
  ...panel,
  ...textual,
  size: z.number().min(8).max(1000),
  /** Local minute `YYYY-MM-DDTHH:MM` by the clock of the screen. */
  until: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be a date and time'),
  /** `units`: days, hours and minutes; `date`: "until 24 December". */
  shows: z.enum(['units', 'date']).default('units'),
  /** Text after the end; empty: the element disappears. */
  after: Short.default(''),
});

export const ClockElement = z.object({
  type: z.literal('clock'),
  ...common,
  ...panel,
  ...textual,
  size: z.number().min(8).max(1000),
  shows: z.enum(['time', 'date', 'both']).default('time'),
});

export const PriceElement = z.object({
  type: z.literal('price'),
  ...common,
  ...panel,
  ...textual,
  size: z.number().min(8).max(1000),
  /** Amount in the currency, for example 14.5; null: empty. */
  amount: z.number().min(0).max(1e9).nullable(),
  /** ISO 4217, for example `EUR`. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code like EUR'),
  /** Former amount, shown crossed out; null: none. */
  old_amount: z.number().min(0).max(1e9).nullable().default(null),
  /** Text after the amount, for example `per kg`; empty: none. */
  unit: Short.default(''),
  /** Whether decimals are small and raised. */
  raised: z.boolean().default(true),
});

export const LogoElement = z.object({
  type: z.literal('logo'),
  ...common,
  /** Colour of the name that is shown while the brand has no logo. */
  color: Color.default('ink'),
});

export const MAX_ROWS = 200;
export const MAX_COLUMNS = 8;

export const TableElement = z.object({
  type: z.literal('table'),
  ...common,
  ...panel,
  ...textual,
  /** Largest size of a row's text in units. Rows that do not fit make all rows smaller. */
  size: z.number().min(8).max(400),
  columns: z
    .array(
      z.object({
        title: Short,
        align: z.enum(['start', 'center', 'end']),
        /** Share of the width, relative to the other columns. */
        weight: z.number().min(0.05).max(20),
        /** A price column formats numbers in the currency and never breaks a price. */
        kind: z.enum(['text', 'price']),
      }),
    )
    .min(1)
    .max(MAX_COLUMNS),
  rows: z
    .array(
      z.object({
        cells: z.array(Short).max(MAX_COLUMNS),
        /** A heading spans all columns. */
        heading: z.boolean().default(false),
        /** Second, smaller line of the first column; empty: none. */
        note: Short.default(''),
      }),
    )
    .max(MAX_ROWS, `must have at most ${MAX_ROWS} rows`),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('EUR'),
  lines: z.boolean().default(true),
});

export const WeatherElement = z.object({
  type: z.literal('weather'),
  ...common,
  ...panel,
  ...textual,
  size: z.number().min(8).max(1000),
  /** Coordinates in degrees. */
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  /** Name of the place for people. */
  place_name: Short.default(''),
});

export const Element = z.discriminatedUnion('type', [
  TextElement,
  MediaElement,
  ShapeElement,
  IconElement,
  QrElement,
  CountdownElement,
  ClockElement,
  PriceElement,
  LogoElement,
  TableElement,
  WeatherElement,
]);
export type Element = z.infer<typeof Element>;
export type ElementType = Element['type'];
