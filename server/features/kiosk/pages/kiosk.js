const outline = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2.4, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
const arrow = () => svg('0 0 24 24', [['path', { d: 'M15 5l-7 7 7 7' }]], outline);
const chevron = () => svg('0 0 24 24', [['path', { d: 'M9 5l7 7-7 7' }]], outline);
const house = () => svg('0 0 24 24', [['path', { d: 'M4 11.5 12 4.5l8 7M6.5 10v9h11v-9' }]], outline);
const WORDS = {
  en: ['Back', 'Start', 'Touch to begin'],
  de: ['Zurück', 'Start', 'Zum Starten berühren'],
  fr: ['Retour', 'Accueil', 'Touchez pour commencer'],
  es: ['Atrás', 'Inicio', 'Toque para empezar'],
  it: ['Indietro', 'Inizio', 'Tocca per iniziare'],
  nl: ['Terug', 'Start', 'Raak aan om te beginnen'],
  pt: ['Voltar', 'Início', 'Toque para começar'],
  pl: ['Wstecz', 'Start', 'Dotknij, aby rozpocząć'],
};
const words = (i) =>
  (WORDS[
    languages()
      .map((tag) => tag.split('-')[0])
      .find((tag) => WORDS[tag])
  ] ?? WORDS.en)[i];

let data = null;
/* Where the visitor has come from; the last is where he is. */
let trail = [];
let idle = 0;

const home = { id: '', title: settings.title, subtitle: settings.subtitle, buttons: settings.buttons };
const pageNamed = (id) => settings.pages.find((one) => one.id === id);
const lastPlace = () => trail.at(-1);

const go = (place) => {
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

const isPicture = (icon) => /^(data:image\/|https?:\/\/|\/)/.test(icon);
const iconOf = (icon) => {
  if (!icon) return null;
  if (!isPicture(icon))
    return el(
      'span',
      { class: 'icon glyph', 'aria-hidden': 'true' },
      el(
        'span',
        {},
        [...new Intl.Segmenter().segment(icon)]
          .slice(0, 3)
          .map(({ segment }) => segment)
          .join(''),
      ),
    );
  const source = pictureOf(data, icon);
  if (source.startsWith('/')) return null;
  return el('span', { class: 'icon' }, el('img', { src: source, alt: '', onerror: (event) => event.target.parentNode.remove() }));
};

const act = ({ action, url, page: target, label }) => {
  if (action === 'back') back();
  else if (action === 'page') go({ page: pageNamed(target) });
  else go({ url, label });
};
const possible = ({ action, url, page: target }) => action === 'back' || (action === 'page' ? Boolean(pageNamed(target)) : /^https?:\/\//i.test(url));

const button = (one) =>
  el(
    'button',
    { type: 'button', class: 'button', disabled: possible(one) ? null : '', onclick: () => act(one) },
    iconOf(one.icon),
    el('span', { class: 'words' }, el('b', {}, one.label), one.sublabel ? el('small', {}, one.sublabel) : null),
    one.action === 'back' ? null : chevron(),
  );

const columnsFor = (count) => {
  if (settings.style.columns) return settings.style.columns;
  const upright = innerHeight > innerWidth;
  if (upright) return count > 7 ? 2 : 1;
  return count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
};

const backButton = () => el('button', { type: 'button', class: 'back', onclick: back }, arrow(), words(0));

const pageView = (shown) => {
  const isHome = shown === home;
  const columns = columnsFor(shown.buttons.length);
  const rows = Math.max(1, Math.ceil(shown.buttons.length / columns));
  const upright = innerHeight > innerWidth;
  const tall = upright ? columns > 1 : rows <= 2 && columns <= 4 && shown.buttons.length > 0;
  return el(
    'div',
    { class: 'view' },
    el(
      'header',
      {},
      isHome ? logo(data, settings.logo_url) : backButton(),
      el('div', {}, el('h1', {}, shown.title), shown.subtitle ? el('div', { class: 'subtitle' }, shown.subtitle) : null),
    ),
    el('div', { class: `grid ${tall ? 'tall' : ''}`, style: { '--columns': String(columns), '--rows': String(rows) } }, shown.buttons.map(button)),
    settings.footer ? el('footer', {}, settings.footer) : null,
  );
};

const browser = ({ url, label }) =>
  el(
    'div',
    { class: 'browser' },
    el('div', { class: 'bar' }, backButton(), el('b', {}, label), el('button', { type: 'button', class: 'back home', 'aria-label': words(1), onclick: start }, house())),
    el('iframe', { src: url, title: label, sandbox: 'allow-scripts allow-forms', referrerpolicy: 'no-referrer' }),
  );

const attract = () =>
  el(
    'button',
    { type: 'button', class: 'attract', 'aria-label': `${settings.idle_title} ${settings.idle_subtitle} ${words(2)}`, onclick: start },
    el('span', { class: 'glow' }),
    logo(data, settings.logo_url),
    el('h1', {}, settings.idle_title),
    settings.idle_subtitle ? el('span', { class: 'subtitle' }, settings.idle_subtitle) : null,
    el('span', { class: 'touch' }),
  );

const draw = () => {
  const place = lastPlace();
  stage.replaceChildren(!place ? attract() : place.page ? pageView(place.page) : browser(place));
};

/* Touches within a page of other people do not reach us: there the time runs from when the frame was last given the focus. */
const touched = () => {
  clearTimeout(idle);
  if (settings.idle_timeout > 0) idle = setTimeout(rest, settings.idle_timeout * 1000);
};
for (const name of ['pointerdown', 'keydown', 'wheel', 'touchmove', 'blur']) addEventListener(name, touched, { passive: true });
addEventListener('contextmenu', (event) => event.preventDefault());
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') back();
});

if (settings.style.font_size) document.documentElement.style.setProperty('--text', `calc(var(--u) * ${settings.style.font_size})`);
onData((given) => {
  data = given;
  if (trail.length === 0) rest();
  else if (!lastPlace().url) draw();
});
onResize(() => {
  if (!lastPlace()?.url) draw();
});
touched();
