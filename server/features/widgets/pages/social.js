if (settings.font_size) document.documentElement.style.setProperty('--post', `calc(var(--u) * ${settings.font_size})`);

const hueOf = (name) => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);
const initials = (name) =>
  name
    .replace(/^@/, '')
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();

let feed = null;

const post = ({ title, summary, author, published, image }) => {
  const name = author || feed.title || '';
  const picture = settings.show_images && image ? el('img', { src: image, alt: '' }) : null;
  const text = title || summary;
  const more = title && summary && !summary.startsWith(title.replace(/…$/, '').slice(0, 60)) ? summary : '';
  return el(
    'article',
    { class: `post ${picture ? 'pictured' : ''} ${!picture && !more && text.length < 120 ? 'quote' : ''}` },
    picture,
    el(
      'div',
      { class: 'said' },
      name || published
        ? el(
            'div',
            { class: 'by' },
            name ? el('i', { style: { '--hue': String(hueOf(name)) } }, initials(name)) : null,
            el('div', {}, el('b', {}, name), published ? el('small', {}, relative(published)) : null),
          )
        : null,
      text ? el('h2', {}, text) : null,
      more ? el('p', {}, more) : null,
    ),
  );
};

const draw = () => {
  const down = innerHeight > innerWidth;
  document.documentElement.classList.toggle('strip', isStrip());
  const track = el('div', { class: 'track' });
  const wall = el('div', { class: `wall ${down ? 'down' : ''}` }, track);
  stage.replaceChildren(wall);
  const run = () => el('div', { class: 'run' }, feed.items.map(post));
  track.append(run());
  const [length, room] = down ? [track.scrollHeight, innerHeight] : [track.scrollWidth, innerWidth];
  if (length <= room) {
    wall.classList.add('still');
    return;
  }
  runBand(track, run, { vertical: down, pixelsPerSecond: innerWidth / settings.scroll_speed, room });
};

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
