/** Checks stored configs and fills in defaults, as declared in `shared/contract/content/widget-types.ts`. */
import type { z } from 'zod';
import { objectOf } from '../../../shared/contract/config-fields.ts';
import {
  type WidgetSettings,
  type WidgetType,
  widgetTypeNames,
  widgetTypes,
} from '../../../shared/contract/content/widget-types.ts';
import { type Config, readConfig, requireBounded } from './config-rules.ts';

const schemaOf = (type: WidgetType): z.ZodType => objectOf({ ...widgetTypes[type].content, ...widgetTypes[type].look });
const schemas = new Map(widgetTypeNames.map((type) => [type, schemaOf(type)]));

/**
 * Returns the config with all defaults and without unknown keys.
 * @throws ApiError 400 that names the key with a wrong type
 */
export const settingsOf = <T extends WidgetType>(type: T, config: Config): WidgetSettings<T> =>
  ({ type, ...(readConfig(schemas.get(type)!, config) as object) }) as WidgetSettings<T>;

/** @throws ApiError 400 that names the key with a wrong type, or when the config is too large or too deep */
export const checkWidgetConfig = (type: WidgetType, config: Config): void => {
  requireBounded(config);
  settingsOf(type, config);
};
