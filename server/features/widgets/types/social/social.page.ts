import { el, isStrip, isUpright, pixels, relative, runBand, settingsOf, stage } from '../../pages/base.ts';
import { type Feed, onFeed } from '../../pages/feed.ts';
import './social.css';

const settings = settingsOf<'social'>();
const root = document.documentElement;
if (settings.font_size) root.style.setProperty('--post', pixels(settings.font_size));

const hueOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
const initials = (name: string): string =>
  name
    .replace(/^@/, '')
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();

const byline = (name: string, published: number | null) => {
  if (!name && !published) return null;
  const badge = name ? el('i', { style: { '--hue': String(hueOf(name)) } }, initials(name)) : null;
  return el(
    'div',
    { class: 'by' },
    badge,
    el('div', {}, el('b', {}, name), published ? el('small', {}, relative(published)) : null),
  );
};

/** The whole picture is shown, because pictures of posts must not be cropped. */
const pictureOf = (src: string) =>
  el('div', { class: 'picture' }, el('img', { src, alt: '', class: 'behind' }), el('img', { src, alt: '' }));

const postOf = (feed: Feed, { title, summary, author, published, image }: Feed['items'][number]) => {
  const picture = settings.show_images && image ? pictureOf(image) : null;
  const text = title || summary;
  const more = title && summary && !summary.startsWith(title.replace(/…$/, '').slice(0, 60)) ? summary : '';
  return el(
    'article',
    { class: `post ${picture ? 'pictured' : ''} ${!picture && !more && text.length < 120 ? 'quote' : ''}` },
    picture,
    el(
      'div',
      { class: 'said' },
      byline(author || feed.title || '', published),
      text ? el('h2', {}, text) : null,
      more ? el('p', {}, more) : null,
    ),
  );
};

/**
 * Removes lines that do not fit into the card, from the summary first, then from the headline. No line is cut through.
 */
const fit = (post: HTMLElement) => {
  for (const name of ['p', 'h2']) {
    const text = post.querySelector<HTMLElement>(name);
    const said = text?.parentElement;
    if (!text || !said) continue;
    const over = Math.max(post.scrollHeight - post.clientHeight, said.scrollHeight - said.clientHeight);
    if (over <= 1) return;
    const line = Number.parseFloat(getComputedStyle(text).lineHeight);
    const lines = Math.round(text.clientHeight / line) - Math.ceil(over / line);
    if (name === 'p' && lines < 1) text.remove();
    else text.style.setProperty('-webkit-line-clamp', String(Math.max(1, lines)));
  }
};

onFeed(settings.feed_url, (feed) => {
  const down = isUpright();
  root.classList.toggle('strip', isStrip());
  const track = el('div', { class: 'track' });
  const wall = el('div', { class: `wall ${down ? 'down' : ''}` }, track);
  stage.replaceChildren(wall);
  const posts = feed.items.map((item) => postOf(feed, item));
  const row = el('div', { class: 'run' }, posts);
  track.append(row);
  for (const post of posts) fit(post);
  const [length, room] = down ? [track.scrollHeight, innerHeight] : [track.scrollWidth, innerWidth];
  if (length <= room) wall.classList.add('still');
  else
    runBand(track, () => row.cloneNode(true) as HTMLElement, {
      vertical: down,
      pixelsPerSecond: innerWidth / settings.scroll_speed,
      room,
    });
});
