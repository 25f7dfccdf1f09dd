const BACKDROP_MS = 20_000;
const count = settings.categories.reduce((sum, { entries }) => sum + (entries?.length ?? 0) + 1.5, 0);
const columnsFor = () => {
  /* Chosen for a screen that lies; on one that stands, no more than leave a name its room. */
  if (innerHeight > innerWidth) return settings.columns ? Math.min(settings.columns, 2) : count > 40 ? 2 : 1;
  if (settings.columns) return settings.columns;
  return count > 24 ? 3 : count > 7 ? 2 : 1;
};
let data = null;
let backdrops = [];

const entry = ({ identifier, name, subtitle, available }) =>
  el(
    'div',
    { class: `entry ${available === false ? 'no' : ''}` },
    el('div', { class: 'who' }, el('b', {}, name ?? ''), subtitle ? el('small', {}, subtitle) : null),
    typeof available === 'boolean' ? el('i', { class: `state ${available ? 'yes' : ''}` }) : null,
    identifier ? el('span', { class: 'number' }, identifier) : null,
  );
const run = () =>
  el(
    'div',
    { class: 'run' },
    settings.categories.map(({ name, entries = [] }) =>
      el('section', { class: `category ${entries.length <= 8 ? 'short' : ''}` }, name ? el('h2', {}, name) : null, entries.map(entry)),
    ),
  );

const draw = () => {
  const first = columnsFor();
  const normal = (innerHeight > innerWidth ? 46 : 40) * (first > 3 ? 0.8 : 1);
  const sizes = settings.font_size ? [null] : [1.35, 1.2, 1.08, 1, 0.92, 0.85, 0.78];
  /* On a screen that lies rather another column than small letters, on one that stands the other way round. */
  const upright = innerHeight > innerWidth;
  const columns = settings.columns ? [first] : [first, first + 1, first + 2].filter((n) => n <= (upright ? 2 : 4));
  const trials = columns.flatMap((n) => sizes.filter((k) => k === null || upright || n === columns.at(-1) || k > 0.9).map((k) => [n, k]));
  const track = el('div', { class: 'track' }, run());
  const view = el('div', { class: 'window' }, track);
  backdrops = settings.background_images
    .map((url) => {
      const source = pictureOf(data, url);
      return source && !source.startsWith('/') ? el('div', { class: 'backdrop', style: { 'background-image': `url("${source.replace(/["\\\s]/g, encodeURIComponent)}")` } }) : null;
    })
    .filter(Boolean);
  const mark = logo(data, settings.logo_url);
  const board = el(
    'div',
    { class: 'board' },
    settings.title || mark ? el('header', {}, mark, el('h1', {}, settings.title)) : null,
    view,
    settings.footer_text ? el('footer', {}, settings.footer_text) : null,
  );
  stage.replaceChildren(...backdrops, board);
  /* The largest size at which all of it stands still; what fits at none is shown in the normal one and moves. */
  const excess = () => track.scrollHeight > view.clientHeight + 2;
  const set = ([n, k]) => {
    board.style.setProperty('--columns', String(n));
    board.style.setProperty('--entry', k === null ? `calc(var(--u) * ${settings.font_size})` : `calc(var(--s) * ${normal * k})`);
  };
  const fits = trials.some((trial) => {
    set(trial);
    return !excess();
  });
  if (!fits) {
    set([first, settings.font_size ? null : 1]);
    view.classList.add('moving');
    /* Seconds for one screen's height. */
    runBand(track, run, { vertical: true, pixelsPerSecond: innerHeight / settings.scroll_speed, room: view.clientHeight });
  }
  turn();
};
const turn = () => {
  const at = Math.floor(now() / BACKDROP_MS) % Math.max(1, backdrops.length);
  for (const [i, backdrop] of backdrops.entries()) backdrop.classList.toggle('on', i === at);
};
everySecond(turn);

onData((given) => {
  data = given;
  if (settings.categories.length === 0 && !settings.title) hint('No entries yet');
  else draw();
});
onResize(() => (settings.categories.length > 0 || settings.title) && draw());
