/* Back to the start when nobody has touched it for so long: the next visitor is another one. */
const IDLE_MS = 45_000;
const ROWS = {
  en: ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  de: ['1234567890', 'qwertzuiopü', 'asdfghjklöä', 'yxcvbnm'],
  fr: ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbné'],
  es: ['1234567890', 'qwertyuiop', 'asdfghjklñ', 'zxcvbnm'],
};

let categories = settings.categories;
let data = null;

const input = el('input', {
  type: 'search',
  placeholder: settings.placeholder_text,
  'aria-label': settings.placeholder_text,
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
  enterkeyhint: 'search',
  inputmode: settings.show_onscreen_keyboard ? 'none' : 'search',
  maxlength: '60',
});
const outline = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2.2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
const clear = el('button', { type: 'button', 'aria-label': 'Clear', hidden: '', onclick: () => write('') }, svg('0 0 24 24', [['path', { d: 'M6 6l12 12M18 6 6 18' }]], outline));
const results = el('div', { class: 'results', 'aria-live': 'polite' });

/* Without accents and case: who looks for Müller types muller. */
const bare = (text) => (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

const marked = (text, query) => {
  const at = query ? bare(text).indexOf(query) : -1;
  if (at < 0 || bare(text).length !== text.length) return [text];
  return [text.slice(0, at), el('mark', {}, text.slice(at, at + query.length)), text.slice(at + query.length)];
};
const card = ({ identifier, name = '', subtitle, available }, query) =>
  el(
    'div',
    { class: `card ${available === false ? 'no' : ''}` },
    el('div', { class: 'who' }, el('b', {}, marked(name ?? '', query)), subtitle ? el('small', {}, marked(subtitle, query)) : null),
    identifier ? el('span', { class: 'number' }, marked(identifier, query)) : null,
  );

const find = () => {
  const words = bare(input.value).split(/\s+/).filter(Boolean);
  clear.hidden = input.value === '';
  const sections = categories.flatMap(({ name, entries }) => {
    const found = (entries ?? []).filter((entry) => words.every((word) => [entry.name, entry.subtitle, entry.identifier, name].some((text) => bare(text).includes(word))));
    return found.length > 0 ? [[name, found]] : [];
  });
  const [first] = words;
  results.replaceChildren(
    ...(sections.length > 0
      ? sections.flatMap(([name, found]) => [
          name ? el('h2', {}, name) : '',
          el(
            'div',
            { class: 'grid' },
            found.slice(0, 200).map((entry) => card(entry, first)),
          ),
        ])
      : [el('div', { class: 'none' }, words.length > 0 ? `“${input.value.trim()}” – 0` : '')]),
  );
  results.scrollTop = 0;
};
const write = (text) => {
  input.value = text;
  find();
};
input.addEventListener('input', find);

const key = (letter) => el('button', { type: 'button', onpointerdown: (event) => event.preventDefault(), onclick: () => write(input.value + letter) }, letter.toLocaleUpperCase());
const keyboard = () => {
  const rows = ROWS[(settings.locale ?? navigator.language).split('-')[0]] ?? ROWS.en;
  return el(
    'div',
    { class: 'keys' },
    rows.map((row) => el('div', {}, [...row].map(key))),
    el(
      'div',
      {},
      el('button', { type: 'button', class: 'space', 'aria-label': 'Space', onclick: () => write(`${input.value} `) }, ' '),
      el(
        'button',
        { type: 'button', class: 'back', 'aria-label': 'Delete', onclick: () => write(input.value.slice(0, -1)) },
        svg('0 0 24 24', [['path', { d: 'M21 5H9l-6 7 6 7h12ZM17 9.5l-5 5M12 9.5l5 5' }]], outline),
      ),
    ),
  );
};

const draw = () => {
  const size = settings.font_size ? `calc(var(--u) * ${settings.font_size})` : 'calc(var(--s) * 38)';
  const glass = svg(
    '0 0 24 24',
    [
      ['circle', { cx: 11, cy: 11, r: 7 }],
      ['path', { d: 'm20 20-3.8-3.8' }],
    ],
    outline,
  );
  stage.replaceChildren(
    el(
      'div',
      { class: 'search', style: { '--entry': size } },
      el('header', {}, logo(data, settings.logo_url), settings.title ? el('h1', {}, settings.title) : null, el('label', { class: 'field' }, glass, input, clear)),
      results,
      settings.show_onscreen_keyboard ? keyboard() : null,
    ),
  );
  find();
};

let idle = 0;
const touched = () => {
  clearTimeout(idle);
  idle = setTimeout(() => {
    write('');
    results.scrollTop = 0;
  }, IDLE_MS);
};
for (const name of ['pointerdown', 'keydown', 'wheel']) addEventListener(name, touched, { passive: true });

onData((given) => {
  data = given;
  if (Array.isArray(given?.categories)) categories = given.categories;
  const typed = input.value;
  draw();
  if (typed) write(typed);
});
