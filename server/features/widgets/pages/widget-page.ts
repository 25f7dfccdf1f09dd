/** From a widget's settings to its page. Pure but for reading our own files once. */
import type { WidgetType } from '../../../../shared/contract/widgets.ts';
import type { Settings } from '../widget-config.ts';
import { PAGES, type PageContent, type PageDocument, type PageKind, pageKind, renderPage } from './document.ts';

export const widgetKinds: Readonly<Record<WidgetType, () => PageKind>> = {
  clock: pageKind(PAGES, 'clock'),
  weather: pageKind(PAGES, 'weather'),
  rss: pageKind(PAGES, 'rss'),
  text: pageKind(PAGES, 'text', { inner: 'text-inner.js' }),
  webpage: pageKind(PAGES, 'webpage', { frames: true }),
  social: pageKind(PAGES, 'social'),
  'directory-board': pageKind(PAGES, 'directory-board'),
  'directory-search': pageKind(PAGES, 'directory-search'),
};

const lookOf = (settings: Settings) => (settings.type === 'webpage' ? {} : { background: settings.background, color: settings.color, theme: settings.theme });
const titleOf = (settings: Settings): string => ('title' in settings && settings.title ? settings.title : settings.type);

/** Without `live` the same bytes for the same settings: what players keep. */
export const widgetPage = (settings: Settings, live?: PageContent['live']): PageDocument =>
  renderPage({
    kind: widgetKinds[settings.type](),
    title: titleOf(settings),
    locale: 'locale' in settings ? settings.locale : null,
    look: lookOf(settings),
    ...(settings.type === 'clock' && { colors: { 'date-color': settings.dateColor } }),
    settings,
    ...(live && { live }),
  });
