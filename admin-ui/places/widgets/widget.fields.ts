/** What can be set of each type of widget (server/features/widgets/widget-config.ts), in the order in which people think of it. */
import type { WidgetType } from '../../../shared/contract/widgets.ts';

export type FieldKey =
  | 'background'
  | 'color'
  | 'columns'
  | 'css'
  | 'date_color'
  | 'date_font_size'
  | 'date_format'
  | 'date_position'
  | 'days'
  | 'feed_url'
  | 'font_size'
  | 'footer_text'
  | 'format'
  | 'html'
  | 'latitude'
  | 'locale'
  | 'location'
  | 'logo_url'
  | 'longitude'
  | 'max_items'
  | 'overflow'
  | 'placeholder_text'
  | 'refresh_interval'
  | 'scroll_speed'
  | 'show_date'
  | 'show_images'
  | 'show_location'
  | 'show_onscreen_keyboard'
  | 'show_seconds'
  | 'theme'
  | 'timezone'
  | 'title'
  | 'units'
  | 'url'
  | 'zoom';

export type ChoiceKey = 'date_format' | 'date_position' | 'format' | 'locale' | 'overflow' | 'theme' | 'units';

export type Field =
  | { readonly kind: 'text' | 'long' | 'code' | 'address' | 'color' | 'zone'; readonly key: FieldKey }
  | {
      readonly kind: 'number';
      readonly key: FieldKey;
      readonly min: number;
      readonly max: number;
      readonly unit?: 'px' | 's' | '%' | '°';
      readonly digits?: number;
      readonly fallback?: number;
    }
  | { readonly kind: 'switch'; readonly key: FieldKey; readonly fallback: boolean }
  /** '' among the options: as the screen's language or look has it. */
  | { readonly kind: 'choice'; readonly key: ChoiceKey; readonly options: readonly string[]; readonly fallback: string }
  | { readonly kind: 'background_images' | 'categories' | 'source_widget' | 'kiosk_page' };

export type Fields = { readonly content: readonly Field[]; readonly look: readonly Field[] };

const theme: Field = { kind: 'choice', key: 'theme', options: ['', 'light', 'dark'], fallback: '' };
const background: Field = { kind: 'color', key: 'background' };
const fontSize: Field = { kind: 'number', key: 'font_size', min: 4, max: 1000, unit: 'px' };
const look: readonly Field[] = [theme, background, { kind: 'color', key: 'color' }, fontSize];
const locale: Field = { kind: 'choice', key: 'locale', options: ['', 'en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pt-PT', 'pl-PL'], fallback: '' };
const scroll = (fallback: number): Field => ({ kind: 'number', key: 'scroll_speed', min: 1, max: 600, unit: 's', fallback });
const maxItems: Field = { kind: 'number', key: 'max_items', min: 1, max: 50, fallback: 12 };

export const fieldsOf: Readonly<Record<WidgetType, Fields>> = {
  clock: {
    content: [
      { kind: 'choice', key: 'format', options: ['', '24h', '12h'], fallback: '' },
      { kind: 'zone', key: 'timezone' },
      { kind: 'switch', key: 'show_seconds', fallback: false },
      { kind: 'switch', key: 'show_date', fallback: true },
      { kind: 'choice', key: 'date_format', options: ['long', 'medium', 'short'], fallback: 'long' },
      { kind: 'choice', key: 'date_position', options: ['below', 'above', 'left', 'right'], fallback: 'below' },
      locale,
    ],
    look: [...look, { kind: 'color', key: 'date_color' }, { kind: 'number', key: 'date_font_size', min: 4, max: 1000, unit: 'px' }],
  },
  weather: {
    content: [
      { kind: 'text', key: 'location' },
      { kind: 'number', key: 'latitude', min: -90, max: 90, unit: '°', digits: 4 },
      { kind: 'number', key: 'longitude', min: -180, max: 180, unit: '°', digits: 4 },
      { kind: 'choice', key: 'units', options: ['metric', 'imperial'], fallback: 'metric' },
      { kind: 'number', key: 'days', min: 0, max: 7, fallback: 5 },
      { kind: 'switch', key: 'show_location', fallback: true },
      locale,
    ],
    look,
  },
  rss: { content: [{ kind: 'address', key: 'feed_url' }, maxItems, scroll(20), locale], look },
  text: {
    content: [
      { kind: 'long', key: 'html' },
      { kind: 'choice', key: 'overflow', options: ['fit', 'scroll', 'clip'], fallback: 'fit' },
    ],
    look: [theme, background, { kind: 'code', key: 'css' }],
  },
  webpage: {
    content: [
      { kind: 'kiosk_page' },
      { kind: 'address', key: 'url' },
      { kind: 'number', key: 'zoom', min: 10, max: 500, unit: '%', fallback: 100 },
      { kind: 'number', key: 'refresh_interval', min: 0, max: 86_400, unit: 's', fallback: 0 },
    ],
    look: [],
  },
  social: { content: [{ kind: 'address', key: 'feed_url' }, maxItems, { kind: 'switch', key: 'show_images', fallback: true }, scroll(30), locale], look },
  'directory-board': {
    content: [{ kind: 'text', key: 'title' }, { kind: 'text', key: 'footer_text' }, { kind: 'categories' }, { kind: 'number', key: 'columns', min: 1, max: 8 }, scroll(30)],
    look: [...look, { kind: 'address', key: 'logo_url' }, { kind: 'background_images' }],
  },
  'directory-search': {
    content: [
      { kind: 'text', key: 'title' },
      { kind: 'text', key: 'placeholder_text' },
      { kind: 'switch', key: 'show_onscreen_keyboard', fallback: true },
      { kind: 'source_widget' },
      { kind: 'categories' },
    ],
    look: [...look, { kind: 'address', key: 'logo_url' }],
  },
};

export const widgetTypes = Object.keys(fieldsOf) as readonly WidgetType[];
