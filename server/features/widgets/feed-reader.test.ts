import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFeed } from './feed-reader.ts';
import { FeedThread } from './feed-thread.ts';

const rss = (items: string, more = '') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>${more}${items}</channel></rss>`;

test('RSS, Atom and JSON Feed become the same items', async () => {
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

test('markup, scripts and entities of other people become plain text', async () => {
  const { items } = await readFeed(
    rss(
      '<item><title>&lt;script&gt;alert(1)&lt;/script&gt;A&lt;b onclick=x&gt;B&lt;/b&gt; &amp;#x1F600; &amp;hellip;</title><description><![CDATA[<img src="http://x.test/in.png?a=1&amp;b=2"> text]]></description></item>',
    ),
  );
  assert.equal(items[0]!.title, 'A B 😀 …');
  assert.equal(items[0]!.summary, 'text');
  assert.equal(items[0]!.image, 'http://x.test/in.png?a=1&b=2');
});

test('a picture that is no web address is none', async () => {
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

test('entities that multiply are not followed', async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${rss('<item><title>&b;</title></item>').replace('<?xml version="1.0"?>', '')}`;
  const feed = await readFeed(bomb).catch(() => undefined);
  assert.ok(JSON.stringify(feed ?? '').length < 2000);
});

test('long texts are cut at a word, and no more than fifty items are kept', async () => {
  const { items } = await readFeed(rss(`<item><title>${'word '.repeat(200)}</title></item>`.repeat(80)));
  assert.equal(items.length, 50);
  assert.ok(items[0]!.title.length <= 301);
  assert.match(items[0]!.title, /word…$/);
});

test('the thread says what is no feed, and reads the next one', async (t) => {
  const thread = new FeedThread();
  t.after(() => thread.end());
  await assert.rejects(thread.read('<html><body>404'), /This is not a feed/);
  assert.equal((await thread.read(rss('<item><title>A</title></item>'))).items[0]!.title, 'A');
});
