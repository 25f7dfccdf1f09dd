import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFeed, readFeedFile } from './feed-reader.ts';
import { FeedThread } from './feed-thread.ts';
import { decodeFeed } from './feeds/charset.ts';
import { completeItems } from './feeds/cut-feed.ts';
import { secondsOf } from './feeds/dates.ts';
import { declaredFeed, isPage } from './feeds/declared-feed.ts';
import { isLikelyMarkup, oneLine, textOfMarkup } from './feeds/markup.ts';
import { pictureInMarkup } from './feeds/pictures.ts';

const rss = (items: string, more = '') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>${more}${items}</channel></rss>`;

test('RSS, Atom and JSON Feed give the same items', async () => {
  const expected = {
    title: 'Hello & goodbye',
    summary: 'In short',
    author: 'Ada',
    published: Date.UTC(2026, 2, 10, 9) / 1000,
    image: 'http://x.test/p.jpg',
  };
  const asRss = await readFeed(
    rss(
      '<item><title>Hello &amp;amp; goodbye</title><description>&lt;p&gt;In  short&lt;/p&gt;</description><dc:creator>Ada</dc:creator><pubDate>Tue, 10 Mar 2026 09:00:00 GMT</pubDate><enclosure url="http://x.test/p.jpg" type="image/jpeg" length="1"/></item>',
    ),
  );
  assert.deepEqual(asRss, { title: 'News', items: [expected] });
  const atom = await readFeed(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title type="html">Hello &amp;amp; &lt;i&gt;goodbye&lt;/i&gt;</title><summary>In short</summary><author><name>Ada</name></author><updated>2026-03-10T09:00:00Z</updated><link rel="enclosure" type="image/jpeg" href="http://x.test/p.jpg"/></entry></feed>',
  );
  assert.deepEqual(atom.items, [expected]);
  const json = await readFeed(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News',
      items: [
        {
          id: '1',
          title: 'Hello & goodbye',
          content_text: 'In short',
          authors: [{ name: 'Ada' }],
          date_published: '2026-03-10T09:00:00Z',
          image: 'http://x.test/p.jpg',
        },
      ],
    }),
  );
  assert.deepEqual(json, { title: 'News', items: [expected] });
});

test('markup, scripts and entities in a feed become plain text', async () => {
  const { items } = await readFeed(
    rss(
      '<item><title>&lt;script&gt;alert(1)&lt;/script&gt;A&lt;b onclick=x&gt;B&lt;/b&gt; &amp;#x1F600; &amp;hellip;</title><description><![CDATA[<img src="http://x.test/in.png?a=1&amp;b=2"> text]]></description></item>',
    ),
  );
  assert.equal(items[0]!.title, 'A B 😀 …');
  assert.equal(items[0]!.summary, 'text');
  assert.equal(items[0]!.image, 'http://x.test/in.png?a=1&b=2');
});

test('a picture without a web address is left out', async () => {
  const { items } = await readFeed(
    rss(
      '<item><title>A</title><enclosure url="javascript:alert(1)" type="image/png" length="1"/></item><item><title>B</title><enclosure url="file:///etc/passwd" type="image/png" length="1"/></item>',
    ),
  );
  assert.deepEqual(
    items.map(({ image }) => image),
    [null, null],
  );
});

test('RSS without a version is read', async () => {
  const feed = await readFeed('<rss><channel><title>N</title><item><title>A</title></item></channel></rss>');
  assert.deepEqual(
    feed.items.map(({ title }) => title),
    ['A'],
  );
});

test('nested entities are not expanded', async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${rss('<item><title>&b;</title></item>').replace('<?xml version="1.0"?>', '')}`;
  const feed = await readFeed(bomb).catch(() => undefined);
  assert.ok(JSON.stringify(feed ?? '').length < 2000);
});

test('long texts are cut at a word, and at most fifty items are kept', async () => {
  const { items } = await readFeed(rss(`<item><title>${'word '.repeat(200)}</title></item>`.repeat(80)));
  assert.equal(items.length, 50);
  assert.ok(items[0]!.title.length <= 301);
  assert.match(items[0]!.title, /word…$/);
});

const file = (text: string, contentType?: string) => ({
  bytes: Buffer.from(text),
  contentType,
  url: 'http://news.example/feed.xml',
});

