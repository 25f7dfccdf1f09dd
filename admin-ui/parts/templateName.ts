import type { TFunction } from 'i18next';
import type { Layout } from '../../shared/contract/layouts.ts';

const KNOWN = [
  'fullscreen',
  'split-horizontal',
  'split-vertical',
  'l-bar',
  'picture-in-picture',
  'three-columns',
  'four-quadrants',
] as const;

/** The templates that come with the server, in the person's language. */
export const templateName = (
  { id, name, is_template }: Pick<Layout, 'id' | 'name' | 'is_template'>,
  t: TFunction,
): string => {
  const known = is_template === 1 ? KNOWN.find((key) => id === `template-${key}`) : undefined;
  return known ? t(`layouts.template.${known}`) : name;
};
