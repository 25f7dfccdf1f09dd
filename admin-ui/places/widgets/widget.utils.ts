import type { TFunction } from 'i18next';
import { CalendarClock, CloudSun, Globe, type LucideIcon, MessagesSquare, Newspaper, Search, Type, Waypoints } from 'lucide-react';
import type { WidgetType } from '../../../shared/contract/widgets.ts';
import type { ChoiceKey, FieldKey } from './widget.fields.ts';

export const iconOf: Readonly<Record<WidgetType, LucideIcon>> = {
  clock: CalendarClock,
  weather: CloudSun,
  rss: Newspaper,
  text: Type,
  webpage: Globe,
  social: MessagesSquare,
  'directory-board': Waypoints,
  'directory-search': Search,
};

/** What the preview can be looked at as. Pixels. */
export const sizes = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  quarter: { width: 960, height: 540 },
  strip: { width: 1920, height: 216 },
} as const;
export type SizeName = keyof typeof sizes;

/** Types whose size is a strip by nature are first shown as one. */
export const firstSize = (type: WidgetType): SizeName => (type === 'rss' ? 'strip' : 'landscape');

/** What an option is called; 'auto': nothing is set. */
export const choiceText = (key: ChoiceKey, option: string, t: TFunction): string => {
  switch (key) {
    case 'date_format':
      return t(`widget.choice.date_format.${option as 'long'}`);
    case 'date_position':
      return t(`widget.choice.date_position.${option as 'below'}`);
    case 'format':
      return t(`widget.choice.format.${option as 'auto'}`);
    case 'overflow':
      return t(`widget.choice.overflow.${option as 'fit'}`);
    case 'theme':
      return t(`widget.choice.theme.${option as 'auto'}`);
    case 'units':
      return t(`widget.choice.units.${option as 'metric'}`);
    case 'locale':
      // Languages name themselves.
      return option === 'auto' ? t('widget.choice.locale.auto') : (new Intl.DisplayNames([option], { type: 'language' }).of(option) ?? option);
    default:
      return key satisfies never;
  }
};

/** Settings whose name does not say it all. */
export const hintOf = (type: WidgetType, key: FieldKey, t: TFunction): string | undefined => {
  switch (key) {
    case 'html':
      return t('widget.hint.html');
    case 'css':
      return t('widget.hint.css');
    case 'feed_url':
      return type === 'social' ? t('widget.hint.socialFeed') : t('widget.hint.feed');
    case 'scroll_speed':
      return type === 'directory-board' ? t('widget.hint.boardSpeed') : t('widget.hint.scrollSpeed');
    case 'refresh_interval':
      return t('widget.hint.refresh');
    case 'location':
      return t('widget.hint.location');
    case 'latitude':
      return t('widget.hint.latitude');
    case 'font_size':
      return t('widget.hint.fontSize');
    case 'url':
      return t('widget.hint.url');
    case 'logo_url':
      return t('widget.hint.logo');
    default:
      return undefined;
  }
};

/** What a new one begins with, so that its preview shows something. */
export const starterOf = (type: WidgetType, t: TFunction): Record<string, unknown> => {
  switch (type) {
    case 'text':
      return { html: t('widgets.starterText') };
    case 'directory-board':
      return { title: t('widgets.starterDirectory') };
    case 'directory-search':
      return { title: t('widgets.starterSearch') };
    default:
      return {};
  }
};
