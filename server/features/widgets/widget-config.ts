/** Configs as they are stored, checked and made complete by what `shared/contract/widget-types.ts` declares. */
import type { z } from 'zod';
import { objectOf } from '../../../shared/contract/config-fields.ts';
import {
  type WidgetSettings,
  type WidgetType,
  widgetTypeNames,
  widgetTypes,
} from '../../../shared/contract/widget-types.ts';
import { type Config, readConfig, requireBounded } from './config-rules.ts';

const schemaOf = (type: WidgetType): z.ZodType => objectOf({ ...widgetTypes[type].content, ...widgetTypes[type].look });
const schemas = new Map(widgetTypeNames.map((type) => [type, schemaOf(type)]));

/**
 * The config with all defaults filled in, without what is not known.
 * @throws ApiError 400 naming the key that has the wrong type
 */
export const settingsOf = <T extends WidgetType>(type: T, config: Config): WidgetSettings<T> =>
  ({ type, ...(readConfig(schemas.get(type)!, config) as object) }) as WidgetSettings<T>;

/** @throws ApiError 400 naming the key that has the wrong type, or when it is too large or too deep */
export const checkWidgetConfig = (type: WidgetType, config: Config): void => {
  requireBounded(config);
  settingsOf(type, config);
};
