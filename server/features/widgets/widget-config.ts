/** The known keys of each widget type's config, and what holds where they are absent (decisions, Widgets and kiosk pages). Defaults are not stored. */
import type { z } from 'zod';
import type { WidgetType } from '../../../shared/contract/widgets.ts';
import { address, bool, type Config, list, locale, number, objectOf, oneOf, picture, readConfig, requireBounded, text, timeZone } from './config-rules.ts';

/** Pixels of a 1080-line screen. */
const pixels = () => number(4, 1000);
/** `theme` is ours for all types: without a background, auto follows what the browser prefers. */
const look = { font_size: pixels(), color: text(), background: text(), theme: text() };

const Entry = objectOf({ identifier: text(), name: text(), subtitle: text(), available: bool() });
const Category = objectOf({ name: text(), entries: list(Entry, 5000) });
export type Category = z.output<typeof Category>;

const schemas = {
  clock: objectOf({
    format: oneOf(['12h', '24h']),
    timezone: timeZone(),
    show_date: bool(),
    show_seconds: bool(),
    locale: locale(),
    date_position: oneOf(['above', 'below', 'left', 'right']),
    date_format: oneOf(['long', 'medium', 'short']),
    date_font_size: pixels(),
    date_color: text(),
    ...look,
  }),
  weather: objectOf({
    location: text(),
    latitude: number(-90, 90),
    longitude: number(-180, 180),
    units: oneOf(['metric', 'imperial']),
    days: number(0, 7),
    show_location: bool(),
    locale: locale(),
    ...look,
  }),
  rss: objectOf({ feed_url: address(), scroll_speed: number(1, 600), max_items: number(1, 50), locale: locale(), ...look }),
  text: objectOf({ html: text(), css: text(), overflow: oneOf(['fit', 'scroll', 'clip']), background: text(), theme: text() }),
  webpage: objectOf({ url: address(), zoom: number(10, 500), refresh_interval: number(0, 86_400) }),
  social: objectOf({ feed_url: address(), max_items: number(1, 50), show_images: bool(), scroll_speed: number(1, 600), locale: locale(), ...look }),
  'directory-board': objectOf({
    title: text(),
    logo_url: picture(),
    footer_text: text(),
    background_images: list(picture(), 20),
    scroll_speed: number(1, 600),
    columns: number(1, 8),
    categories: list(Category, 500),
    ...look,
  }),
  'directory-search': objectOf({
    title: text(),
    logo_url: picture(),
    placeholder_text: text(),
    show_onscreen_keyboard: bool(),
    source_widget_id: text(),
    categories: list(Category, 500),
    ...look,
  }),
} satisfies Record<WidgetType, z.ZodType>;

type Known<T extends WidgetType> = z.output<(typeof schemas)[T]>;

/** @throws ApiError 400 naming the key that has the wrong type */
export const checkWidgetConfig = (type: WidgetType, config: Config): void => {
  requireBounded(config);
  readConfig(schemas[type], config);
};

const base = (c: { font_size?: number | undefined; color?: string | undefined; background?: string | undefined; theme?: string | undefined }) => ({
  /** Null: as large as looks good. */
  fontSize: c.font_size ?? null,
  color: c.color,
  background: c.background,
  theme: c.theme,
});

export const clockSettings = (c: Known<'clock'>) => ({
  ...base(c),
  format: c.format ?? null,
  timezone: c.timezone || null,
  showDate: c.show_date ?? true,
  showSeconds: c.show_seconds ?? false,
  locale: c.locale || null,
  datePosition: c.date_position ?? 'below',
  dateFormat: c.date_format ?? 'long',
  dateFontSize: c.date_font_size ?? null,
  dateColor: c.date_color,
});
export const weatherSettings = (c: Known<'weather'>) => ({
  ...base(c),
  location: c.location?.trim() ?? '',
  latitude: c.latitude ?? null,
  longitude: c.longitude ?? null,
  units: c.units ?? 'metric',
  days: Math.round(c.days ?? 5),
  showLocation: c.show_location ?? true,
  locale: c.locale || null,
});
export const rssSettings = (c: Known<'rss'>) => ({
  ...base(c),
  feedUrl: c.feed_url ?? '',
  scrollSpeed: c.scroll_speed ?? 20,
  maxItems: Math.round(c.max_items ?? 12),
  locale: c.locale || null,
});
export const textSettings = (c: Known<'text'>) => ({
  html: c.html ?? '',
  css: c.css ?? '',
  overflow: c.overflow ?? 'fit',
  background: c.background,
  theme: c.theme,
  color: undefined,
});
export const webpageSettings = (c: Known<'webpage'>) => ({ url: c.url?.trim() ?? '', zoom: c.zoom ?? 100, refreshInterval: c.refresh_interval ?? 0 });
export const socialSettings = (c: Known<'social'>) => ({ ...rssSettings(c), scrollSpeed: c.scroll_speed ?? 30, showImages: c.show_images ?? true });
export const boardSettings = (c: Known<'directory-board'>) => ({
  ...base(c),
  title: c.title ?? '',
  logoUrl: c.logo_url ?? '',
  footerText: c.footer_text ?? '',
  backgroundImages: (c.background_images ?? []).filter((url): url is string => Boolean(url)),
  scrollSpeed: c.scroll_speed ?? 30,
  columns: c.columns ? Math.round(c.columns) : null,
  categories: c.categories ?? [],
});
export const searchSettings = (c: Known<'directory-search'>) => ({
  ...base(c),
  title: c.title ?? '',
  logoUrl: c.logo_url ?? '',
  placeholderText: c.placeholder_text ?? 'Search',
  showKeyboard: c.show_onscreen_keyboard ?? true,
  sourceWidgetId: c.source_widget_id || null,
  categories: c.categories ?? [],
});

const makers = {
  clock: clockSettings,
  weather: weatherSettings,
  rss: rssSettings,
  text: textSettings,
  webpage: webpageSettings,
  social: socialSettings,
  'directory-board': boardSettings,
  'directory-search': searchSettings,
};
type Makers = typeof makers;
export type Settings = { [T in WidgetType]: { readonly type: T } & ReturnType<Makers[T]> }[WidgetType];
export type SettingsOf<T extends WidgetType> = Extract<Settings, { type: T }>;

/**
 * The config with all defaults filled in, complete ever after.
 * @throws ApiError 400 as `checkWidgetConfig`
 */
export const settingsOf = <T extends WidgetType>(type: T, config: Config): SettingsOf<T> => {
  const known = readConfig(schemas[type], config);
  return { type, ...(makers[type] as (c: unknown) => object)(known) } as unknown as SettingsOf<T>;
};
