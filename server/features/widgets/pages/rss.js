const STORY_MS = 9000;
if (settings.font_size) document.documentElement.style.setProperty('--headline', `calc(var(--u) * ${settings.font_size})`);

let feed = null;
let stories = [];
let pips = [];

const run = () =>
  el(
    'div',
    { class: 'run' },
    feed.items.map((item) => el('span', {}, item.title || item.summary)),
  );

const drawTicker = (around) => {
  const track = el('div', { class: 'track' });
  const window_ = el('div', { class: 'window' }, track);
  around.append(el('div', { class: 'ticker' }, isStrip() && feed.title ? el('div', { class: 'label' }, el('b', {}, feed.title)) : null, window_));
  runBand(track, run, { pixelsPerSecond: innerWidth / settings.scroll_speed, room: innerWidth });
};

const draw = () => {
  const strip = isStrip();
  document.documentElement.classList.toggle('strip', strip);
  document.documentElement.classList.toggle('full', !strip);
  stage.replaceChildren();
  stories = [];
  if (!strip) {
    stories = feed.items.map(({ title, summary, published, author }) => {
      const headline = title || summary;
      return el(
        'article',
        { class: `story ${headline.length > 90 ? 'long' : ''}` },
        el('h1', {}, headline),
        title && summary && summary !== title ? el('p', {}, summary) : null,
        published || author ? el('div', { class: 'when' }, [published ? relative(published) : '', author].filter(Boolean).join(' · ')) : null,
      );
    });
    pips = feed.items.slice(0, 30).map(() => el('i'));
    stage.append(
      el(
        'section',
        { class: 'stories' },
        feed.title ? el('div', { class: 'masthead' }, feed.title) : null,
        stories,
        stories.length > 1 ? el('div', { class: 'pips' }, pips) : null,
      ),
    );
  }
  drawTicker(stage);
  turn();
};

/* Which story is on follows from the clock: screens beside each other show the same. */
const turn = () => {
  if (stories.length === 0) return;
  const at = Math.floor(now() / STORY_MS) % stories.length;
  for (const [i, story] of stories.entries()) story.classList.toggle('on', i === at);
  for (const [i, pip] of pips.entries()) pip.classList.toggle('on', i === at);
};
everySecond(turn);

onData((data) => {
  if (!data?.feed?.items.length) {
    hint(data?.error ?? (data?.feed ? 'The feed is empty' : settings.feed_url ? 'Waiting for the feed' : 'Enter the address of a feed'));
    return;
  }
  feed = data.feed;
  draw();
  ageNote(data.fetched_at, 3600);
  clearInterval(onData.age);
  onData.age = setInterval(() => ageNote(data.fetched_at, 3600), 60_000);
});
onResize(() => feed && draw());
