/** From a widget's settings to its page. Pure but for reading our own files once. */
import type { WidgetType } from '../../../../shared/contract/widgets.ts';
import type { Settings } from '../widget-config.ts';
import { type PageContent, type PageDocument, type PageKind, pageKind, renderPage } from './document.ts';

const folder = import.meta.dirname;
export const widgetKinds: Readonly<Record<WidgetType, () => PageKind>> = {
  clock: pageKind(folder, 'clock'),
  weather: pageKind(folder, 'weather'),
  rss: pageKind(folder, 'rss'),
  text: pageKind(folder, 'text', { inner: 'text-inner.js' }),
  webpage: pageKind(folder, 'webpage', { frames: true }),
  social: pageKind(folder, 'social'),
  'directory-board': pageKind(folder, 'directory-board'),
  'directory-search': pageKind(folder, 'directory-search'),
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
