/** Schema of a kiosk page's config: its known keys and their defaults. */
import type { z } from 'zod';
import {
  address,
  choice,
  color,
  list,
  number,
  objectOf,
  picture,
  text,
  theme,
} from '../../../shared/contract/config-fields.ts';
import { type Config, readConfig, requireBounded } from '../widgets/config-rules.ts';

const Button = objectOf({
  label: text(),
  sublabel: text(),
  icon: text(),
  action: choice(['url', 'page', 'back']),
  url: address(),
  page: text(),
  // Clients may omit `action`. The action then follows from the field that is set.
}).transform((button) => ({
  ...button,
  action: button.action ?? (button.url ? 'url' : button.page ? 'page' : 'back'),
}));
const buttons = { schema: list(Button, 60) };
const Page = objectOf({ id: text(), title: text(), subtitle: text(), buttons });
const Style = objectOf({
  theme: theme(),
  background: color(),
  color: color(),
  accent: color(),
  button_background: color(),
  button_color: color(),
  columns: number(1, 8, { whole: true }),
  font_size: number(4, 400, { unit: 'px' }),
});
const KioskConfig = objectOf({
  title: text(),
  subtitle: text(),
  footer: text(),
  logo_url: picture(),
  idle_title: text(),
  idle_subtitle: text(),
  /** Seconds without a touch after which the page returns to its start; 0 = never. */
  idle_timeout: number(0, 86_400, { unit: 's', fallback: 60 }),
  buttons,
  pages: { schema: list(Page, 200) },
  style: { schema: Style.nullish().transform((style) => style ?? Style.parse({})) },
  locale: text(),
});
export type KioskSettings = z.output<typeof KioskConfig>;

/** Returns the config with all defaults. @throws ApiError 400 that names the key with a wrong type */
export const kioskSettings = (config: Config): KioskSettings => readConfig(KioskConfig, config);

/** @throws ApiError 400 that names the key with a wrong type, or when the config is too large or too deep */
export const checkKioskConfig = (config: Config): void => {
  requireBounded(config);
  kioskSettings(config);
};
