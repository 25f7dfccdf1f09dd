/** From a widget's settings to its page. Pure but for reading our own files once. */
import { contentFields, lookFields, type WidgetSettings, type WidgetType } from '../../../../shared/contract/widget-types.ts';
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

const titleOf = (settings: WidgetSettings): string => ('title' in settings && settings.title ? settings.title : settings.type);
const colorsOf = (settings: WidgetSettings): Record<string, string> => {
  const values: Readonly<Record<string, unknown>> = settings;
  const colors = [...contentFields(settings.type), ...lookFields(settings.type)].filter(([, { kind }]) => kind === 'color');
  return Object.fromEntries(colors.map(([key]) => [key, String(values[key])]));
};

/** Without `live` the same bytes for the same settings: what players keep. */
export const widgetPage = (settings: WidgetSettings, live?: PageContent['live']): PageDocument =>
  renderPage({
    kind: widgetKinds[settings.type](),
    title: titleOf(settings),
    locale: 'locale' in settings ? settings.locale : null,
    theme: 'theme' in settings ? settings.theme : '',
    colors: colorsOf(settings),
    settings,
    ...(live && { live }),
  });