test('the thread refuses a page without a feed, and then reads the next file', async (t) => {
  const thread = new FeedThread();
  t.after(() => thread.end());
  await assert.rejects(
    thread.read(file('<html><body>404')),
    /This is not a feed \(the address is a web page that names no feed\)/,
  );
  const read = await thread.read(file(rss('<item><title>A</title></item>')));
  assert.equal('feed' in read && read.feed.items[0]!.title, 'A');
});

/** Reads a feed with only this item. Returns the item. */
const readItem = async (item: string) => (await readFeed(rss(item), 'http://news.example/feed.xml')).items[0]!;
const html = (markup: string) =>
  readItem(`<item><title>A</title><description><![CDATA[${markup}]]></description></item>`);

test('every entity name of HTML is decoded', async () => {
  const summary = async (markup: string) => (await html(markup)).summary;
  assert.equal(
    await summary('<p>Ma&ntilde;ana, coraz&oacute;n, ni&ntilde;os &iquest;s&iacute;? &aacute;rbol</p>'),
    'Mañana, corazón, niños ¿sí? árbol',
  );
  assert.equal(
    await summary('<p>F&ecirc;te de No&euml;l, &icirc;le, o&ugrave;, c&oelig;ur, &Eacute;t&eacute;</p>'),
    'Fête de Noël, île, où, cœur, Été',
  );
  assert.equal(await summary('&Zcaron;ivot &frac12; &CounterClockwiseContourIntegral; &#x1F600;'), 'Život ½ ∳ 😀');
  const cafe = await readItem('<item><title>Caf&eacute;&nbsp;Rom</title></item>');
  assert.equal(cafe.title, 'Café Rom');
});

test('character references 128 to 159 are read as characters of Windows-1252', async () => {
  assert.equal((await html('<p>It&#146;s 5 &#128; &#150; ok &#x93;x&#x94;</p>')).summary, 'It’s 5 € – ok “x”');
});

test('soft hyphens are removed', async () => {
  const item = await readItem(
    '<item><title><![CDATA[ &raquo;Gewerbepark&laquo; fast fertig ]]></title><description><![CDATA[Da&shy;mit er&shy;f&auml;hrt der Ha&shy;fen]]></description></item>',
  );
  assert.deepEqual([item.title, item.summary], ['»Gewerbepark« fast fertig', 'Damit erfährt der Hafen']);
});

test('a less-than sign in a title is text', async () => {
  const title = async (text: string) => (await readItem(`<item><title>${text}</title></item>`)).title;
  assert.equal(await title('Only 1 &lt; 2 left, 5 &gt; 3 gone'), 'Only 1 < 2 left, 5 > 3 gone');
  assert.equal(await title('<![CDATA[I <3 tea, and a<b]]>'), 'I <3 tea, and a<b');
  assert.equal(await title('&lt;b title="1 &gt; 0"&gt;Sale&lt;/b&gt; now'), 'Sale now');
});

test('texts of Atom and JSON Feed are read as plain text or HTML, according to their type', async () => {
  const atom = async (title: string) =>
    (await readFeed(`<feed xmlns="http://www.w3.org/2005/Atom"><title>N</title><entry>${title}</entry></feed>`))
      .items[0]!.title;
  assert.equal(
    await atom('<title type="text">Use &lt;b&gt; and &amp;amp; 1 &lt; 2</title>'),
    'Use <b> and &amp; 1 < 2',
  );
  assert.equal(await atom('<title>Only 1 &lt; 2 left, 5 &gt; 3 gone</title>'), 'Only 1 < 2 left, 5 > 3 gone');
  assert.equal(await atom('<title type="html">a &amp;lt; b &lt;i&gt;c&lt;/i&gt;</title>'), 'a < b c');
  assert.equal(
    await atom('<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b> &lt; c</div></title>'),
    'A b < c',
  );
  const json = await readFeed(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'N',
      items: [{ id: '1', title: 'Only 1 < 2 left & 5 > 3 gone', content_html: '<p>1 &lt; 2</p>' }],
    }),
  );
  assert.deepEqual([json.items[0]!.title, json.items[0]!.summary], ['Only 1 < 2 left & 5 > 3 gone', '1 < 2']);
});

