/** Renders the page of a widget from its settings. Has no side effects except reading built files once. */
import {
  contentFields,
  lookFields,
  type WidgetSettings,
  type WidgetType,
  widgetTypeNames,
} from '../../../../shared/contract/content/widget-types.ts';
import { type PageContent, type PageDocument, type PageKind, pageKind, renderPage } from './document.ts';

const special: { readonly [T in WidgetType]?: Parameters<typeof pageKind>[1] } = {
  text: { inner: 'text-frame' },
  webpage: { frames: true },
};
export const widgetKinds = Object.fromEntries(
  widgetTypeNames.map((type) => [type, pageKind(type, special[type])]),
) as Readonly<Record<WidgetType, () => PageKind>>;

const titleOf = (settings: WidgetSettings): string =>
  'title' in settings && settings.title ? settings.title : settings.type;
const colorsOf = (settings: WidgetSettings): Record<string, string> => {
  const values: Readonly<Record<string, unknown>> = settings;
  const colors = [...contentFields(settings.type), ...lookFields(settings.type)].filter(
    ([, { kind }]) => kind === 'color',
  );
  return Object.fromEntries(colors.map(([key]) => [key, String(values[key])]));
};

/** Without `live`, returns the same bytes for the same settings. Players store these bytes. */
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
