import { browserStore } from '../../components/hooks/browserStore.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'vitrine.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const stored = (): Theme => themes.find((t) => t === browserStore.getItem(KEY)) ?? 'system';
let theme: Theme = stored();

const apply = () => {
  const shown = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset['theme'] = shown;
};

/**
 * Media query for the forced-colours mode of the operating system, in which the system replaces our colours. The style
 * sheet for this mode is loaded only if the query matches.
 */
const forced = matchMedia('(forced-colors: active)');
const withSigns = () => forced.matches && void import('../../styles/forced.css');

export const startTheme = (): void => {
  apply();
  withSigns();
  forced.addEventListener('change', withSigns);
  dark.addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key === KEY) changeTheme(stored());
  });
};

export const changeTheme = (next: Theme): void => {
  theme = next;
  browserStore.setItem(KEY, next);
  apply();
  for (const listener of listeners) listener();
};

export const currentTheme = (): Theme => theme;
export const onTheme = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