test('addresses of pictures are resolved with xml:base and the address of the feed', async () => {
  const image = async (markup: string) => (await html(markup)).image;
  assert.equal(await image('<img src="/pics/a.jpg"> text'), 'http://news.example/pics/a.jpg');
  assert.equal(await image('<img src="pics/a b.jpg">'), 'http://news.example/pics/a%20b.jpg');
  assert.equal(await image('<img src="//cdn.example/a.jpg"> text'), 'http://cdn.example/a.jpg');
  const atom = await readFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/base/"><title>N</title>
      <entry xml:base="sub/"><title>A</title><content type="html" xml:base="deep/">&lt;img src="p.jpg"&gt;</content></entry>
      <entry xml:base="sub/"><title>B</title><link rel="enclosure" type="image/png" href="q.png"/></entry></feed>`,
    'http://news.example/feed.xml',
  );
  assert.deepEqual(
    atom.items.map((item) => item.image),
    ['http://news.example/base/sub/deep/p.jpg', 'http://news.example/base/sub/q.png'],
  );
  const enclosure = await readItem(
    '<item><title>A</title><enclosure url="/p.jpg?w=1" type="application/octet-stream" length="1"/></item>',
  );
  assert.equal(enclosure.image, 'http://news.example/p.jpg?w=1');
});

test('a lazily loaded picture is found', async () => {
  const image = async (markup: string) => (await html(markup)).image;
  const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
  assert.equal(await image(`<img src="${blank}" data-src="/a.jpg">`), 'http://news.example/a.jpg');
  assert.equal(await image('<img src="/loading.gif" data-lazy-src="/a.jpg">'), 'http://news.example/a.jpg');
  assert.equal(await image(`<img src="${blank}" data-original='/a.jpg'>`), 'http://news.example/a.jpg');
  assert.equal(
    await image(`<img src="${blank}" srcset="/s,1.jpg 320w, /m,1.jpg 800w, /l,1.jpg 2000w">`),
    'http://news.example/m,1.jpg',
  );
  assert.equal(await image(`<img data-srcset="/a.jpg, /b.jpg 2x">`), 'http://news.example/b.jpg');
  assert.equal(await image(`<img src="${blank}"><noscript><img src="/a.jpg"></noscript>`), 'http://news.example/a.jpg');
  assert.equal(
    await image('<picture><source srcset="/a.webp 1x"><img src="/a.jpg"></picture>'),
    'http://news.example/a.webp',
  );
});

test('a tracking pixel is not used as picture', async () => {
  const image = async (markup: string) => (await html(markup)).image;
  const real = '<img src="http://n.example/real.jpg" width="800"> t';
  for (const counter of [
    '<img src="http://t.example/1x1.gif" width="1" height="1">',
    '<img src="http://t.example/c?id=7" height=1 width=1 />',
    '<img src="http://t.example/c?id=7" style="width:1px;height:1px">',
    '<img src="http://t.example/c?id=7" style="display: none">',
    '<img src="http://t.example/spacer.gif">',
  ])
    assert.equal(await image(counter + real), 'http://n.example/real.jpg', counter);
  assert.equal(await image('<img src="http://t.example/c?id=7" width="1" height="1"> only'), null);
  const media = await readItem(
    '<item><title>A</title><media:content url="http://t.example/c" medium="image" width="1" height="1"/><media:content url="http://n.example/real.jpg" medium="image"/></item>',
  );
  assert.equal(media.image, 'http://n.example/real.jpg');
});

test('dates with time zone names are read', async () => {
  const published = async (date: string) =>
    (await readItem(`<item><title>A</title><pubDate>${date}</pubDate></item>`)).published;
  const nine = Date.UTC(2026, 10, 28, 9) / 1000;
  for (const date of [
    'Sat, 28 Nov 2026 10:00:00 CET',
    'Sat, 28 Nov 2026 11:00:00 CEST',
    'Sat, 28 Nov 2026 04:00:00 EST',
    'Sat, 28 Nov 2026 05:00 EDT',
    'Sat, 28 Nov 2026 02:00:00 PDT',
    'Sat, 28 Nov 2026 14:30:00 IST',
    'Sat, 28 Nov 2026 10:00:00 Europe/Berlin',
    'Sat, 28 Nov 2026 10:00:00 +0100',
    'Sat, 28 Nov 2026 10:00:00 +0100 (CET)',
    'Sat, 28 Nov 2026 09:00:00 GMT',
    'Sat, 28 Nov 2026 09:00:00 Z',
    'Sat, 28 Nov 2026 09:00:00',
    '28 Nov 26 09:00 UT',
    '2026-11-28T09:00:00',
    '2026-11-28 10:00:00 +0100',
    '2026-11-28T10:00:00+01:00',
  ])
    assert.equal(await published(date), nine, date);
  assert.equal(await published('yesterday'), null);
  assert.equal(await published('2026-11-28'), Date.UTC(2026, 10, 28) / 1000);
});

test('of a truncated feed the complete items are read', async () => {
  const titles = async (text: string) => (await readFeed(text)).items.map(({ title }) => title);
  const whole = rss(
    '<item><title>A</title></item><item><title>B</title><description><![CDATA[<p>]]></description></item>',
  );
  const end = whole.indexOf('</item></channel>');
  for (const cut of [end + 7, end + 5, end, end - 6, whole.indexOf('<item', 400)].filter((at) => at > 0))
    assert.deepEqual(
      await titles(whole.slice(0, cut)),
      cut >= end + 7 ? ['A', 'B'] : ['A'],
      whole.slice(cut - 20, cut),
    );
  assert.deepEqual(await titles(`${whole.slice(0, end + 7)}<item`), ['A', 'B']);
  assert.deepEqual(await titles(`${whole.slice(0, end + 7)}<item><title><![CDATA[in </item> text`), ['A', 'B']);
  const atom =
    '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>N</a:title><a:entry><a:title>A</a:title></a:entry><a:entry><a:title>B';
  assert.deepEqual(await titles(atom), ['A']);
  const json =
    '{"version":"https://jsonfeed.org/version/1.1","title":"N","items":[{"id":"1","title":"A \\" ]}"},{"id":"2","tit';
  assert.deepEqual(await titles(json), ['A " ]}']);
  await assert.rejects(readFeed(whole.slice(0, whole.indexOf('</item>'))), /end of the feed is missing/);
});

test('the character set comes from the byte order mark, the header or the declaration, and is otherwise UTF-8', async () => {
  const title = async (bytes: Buffer, contentType?: string) => {
    const read = await readFeedFile({ bytes, contentType, url: 'http://news.example/feed.xml' });
    return 'feed' in read ? read.feed.items[0]!.title : read;
  };
  const xml = (title: string, encoding?: string) =>
    `<?xml version="1.0"${encoding ? ` encoding="${encoding}"` : ''}?>\n<rss version="2.0"><channel><title>N</title><item><title>${title}</title></item></channel></rss>`;
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const LATIN1 = 'text/xml; charset=ISO-8859-1';
  assert.equal(await title(latin1(xml('Größe')), LATIN1), 'Größe', 'header alone');
  assert.equal(await title(latin1(xml('Größe', 'iso-8859-1'))), 'Größe', 'declaration alone');
  assert.equal(await title(latin1(xml('Größe', 'iso-8859-1')), 'text/xml; charset=utf-8'), 'Größe', 'header is wrong');
  assert.equal(await title(latin1(xml('Größe', 'utf-8'))), 'Größe', 'declaration is wrong');
  assert.equal(await title(latin1(xml('Größe'))), 'Größe', 'no label at all');
  assert.equal(await title(Buffer.from(xml('Zürich', 'ISO-8859-1')), LATIN1), 'Zürich', 'both are wrong');
  assert.equal(await title(Buffer.from(`\ufeff${xml('Zürich', 'ISO-8859-1')}`)), 'Zürich', 'mark before declaration');
  assert.equal(await title(Buffer.from(xml('Zürich', 'utf-16'))), 'Zürich', 'said to be UTF-16');
  assert.equal(await title(Buffer.from(xml('Zürich')), 'text/xml; charset=utf-16'), 'Zürich', 'header says UTF-16');
  assert.equal(await title(Buffer.from(`\ufeff${xml('Zürich', 'UTF-16')}`, 'utf16le')), 'Zürich', 'UTF-16LE with mark');
  assert.equal(await title(utf16be(`\ufeff${xml('Zürich', 'UTF-16')}`)), 'Zürich', 'UTF-16BE with mark');
  assert.equal(
    await title(Buffer.from(xml('Zürich', 'utf-8'), 'utf16le'), 'text/xml; charset=utf-8'),
    'Zürich',
    'UTF-16LE',
  );
  assert.equal(await title(utf16be(xml('Zürich'))), 'Zürich', 'UTF-16BE without mark');
  assert.equal(await title(Buffer.from(xml('Москва')), 'text/xml; charset=nonsense'), 'Москва', 'unknown label');
  const [before, after] = xml('Zürich – Größe|')
    .split('|')
    .map((text) => Buffer.from(text));
  const cut = Buffer.concat([before!, Buffer.from([0xc3]), after!]);
  assert.match(String(await title(cut)), /^Zürich – Größe/, 'one letter cut in two');
  const parts = xml('|', 'windows-1251').split('|');
  const word = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]);
  assert.equal(await title(Buffer.concat([Buffer.from(parts[0]!), word, Buffer.from(parts[1]!)])), 'Москва');
});

test('the feed that a web page declares is found', async () => {
  const declared = async (head: string) =>
    readFeedFile({
      bytes: Buffer.from(
        `<!doctype html><html><head>${head}</head><body><link rel="alternate" type="application/rss+xml" href="/late">`,
      ),
      contentType: 'text/html',
      url: 'http://news.example/start/',
    });
  const feed = (href: string) => ({ declared: href });
  assert.deepEqual(
    await declared('<link rel="alternate" type="application/rss+xml" title="x > y" href="feed.xml?a=1&amp;b=2">'),
    feed('http://news.example/start/feed.xml?a=1&b=2'),
  );
  assert.deepEqual(
    await declared("<LINK HREF=/atom TYPE='application/atom+xml' REL='feed ALTERNATE'>"),
    feed('http://news.example/atom'),
  );
  assert.deepEqual(
    await declared(
      '<base href="http://other.example/"><link rel="alternate" type="application/feed+json" href="f.json">',
    ),
    feed('http://other.example/f.json'),
  );
  await assert.rejects(
    declared(
      '<link rel="stylesheet" type="text/css" href="a.css"><script>"<link rel=alternate type=application/rss+xml href=/no>"</script>',
    ),
    /names no feed/,
  );
  await assert.rejects(
    declared('<link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">'),
    /names no feed/,
  );
});

/** Returns the processor time of a read, in milliseconds. */
const costOf = async (task: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const MEGABYTE = 1_000_000;
const fill = (part: string): string => part.repeat(Math.ceil(MEGABYTE / part.length)).slice(0, MEGABYTE);

test('feed reader reads one megabyte of hostile markup in less than 100 ms', async () => {
  const hostile = [
    '<',
    '<a ',
    '<a "',
    "<a '",
    '<a =',
    '<img src=',
    '<img srcset="a 1x,',
    '<!--',
    '<![CDATA[',
    '<script>',
    '&',
    '&#',
    '&a',
    '</',
    '<a b="c" ',
    ' ',
    '\u00ad',
    '<p>',
    '\n<?',
    '<img style=":',
    '<link rel=alternate ',
  ];
  const dates = ['1', ' ', '+', 'A', '2026-', ' A/', '('];
  for (const part of [...hostile, ...dates]) {
    const text = fill(part);
    const bytes = Buffer.from(text);
    const ways: Record<string, () => unknown> = {
      text: () => textOfMarkup(text, 600),
      line: () => oneLine(text, 600),
      looks: () => isLikelyMarkup(text),
      picture: () => pictureInMarkup(text, undefined),
      'open tag': () => pictureInMarkup(`<img ${text}>`, undefined),
      srcset: () => pictureInMarkup(`<img srcset="${text.replaceAll('"', '')}">`, undefined),
      style: () => pictureInMarkup(`<img src=a style="${text.replaceAll('"', '')}">`, undefined),
      date: () => secondsOf(text),
      page: () => isPage(text),
      declared: () => declaredFeed(`<html>${text}`, 'http://x.test'),
      cut: () => {
        try {
          completeItems(`<rss>${text}`);
        } catch {}
      },
      json: () => {
        try {
          completeItems(`{${text}`);
        } catch {}
      },
      charset: () => decodeFeed(bytes, text),
    };
    for (const [name, way] of Object.entries(ways)) {
      let cost = await costOf(way);
      // A slow try is repeated, to exclude the cost of compilation, garbage collection and other
      // programs.
      for (let again = 0; again < 4 && cost >= 100; again++) cost = await costOf(way);
      assert.ok(cost < 100, `${name} of ${JSON.stringify(part)}: ${cost} ms`);
    }
  }
});
