import type { WidgetData } from '../../../../../shared/contract/content/widgets.ts';
import { el, languageOf, logo, onData, outline, pixels, settingsOf, stage, svg } from '../../pages/base.ts';
import './directory-search.css';

/** Time without a touch after which the page returns to its start view, for the next visitor. */
const IDLE_MS = 45_000;
/** Maximum number of results per category, more than a screen can show. */
const MOST_CARDS = 200;
const KEYS: Readonly<Record<string, readonly string[]>> = {
  en: ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  de: ['1234567890', 'qwertzuiopü', 'asdfghjklöä', 'yxcvbnm'],
  fr: ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbné'],
  es: ['1234567890', 'qwertyuiop', 'asdfghjklñ', 'zxcvbnm'],
};
const TEXTS = {
  en: { clear: 'Clear', space: 'Space', back: 'Delete' },
  de: { clear: 'Leeren', space: 'Leerzeichen', back: 'Löschen' },
};
const WORDS = TEXTS[languageOf(TEXTS) as keyof typeof TEXTS];
const settings = settingsOf<'directory-search'>();
type Category = (typeof settings.categories)[number];
let { categories } = settings;
let data: WidgetData | null = null;

const input = el('input', {
  type: 'search',
  placeholder: settings.placeholder_text,
  'aria-label': settings.placeholder_text,
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
  enterkeyhint: 'search',
  inputmode: settings.show_onscreen_keyboard ? 'none' : 'search',
  maxlength: 60,
});
const drawing = (...paths: string[]) =>
  svg(
    '0 0 24 24',
    paths.map((d) => ['path', { d }] as const),
    outline(2.2),
  );
const clear = el(
  'button',
  { type: 'button', 'aria-label': WORDS.clear, hidden: '', onclick: () => write('') },
  drawing('M6 6l12 12M18 6 6 18'),
);
const results = el('div', { class: 'results', 'aria-live': 'polite' });

/** Removes accents and case, so that "muller" finds Müller. */
const bare = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

const marked = (text: string, query: string | undefined): (string | HTMLElement)[] => {
  const at = query ? bare(text).indexOf(query) : -1;
  if (!query || at < 0 || bare(text).length !== text.length) return [text];
  return [text.slice(0, at), el('mark', {}, text.slice(at, at + query.length)), text.slice(at + query.length)];
};
const cardOf = ({ identifier, name, subtitle, available }: Category['entries'][number], query: string | undefined) =>
  el(
    'div',
    { class: `card ${available === false ? 'no' : ''}` },
    el(
      'div',
      { class: 'who' },
      el('b', {}, marked(name, query)),
      subtitle ? el('small', {}, marked(subtitle, query)) : null,
    ),
    identifier ? el('span', { class: 'number' }, marked(identifier, query)) : null,
  );

const find = () => {
  const words = bare(input.value).split(/\s+/).filter(Boolean);
  clear.hidden = input.value === '';
  const sections = categories.flatMap(({ name, entries }) => {
    const found = entries.filter((entry) =>
      words.every((word) =>
        [entry.name, entry.subtitle, entry.identifier, name].some((text) => bare(text).includes(word)),
      ),
    );
    if (found.length === 0) return [];
    const cards = found.slice(0, MOST_CARDS).map((entry) => cardOf(entry, words[0]));
    return [name ? el('h2', {}, name) : '', el('div', { class: 'grid' }, cards)];
  });
  const nothing = () => el('div', { class: 'none' }, words.length > 0 ? `“${input.value.trim()}” – 0` : '');
  results.replaceChildren(...(sections.length > 0 ? sections : [nothing()]));
  results.scrollTop = 0;
};
const write = (text: string) => {
  input.value = text;
  find();
};
input.addEventListener('input', find);

const keyOf = (letter: string) =>
  el(
    'button',
    { type: 'button', onpointerdown: (event) => event.preventDefault(), onclick: () => write(input.value + letter) },
    letter.toLocaleUpperCase(),
  );
const keyboard = () => {
  const rows = KEYS[languageOf(KEYS)]!.map((row) => el('div', {}, [...row].map(keyOf)));
  const space = el(
    'button',
    { type: 'button', class: 'space', 'aria-label': WORDS.space, onclick: () => write(`${input.value} `) },
    ' ',
  );
  const back = el(
    'button',
    { type: 'button', class: 'back', 'aria-label': WORDS.back, onclick: () => write(input.value.slice(0, -1)) },
    drawing('M21 5H9l-6 7 6 7h12ZM17 9.5l-5 5M12 9.5l5 5'),
  );
  return el('div', { class: 'keys' }, rows, el('div', {}, space, back));
};

const draw = () => {
  const size = settings.font_size ? pixels(settings.font_size) : 'calc(var(--s) * 38)';
  const glass = svg(
    '0 0 24 24',
    [
      ['circle', { cx: 11, cy: 11, r: 7 }],
      ['path', { d: 'm20 20-3.8-3.8' }],
    ],
    outline(2.2),
  );
  const title = settings.title ? el('h1', {}, settings.title) : null;
  const header = el(
    'header',
    {},
    logo(data, settings.logo_url),
    title,
    el('label', { class: 'field' }, glass, input, clear),
  );
  stage.replaceChildren(
    el(
      'div',
      { class: 'search', style: { '--entry': size } },
      header,
      results,
      settings.show_onscreen_keyboard ? keyboard() : null,
    ),
  );
  find();
};

let idle = 0;
const touched = () => {
  clearTimeout(idle);
  idle = window.setTimeout(() => write(''), IDLE_MS);
};
for (const name of ['pointerdown', 'keydown', 'wheel']) addEventListener(name, touched, { passive: true });

onData((given) => {
  data = given;
  if (given?.categories) categories = given.categories as Category[];
  draw();
});
