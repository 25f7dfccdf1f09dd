/** Reads and changes the config of a kiosk page in the editor (server/features/kiosk/kiosk-config.ts). */
import { type Config, listIn, textIn } from '../../domain/saving/useConfigDraft.ts';

export type Action = 'url' | 'page' | 'back';
export type KioskButton = {
  readonly label: string;
  readonly sublabel: string;
  readonly icon: string;
  readonly action: Action;
  readonly url: string;
  readonly page: string;
};
export type KioskSubpage = {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly buttons: readonly KioskButton[];
};

export const sizes = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  tablet: { width: 1280, height: 800 },
} as const;

const buttonOf = (button: Config): KioskButton => {
  const [url, page] = [textIn(button, 'url'), textIn(button, 'page')];
  const said = textIn(button, 'action');
  // API clients that do not know `action` leave it out. The default is the same as on the server.
  const action: Action =
    said === 'url' || said === 'page' || said === 'back' ? said : url ? 'url' : page ? 'page' : 'back';
  return {
    label: textIn(button, 'label'),
    sublabel: textIn(button, 'sublabel'),
    icon: textIn(button, 'icon'),
    action,
    url,
    page,
  };
};

export const buttonsIn = (config: Config): KioskButton[] => listIn(config, 'buttons').map(buttonOf);
export const pagesIn = (config: Config): KioskSubpage[] =>
  listIn(config, 'pages').map((page) => ({
    id: textIn(page, 'id'),
    title: textIn(page, 'title'),
    subtitle: textIn(page, 'subtitle'),
    buttons: buttonsIn(page),
  }));
export const styleIn = (config: Config): Config => {
  const style = config['style'];
  return typeof style === 'object' && style !== null && !Array.isArray(style) ? (style as Config) : {};
};

export const newButton: KioskButton = { label: '', sublabel: '', icon: '', action: 'url', url: '', page: '' };

/** Returns a page id that is not in use. Users never see page ids. */
export const newPageId = (pages: readonly KioskSubpage[]): string => {
  for (let n = pages.length + 1; ; n++) if (!pages.some(({ id }) => id === `page-${n}`)) return `page-${n}`;
};

/** Returns why a button leads nowhere; undefined if it works. */
export const deadEnd = (button: KioskButton, pages: readonly KioskSubpage[]): 'noUrl' | 'noPage' | undefined => {
  if (button.action === 'url') return /^https?:\/\/\S+/i.test(button.url) ? undefined : 'noUrl';
  if (button.action === 'page') return pages.some(({ id }) => id === button.page) ? undefined : 'noPage';
  return undefined;
};

export const swapped = <T>(list: readonly T[], at: number, with_: number): readonly T[] => {
  const [a, b] = [list[at], list[with_]];
  if (a === undefined || b === undefined) return list;
  return list.map((one, i) => (i === at ? b : i === with_ ? a : one));
};
