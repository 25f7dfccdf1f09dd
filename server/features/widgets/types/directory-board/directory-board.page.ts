import type { WidgetData } from '../../../../../shared/contract/content/widgets.ts';
import {
  el,
  everySecond,
  hint,
  isUpright,
  logo,
  now,
  onData,
  onResize,
  pictureOf,
  pixels,
  runBand,
  settingsOf,
  stage,
} from '../../pages/base.ts';
import './directory-board.css';

const BACKDROP_MS = 20_000;
/** Letter sizes in pixels of a 1080-line screen, and factors that are tried until all entries fit. */
const ENTRY_PIXELS = { upright: 46, across: 40 };
const SIZES = [1.35, 1.2, 1.08, 1, 0.92, 0.85, 0.78];
const settings = settingsOf<'directory-board'>();
type Category = (typeof settings.categories)[number];

/** Number of text lines. A heading counts as one and a half lines. */
const count = settings.categories.reduce((sum, { entries }) => sum + entries.length + 1.5, 0);
const columnsFor = (): number => {
  // The number of columns is configured for landscape. In portrait it is limited, so that names have enough room.
  if (isUpright()) return settings.columns ? Math.min(settings.columns, 2) : count > 40 ? 2 : 1;
  return settings.columns ?? (count > 24 ? 3 : count > 7 ? 2 : 1);
};
let data: WidgetData | null = null;
let backdrops: HTMLElement[] = [];

const entryOf = ({ identifier, name, subtitle, available }: Category['entries'][number]) =>
  el(
    'div',
    { class: `entry ${available === false ? 'no' : ''}` },
    el('div', { class: 'who' }, el('b', {}, name), subtitle ? el('small', {}, subtitle) : null),
    available === undefined ? null : el('i', { class: `state ${available ? 'yes' : ''}` }),
    identifier ? el('span', { class: 'number' }, identifier) : null,
  );
const categoryOf = ({ name, entries }: Category) =>
  el(
    'section',
    { class: `category ${entries.length <= 8 ? 'short' : ''}` },
    name ? el('h2', {}, name) : null,
    entries.map(entryOf),
  );
const run = () => el('div', { class: 'run' }, settings.categories.map(categoryOf));

const backdropOf = (url: string) => {
  const source = pictureOf(data, url);
  if (!source) return [];
  return [
    el('div', {
      class: 'backdrop',
      style: { 'background-image': `url("${source.replace(/["\\\s]/g, encodeURIComponent)}")` },
    }),
  ];
};
const turn = () => {
  const at = Math.floor(now() / BACKDROP_MS) % Math.max(1, backdrops.length);
  for (const [i, backdrop] of backdrops.entries()) backdrop.classList.toggle('on', i === at);
};

/** Returns the layouts to try, best layout first. A size of null is the configured size. */
const trialsFor = (first: number): (readonly [columns: number, size: number | null])[] => {
  const upright = isUpright();
  const sizes = settings.font_size ? [null] : SIZES;
  // Landscape prefers more columns over smaller letters, and portrait prefers smaller letters over more columns.
  const columns = settings.columns ? [first] : [first, first + 1, first + 2].filter((n) => n <= (upright ? 2 : 4));
  return columns.flatMap((n) =>
    sizes
      .filter((size) => size === null || upright || n === columns.at(-1) || size > 0.9)
      .map((size) => [n, size] as const),
  );
};

const draw = () => {
  const first = columnsFor();
  const normal = (isUpright() ? ENTRY_PIXELS.upright : ENTRY_PIXELS.across) * (first > 3 ? 0.8 : 1);
  const track = el('div', { class: 'track' }, run());
  const view = el('div', { class: 'window' }, track);
  backdrops = settings.background_images.flatMap(backdropOf);
  const mark = logo(data, settings.logo_url);
  const header = settings.title || mark ? el('header', {}, mark, el('h1', {}, settings.title)) : null;
  const footer = settings.footer_text ? el('footer', {}, settings.footer_text) : null;
  const board = el('div', { class: 'board' }, header, view, footer);
  stage.replaceChildren(...backdrops, board);
  const set = ([columns, size]: readonly [number, number | null]) => {
    board.style.setProperty('--columns', String(columns));
    board.style.setProperty(
      '--entry',
      size === null ? pixels(settings.font_size ?? normal) : `calc(var(--s) * ${normal * size})`,
    );
  };
  // Uses the largest size at which everything fits without scrolling. If no size fits, the normal size is used and the
  // list scrolls.
  const fits = trialsFor(first).some((trial) => {
    set(trial);
    return track.scrollHeight <= view.clientHeight + 2;
  });
  if (!fits) {
    set([first, settings.font_size ? null : 1]);
    view.classList.add('moving');
    runBand(track, run, {
      vertical: true,
      pixelsPerSecond: innerHeight / settings.scroll_speed,
      room: view.clientHeight,
    });
  }
  turn();
};
everySecond(turn);

const isEmpty = settings.categories.length === 0 && !settings.title;
onData((given) => {
  data = given;
  if (isEmpty) hint('No entries yet');
  else draw();
});
onResize(() => isEmpty || draw());
