import type { TFunction } from 'i18next';
import {
  CalendarClock,
  CloudSun,
  Globe,
  type LucideIcon,
  MessagesSquare,
  Newspaper,
  Search,
  Type,
  Waypoints,
} from 'lucide-react';
import type { WidgetFieldKey, WidgetType } from '../../../shared/contract/content/widget-types.ts';

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

/** Screen sizes that the preview offers, in pixels. */
export const sizes = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  quarter: { width: 960, height: 540 },
  strip: { width: 1920, height: 216 },
} as const;

/** Returns the hint for a setting. A type of widget may have its own hint. */
export const hintOf = (type: WidgetType, key: WidgetFieldKey, t: TFunction): string | undefined =>
  t([`widget.hint.${type}_${key}`, `widget.hint.${key}`] as readonly string[] as ['widget.hint.html'], {
    defaultValue: '',
  }) || undefined;

/** Returns the initial settings of a new widget, so that its preview is not empty. */
export const starterOf = (type: WidgetType, t: TFunction): Record<string, unknown> => {
  switch (type) {
    case 'text':
      return { html: t('widgets.starterText') };
    case 'directory-board':
      return { title: t('widgets.starterDirectory') };
    case 'directory-search':
      return { title: t('widgets.starterSearch'), placeholder_text: t('layout.fill.search') };
    default:
      return {};
  }
};

/** Returns the text with the selected part replaced. */
export const withInserted = (text: string, added: string, { from, to }: { from: number; to: number }): string =>
  text.slice(0, from) + added + text.slice(to);
