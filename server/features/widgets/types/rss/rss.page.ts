import { el, everySecond, isStrip, now, pixels, relative, runBand, settingsOf, stage } from '../../pages/base.ts';
import { type Feed, onFeed } from '../../pages/feed.ts';
import './rss.css';

const STORY_MS = 9000;
const settings = settingsOf<'rss'>();
const root = document.documentElement;
if (settings.font_size) root.style.setProperty('--headline', pixels(settings.font_size));

let stories: HTMLElement[] = [];
let pips: HTMLElement[] = [];

const storyOf = ({ title, summary, published, author }: Feed['items'][number]) => {
  const headline = title || summary;
  return el(
    'article',
    { class: `story ${headline.length > 90 ? 'long' : ''}` },
    el('h1', {}, headline),
    title && summary && summary !== title ? el('p', {}, summary) : null,
    published || author
      ? el('div', { class: 'when' }, [published ? relative(published) : '', author].filter(Boolean).join(' · '))
      : null,
  );
};

const drawTicker = (feed: Feed) => {
  const track = el('div', { class: 'track' });
  const label = isStrip() && feed.title ? el('div', { class: 'label' }, el('b', {}, feed.title)) : null;
  stage.append(el('div', { class: 'ticker' }, label, el('div', { class: 'window' }, track)));
  const run = () =>
    el(
      'div',
      { class: 'run' },
      feed.items.map((item) => el('span', {}, item.title || item.summary)),
    );
  runBand(track, run, { pixelsPerSecond: innerWidth / settings.scroll_speed, room: innerWidth });
};

/** Shows one story after the other. The clock decides which story, so that neighbouring screens show the same story. */
const turn = () => {
  const at = Math.floor(now() / STORY_MS) % Math.max(1, stories.length);
  for (const [i, story] of stories.entries()) story.classList.toggle('on', i === at);
  for (const [i, pip] of pips.entries()) pip.classList.toggle('on', i === at);
};
everySecond(turn);

onFeed(settings.feed_url, (feed) => {
  const strip = isStrip();
  root.classList.toggle('strip', strip);
  root.classList.toggle('full', !strip);
  stories = strip ? [] : feed.items.map(storyOf);
  pips = feed.items.slice(0, 30).map(() => el('i'));
  const masthead = feed.title ? el('div', { class: 'masthead' }, feed.title) : null;
  const row = stories.length > 1 ? el('div', { class: 'pips' }, pips) : null;
  stage.replaceChildren(strip ? '' : el('section', { class: 'stories' }, masthead, stories, row));
  drawTicker(feed);
  turn();
});
