/** Renders the page of a kiosk page from its settings. */
import { isDataPicture } from '../../../shared/contract/config-fields.ts';
import { type PageContent, type PageDocument, pageKind, renderPage } from '../widgets/pages/document.ts';
import type { KioskSettings } from './kiosk-config.ts';

export const kioskKind = pageKind('kiosk', { frames: true });

/** Returns addresses of pictures that the server must fetch. Pictures inside the config are left out. */
export const picturesOf = ({ logo_url, buttons, pages }: KioskSettings): string[] => {
  const icons = [buttons, ...pages.map((page) => page.buttons)].flat().map(({ icon }) => icon);
  return [...new Set([logo_url, ...icons])].filter(
    (url) => /^(https?:\/\/|\/api\/content\/)/i.test(url) && !isDataPicture(url),
  );
};

export const kioskPage = (settings: KioskSettings, live?: PageContent['live']): PageDocument => {
  const { theme, columns: _, font_size: __, ...colors } = settings.style;
  const { title, locale } = settings;
  return renderPage({
    kind: kioskKind(),
    title: title || 'Kiosk',
    locale: locale || null,
    theme,
    colors,
    settings,
    ...(live && { live }),
  });
};
