import type { TFunction } from 'i18next';
import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import { createLayout, duplicateLayout, type Layout } from '../../../shared/contract/content/layouts.ts';
import { client } from '../../api/requests/client.ts';

const KNOWN = [
  'fullscreen',
  'split-horizontal',
  'split-vertical',
  'l-bar',
  'picture-in-picture',
  'three-columns',
  'four-quadrants',
] as const;

/** Name of a template of the server, in the user's language. */
export const templateName = (
  { id, name, is_template }: Pick<Layout, 'id' | 'name' | 'is_template'>,
  t: TFunction,
): string => {
  const known = is_template === 1 ? KNOWN.find((key) => id === `template-${key}`) : undefined;
  return known ? t(`layouts.template.${known}`) : name;
};

const ZONES = {
  Main: 'main',
  Side: 'side',
  Ticker: 'ticker',
  Inset: 'inset',
  Left: 'left',
  Middle: 'middle',
  Right: 'right',
  Top: 'top',
  Bottom: 'bottom',
  'Top left': 'topLeft',
  'Top right': 'topRight',
  'Bottom left': 'bottomLeft',
  'Bottom right': 'bottomRight',
} as const;

/** Returns a template with its name and zone names in the user's language. Other layouts are unchanged. */
export const layoutInWords = (layout: Layout, t: TFunction): Layout =>
  layout.is_template === 1
    ? {
        ...layout,
        name: templateName(layout, t),
        zones: layout.zones.map((zone) => {
          const known = ZONES[zone.name as keyof typeof ZONES];
          return known ? { ...zone, name: t(`layouts.zone.${known}`) } : zone;
        }),
      }
    : layout;

/** Copies a layout. The copy of a template has names in the user's language. */
export const copyOfLayout = (layout: Layout, body: CopyBody, t: TFunction): Promise<Layout> => {
  if (layout.is_template !== 1) return client.call(duplicateLayout, { params: { id: layout.id }, body });
  const { name, width, height, zones } = layoutInWords(layout, t);
  return client.call(createLayout, { body: { name, width, height, zones: zones.map(({ id: _, ...zone }) => zone) } });
};
