import type { WidgetData } from '../../../../shared/contract/content/widgets.ts';
import {
  el,
  isUpright,
  languageOf,
  logo,
  onData,
  onResize,
  outline,
  pictureOf,
  pixels,
  readJson,
  stage,
  svg,
} from '../../widgets/pages/base.ts';
import type { KioskSettings } from '../kiosk-config.ts';
import { texts } from './texts.ts';
import './kiosk.css';

const { settings } = readJson('page') as { settings: KioskSettings };
const words = texts[languageOf(texts)]!;
type Button = KioskSettings['buttons'][number];
interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly buttons: readonly Button[];
}
/** A page of the kiosk, or another site in a frame. */
type Place = { readonly page: Page } | { readonly url: string; readonly label: string };

/** Maximum number of characters of a text icon. */
const MOST_LETTERS = 3;

const drawing = (d: string) => svg('0 0 24 24', [['path', { d }]], outline(2.4));
const arrow = () => drawing('M15 5l-7 7 7 7');
const chevron = () => drawing('M9 5l7 7-7 7');
const house = () => drawing('M4 11.5 12 4.5l8 7M6.5 10v9h11v-9');

let data: WidgetData | null = null;
/** Pages that the visitor has opened. The last entry is the page that is shown now. Empty while no visitor is there. */
let trail: Place[] = [];
let idle = 0;

const home: Page = settings;
const pageNamed = (id: string) => settings.pages.find((one) => one.id === id);
const isElsewhere = () => 'url' in (trail.at(-1) ?? {});

const go = (place: Place) => {
  trail.push(place);
  draw();
};
const back = () => {
  if (trail.length > 1) trail.pop();
  draw();
};
const start = () => {
  trail = [{ page: home }];
  draw();
};
const rest = () => {
  trail = settings.idle_title || settings.idle_subtitle ? [] : [{ page: home }];
  draw();
};

const iconOf = (icon: string) => {
  if (!icon) return null;
  if (!/^(data:image\/|https?:\/\/|\/)/.test(icon)) {
    const letters = [...new Intl.Segmenter().segment(icon)].slice(0, MOST_LETTERS).map(({ segment }) => segment);
    return el('span', { class: 'icon glyph', 'aria-hidden': 'true' }, el('span', {}, letters.join('')));
  }
  const source = pictureOf(data, icon);
  const remove = ({ target }: Event) => (target as HTMLElement).parentElement?.remove();
  return source ? el('span', { class: 'icon' }, el('img', { src: source, alt: '', onerror: remove })) : null;
};

/** Returns the action of a button; undefined when the button has no action. */
const targetOf = ({ action, url, page, label }: Button): (() => void) | undefined => {
  if (action === 'back') return back;
  if (action === 'url') return /^https?:\/\//i.test(url) ? () => go({ url, label }) : undefined;
  const named = pageNamed(page);
  return named && (() => go({ page: named }));
};

const buttonOf = (button: Button) => {
  const target = targetOf(button);
  return el(
    'button',
    { type: 'button', class: 'button', disabled: target ? null : '', onclick: () => target?.() },
    iconOf(button.icon),
    el(
      'span',
      { class: 'words' },
      el('b', {}, button.label),
      button.sublabel ? el('small', {}, button.sublabel) : null,
    ),
    button.action === 'back' ? null : chevron(),
  );
};

const columnsFor = (count: number): number => {
  if (settings.style.columns) return settings.style.columns;
  if (isUpright()) return count > 7 ? 2 : 1;
  return count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
};

const backButton = () => el('button', { type: 'button', class: 'back', onclick: back }, arrow(), words.back);

const pageView = (page: Page) => {
  const { length } = page.buttons;
  const columns = columnsFor(length);
  const rows = Math.max(1, Math.ceil(length / columns));
  const tall = isUpright() ? columns > 1 : rows <= 2 && columns <= 4 && length > 0;
  const title = el(
    'div',
    {},
    el('h1', {}, page.title),
    page.subtitle ? el('div', { class: 'subtitle' }, page.subtitle) : null,
  );
  return el(
    'div',
    { class: 'view' },
    el('header', {}, page === home ? logo(data, settings.logo_url) : backButton(), title),
    el(
      'div',
      { class: `grid ${tall ? 'tall' : ''}`, style: { '--columns': String(columns), '--rows': String(rows) } },
      page.buttons.map(buttonOf),
    ),
    settings.footer ? el('footer', {}, settings.footer) : null,
  );
};

const browser = (url: string, label: string) => {
  const toStart = el(
    'button',
    { type: 'button', class: 'back home', 'aria-label': words.start, onclick: start },
    house(),
  );
  return el(
    'div',
    { class: 'browser' },
    el('div', { class: 'bar' }, backButton(), el('b', {}, label), toStart),
    el('iframe', { src: url, title: label, sandbox: 'allow-scripts allow-forms', referrerpolicy: 'no-referrer' }),
  );
};

const attract = () =>
  el(
    'button',
    {
      type: 'button',
      class: 'attract',
      'aria-label': `${settings.idle_title} ${settings.idle_subtitle} ${words.touch}`,
      onclick: start,
    },
    el('span', { class: 'glow' }),
    logo(data, settings.logo_url),
    el('h1', {}, settings.idle_title),
    settings.idle_subtitle ? el('span', { class: 'subtitle' }, settings.idle_subtitle) : null,
    el('span', { class: 'touch' }),
  );

const draw = () => {
  const place = trail.at(-1);
  stage.replaceChildren(!place ? attract() : 'page' in place ? pageView(place.page) : browser(place.url, place.label));
};

/**
 * Restarts the idle timer. Touches within a framed site are not reported, so for such a site the time runs from its
 * last focus.
 */
const touched = () => {
  clearTimeout(idle);
  if (settings.idle_timeout > 0) idle = window.setTimeout(rest, settings.idle_timeout * 1000);
};
for (const name of ['pointerdown', 'keydown', 'wheel', 'touchmove', 'blur'])
  addEventListener(name, touched, { passive: true });
addEventListener('contextmenu', (event) => event.preventDefault());
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') back();
});

if (settings.style.font_size) document.documentElement.style.setProperty('--text', pixels(settings.style.font_size));
onData((given) => {
  data = given;
  if (trail.length === 0) rest();
  else if (!isElsewhere()) draw();
});
onResize(() => {
  if (!isElsewhere()) draw();
});
touched();
