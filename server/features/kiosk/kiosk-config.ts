/** The known keys of a kiosk page's config, and what holds where they are absent (decisions, Widgets and kiosk pages). Defaults are not stored. */
import type { z } from 'zod';
import { address, type Config, list, number, objectOf, oneOf, picture, readConfig, requireBounded, text } from '../widgets/config-rules.ts';

const Button = objectOf({ label: text(), sublabel: text(), icon: text(), action: oneOf(['url', 'page', 'back']), url: address(), page: text() });
const Page = objectOf({ id: text(), title: text(), subtitle: text(), buttons: list(Button, 60) });
const Style = objectOf({
  theme: text(),
  background: text(),
  color: text(),
  accent: text(),
  button_background: text(),
  button_color: text(),
  columns: number(1, 8),
  font_size: number(4, 400),
});
const KioskConfig = objectOf({
  title: text(),
  subtitle: text(),
  footer: text(),
  logo_url: picture(),
  idle_title: text(),
  idle_subtitle: text(),
  idle_timeout: number(0, 86_400),
  buttons: list(Button, 60),
  pages: list(Page, 200),
  style: Style.nullish(),
  locale: text(),
});

/** @throws ApiError 400 naming the key that has the wrong type */
export const checkKioskConfig = (config: Config): void => {
  requireBounded(config);
  readConfig(KioskConfig, config);
};

type StoredButton = z.output<typeof Button>;

const toButton = (button: StoredButton) => {
  // Clients that know no `action` say what they mean by the member they fill.
  const action = button.action ?? (button.url ? 'url' : button.page ? 'page' : 'back');
  return { label: button.label ?? '', sublabel: button.sublabel ?? '', icon: button.icon ?? '', action, url: button.url ?? '', page: button.page ?? '' };
};

/** Complete. @throws ApiError 400 as `checkKioskConfig` */
export const kioskSettings = (config: Config) => {
  const c = readConfig(KioskConfig, config);
  const style: Partial<z.output<typeof Style>> = c.style ?? {};
  return {
    title: c.title ?? '',
    subtitle: c.subtitle ?? '',
    footer: c.footer ?? '',
    logoUrl: c.logo_url ?? '',
    idleTitle: c.idle_title ?? '',
    idleSubtitle: c.idle_subtitle ?? '',
    /** Seconds without a touch; 0 = never. */
    idleTimeout: c.idle_timeout ?? 60,
    locale: c.locale || null,
    buttons: (c.buttons ?? []).map(toButton),
    pages: (c.pages ?? []).map((page) => ({ id: page.id ?? '', title: page.title ?? '', subtitle: page.subtitle ?? '', buttons: (page.buttons ?? []).map(toButton) })),
    look: { theme: style.theme, background: style.background, color: style.color },
    colors: { accent: style.accent, 'button-background': style.button_background, 'button-color': style.button_color },
    columns: style.columns ? Math.round(style.columns) : null,
    fontSize: style.font_size ?? null,
  };
};
export type KioskSettings = ReturnType<typeof kioskSettings>;
