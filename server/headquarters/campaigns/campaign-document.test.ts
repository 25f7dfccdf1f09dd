/**
 * Tests the documents of campaigns: a document contains all records that stores need, and errors name each record that
 * stores could not show.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobsOf } from '../../../shared/chain/campaign.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
  buildDocument,
  type CampaignLibrary,
  type DecidedCampaign,
  type LibraryContent,
  type LibraryItem,
  type LibraryLayout,
  type LibraryPlaylist,
} from './campaign-document.ts';

const ALWAYS = { valid_from: null, valid_until: null };
const fileOf = (n: number) => ({ sha256: n.toString(16).padStart(64, '0'), size: n, mime: 'image/png' });
const contentOf = (id: string, n: number, more: Partial<LibraryContent> = {}): LibraryContent => ({
  id,
  filename: `${id}.png`,
  mime_type: 'image/png',
  kind: 'image',
  duration_sec: null,
  width: 10,
  height: 10,
  remote_url: null,
  file: fileOf(n),
  thumbnail: null,
  ...ALWAYS,
  ...more,
});
const itemOf = (content_id: string | null, more: Partial<LibraryItem> = {}): LibraryItem => ({
  content_id,
  widget_id: null,
  zone_id: null,
  duration_sec: 10,
  muted: false,
  blocks: [],
  transition: null,
  ...ALWAYS,
  ...more,
});
const playlistOf = (id: string, items: readonly LibraryItem[], published_ms: number | null = 5): LibraryPlaylist => ({
  id,
  name: id,
  description: '',
  published_ms,
  transition: null,
  items,
});
const zoneOf = (id: string, more: Partial<LibraryLayout['zones'][number]> = {}): LibraryLayout['zones'][number] => ({
  ...{ id, name: id, x_percent: 0, y_percent: 0, width_percent: 50, height_percent: 100, z_index: 0 },
  ...{ zone_type: 'content', fit_mode: 'cover', background_color: '#000000' },
  ...{ content_id: null, widget_id: null, playlist_id: null },
  ...more,
});
const widgetOf = (id: string, widget_type: string, config: Record<string, unknown>) => ({
  id,
  widget_type,
  name: id,
  config,
  ...ALWAYS,
});

const libraryOf = (
  more: {
    contents?: LibraryContent[];
    playlists?: LibraryPlaylist[];
    layouts?: LibraryLayout[];
    widgets?: ReturnType<typeof widgetOf>[];
  } = {},
): CampaignLibrary => {
  const { contents = [contentOf('sale', 1), contentOf('logo', 2)], layouts = [], widgets = [] } = more;
  const playlists = more.playlists ?? [playlistOf('loop', [itemOf('sale'), itemOf('logo')])];
  return {
    playlist: (id) => playlists.find((one) => one.id === id),
    layout: (id) => layouts.find((one) => one.id === id),
    content: (id) => contents.find((one) => one.id === id),
    widget: (id) => widgets.find((one) => one.id === id),
    kioskPage: (id) => (id === 'welcome' ? 'Welcome' : undefined),
  };
};
const decidedOf = (more: Partial<DecidedCampaign> = {}): DecidedCampaign => ({
  ...{ id: 'c1', name: 'Sale', note: '', rank: 'must', playlist_id: 'loop', layout_id: null, whole_screen: false },
  ...{ start_time: '2026-11-27T09:00:00', end_time: '2026-11-27T18:00:00', recurrence: null, recurrence_end: null },
  ...{ begins: 'whole', where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
  ...more,
});
const slotOf = (id: string, after: number, content_id: string | null = null): DecidedCampaign['slots'][number] => ({
  ...{ id, name: id, max_items: 2, max_seconds: 30, kinds: ['image'], after, content_id },
});
const AT = { edition: 1, made_ms: 7 };
const docOf = (library: CampaignLibrary, decided = decidedOf()) => buildDocument(library, decided, AT).doc;
const refused = (library: CampaignLibrary, decided = decidedOf()): string => {
  try {
    buildDocument(library, decided, AT);
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 409, String(error));
    return error.message;
  }
  return assert.fail('it was taken');
};
const withWidget = (type: string, config: Record<string, unknown>, ...others: ReturnType<typeof widgetOf>[]) =>
  libraryOf({
    playlists: [playlistOf('loop', [itemOf(null, { widget_id: 'board' })])],
    widgets: [widgetOf('board', type, config), ...others],
  });
const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id);

test('document contains the published items and their files, and each build gives the same bytes', () => {
  const library = libraryOf({ contents: [contentOf('sale', 1, { thumbnail: fileOf(3) }), contentOf('logo', 2)] });
  const { doc, text } = buildDocument(library, decidedOf(), AT);
  assert.deepEqual(ids(doc.contents), ['logo', 'sale']);
  assert.deepEqual(
    doc.playlists[0]!.items.map(({ content_id }) => content_id),
    ['sale', 'logo'],
  );
  assert.deepEqual([doc.playlist_id, doc.layout_id, doc.layouts], ['c1-playlist', null, []]);
  assert.deepEqual(
    blobsOf(doc)
      .map(({ size }) => size)
      .sort(),
    [1, 2, 3],
  );
  assert.equal(buildDocument(library, decidedOf(), AT).text, text);
});

test('document contains the pictures and clips that a design shows, and names them for the store', () => {
  const designOf = (shows: string[]) => contentOf('menu', 3, { kind: 'design', shows });
  const library = (menu: LibraryContent) =>
    libraryOf({
      contents: [menu, contentOf('sale', 1), contentOf('page', 4, { kind: 'pdf' })],
      playlists: [playlistOf('loop', [itemOf('menu')])],
    });
  const doc = docOf(library(designOf(['gone', 'page', 'sale'])));
  assert.deepEqual(
    doc.contents.map(({ id, shows }) => [id, shows]),
    [
      ['menu', ['sale']],
      ['sale', undefined],
    ],
    'a design can show neither a deleted content nor a PDF',
  );
  assert.deepEqual(blobsOf(doc).length, 2);
  const waiting = libraryOf({
    contents: [designOf(['sale']), contentOf('sale', 1, { file: null, remote_url: 'http://a.test/sale.png' })],
    playlists: [playlistOf('loop', [itemOf('menu')])],
  });
  assert.match(refused(waiting), /^The file of sale\.png is not on this server yet/);
});

test('campaign document is refused when the playlist was never published or no longer exists', () => {
  assert.match(refused(libraryOf({ playlists: [playlistOf('loop', [], null)] })), /playlist loop is not published/);
  assert.match(refused(libraryOf({ playlists: [] })), /playlist no longer exists/);
});

test('campaign document is refused when it would show nothing', () => {
  assert.match(refused(libraryOf({ playlists: [playlistOf('loop', [])] })), /nothing to show/);
  assert.match(refused(libraryOf(), decidedOf({ playlist_id: null })), /nothing to show/);
  assert.match(refused(libraryOf(), decidedOf({ playlist_id: null, whole_screen: true })), /nothing to show/);
});

test('document contains the playlists, content and widgets of zones, and each item refers only to its zones', () => {
  const layout: LibraryLayout = {
    ...{ id: 'two', name: 'Two', width: 1920, height: 1080 },
    zones: [zoneOf('left', { playlist_id: 'side' }), zoneOf('right', { content_id: 'logo', widget_id: 'clock' })],
  };
  const library = libraryOf({
    layouts: [layout],
    playlists: [
      playlistOf('loop', [itemOf('sale', { zone_id: 'right' }), itemOf('sale', { zone_id: 'elsewhere' })]),
      playlistOf('side', [itemOf('sale')]),
    ],
    widgets: [widgetOf('clock', 'clock', {})],
  });
  const doc = docOf(library, decidedOf({ layout_id: 'two' }));
  assert.deepEqual(
    [ids(doc.layouts), ids(doc.playlists), ids(doc.contents), ids(doc.widgets)],
    [['c1-layout'], [doc.layouts[0]!.zones[0]!.playlist_id, 'c1-playlist'], ['logo', 'sale'], ['clock']],
  );
  assert.match(doc.playlists[0]!.id, /^c1-[0-9a-f]{16}$/);
  assert.deepEqual(
    doc.playlists[1]!.items.map(({ zone_id }) => zone_id),
    ['c1-zone-1', null],
  );
});

test('layout in the document gets ids of the campaign, even if the layout is a built-in template', () => {
  const layout: LibraryLayout = {
    ...{ id: 'template-halves', name: 'Halves', width: 1920, height: 1080 },
    zones: [zoneOf('template-halves-0'), zoneOf('template-halves-1')],
  };
  const playlists = [playlistOf('loop', [itemOf('sale', { zone_id: 'template-halves-1' })])];
  const doc = docOf(libraryOf({ layouts: [layout], playlists }), decidedOf({ layout_id: 'template-halves' }));
  assert.equal(doc.layout_id, 'c1-layout');
  assert.deepEqual(ids(doc.layouts[0]!.zones), ['c1-zone-0', 'c1-zone-1']);
  assert.equal(doc.playlists[0]!.items[0]!.zone_id, 'c1-zone-1');
});

test('whole-screen campaign gets a layout with one zone and the same id in each edition', () => {
  const doc = docOf(libraryOf(), decidedOf({ whole_screen: true }));
  assert.deepEqual([doc.layout_id, ids(doc.layouts), doc.layouts[0]!.zones.length], ['c1-full', ['c1-full'], 1]);
  assert.equal(doc.layouts[0]!.zones[0]!.width_percent, 100);
});

test('slots stay at their positions and keep their ids, in a playlist that only this campaign uses', () => {
  const slots = [slotOf('first', 0), slotOf('middle', 1, 'logo'), slotOf('far', 99)];
  const contents = [contentOf('sale', 1), contentOf('logo', 2, { duration_sec: 7.2 })];
  const doc = docOf(libraryOf({ contents }), decidedOf({ slots }));
  assert.equal(doc.playlist_id, 'c1-playlist');
  assert.deepEqual(
    doc.playlists[0]!.items.map(({ slot, content_id, duration_sec }) => [slot?.id, content_id, duration_sec]),
    [
      ['first', null, 10],
      [undefined, 'sale', 10],
      ['middle', 'logo', 8],
      [undefined, 'logo', 10],
      ['far', null, 10],
    ],
  );
  assert.deepEqual(doc.playlists[0]!.items[0]!.slot, {
    ...{ id: 'first', name: 'first', max_items: 2, max_seconds: 30, kinds: ['image'] },
  });
});

test('campaign document is refused when a file is missing, but accepted for a live page, which has no file', () => {
  const contentsWith = (more: Partial<LibraryContent>) =>
    libraryOf({ contents: [contentOf('sale', 1, { file: null, ...more }), contentOf('logo', 2)] });
  assert.match(refused(contentsWith({})), /file of sale\.png is not on this server yet/);
  assert.match(refused(contentsWith({ kind: 'video', remote_url: 'https://a.test/b.mp4' })), /sale\.png/);
  const live = docOf(contentsWith({ kind: 'web', remote_url: 'https://a.test/' }));
  assert.equal(live.contents.find(({ id }) => id === 'sale')!.remote_url, 'https://a.test/');
});

test('content that a widget names anywhere in its config is part of the document', () => {
  const path = (id: string) => `/api/content/${id}/file`;
  const named: [string, Record<string, unknown>][] = [
    ['directory-board', { logo_url: path('sale') }],
    ['directory-board', { background_images: ['https://a.test/b.png', path('sale')] }],
    ['directory-board', { logo_url: `https://hq.test:8443${path('sale')}` }],
    ['text', { html: `<img src="${path('sale')}">` }],
    ['webpage', { url: path('sale') }],
  ];
  for (const [type, config] of named) assert.deepEqual(ids(docOf(withWidget(type, config)).contents), ['sale'], type);
  const board = widgetOf('source', 'directory-board', { logo_url: path('logo') });
  const doc = docOf(withWidget('directory-search', { source_widget_id: 'source' }, board));
  assert.deepEqual([ids(doc.widgets), ids(doc.contents)], [['board', 'source'], ['logo']]);
});

test('document is refused with the name of the widget when stores could not show an address in it', () => {
  const kiosk = '/api/kiosk/welcome/render';
  for (const [type, config] of [
    ['webpage', { url: kiosk }],
    ['webpage', { url: `https://hq.test:8443${kiosk}?a` }],
    ['text', { html: `<iframe src='${kiosk}'>` }],
  ] as const)
    assert.match(refused(withWidget(type, config)), /widget board shows the kiosk page Welcome/);
  for (const [type, config, path] of [
    ['webpage', { url: '/setup' }, '/setup'],
    ['rss', { feed_url: '/feed.xml' }, '/feed.xml'],
    ['directory-board', { background_images: ['/a.png'] }, '/a.png'],
    ['directory-board', { logo_url: '/api/content/gone/file' }, '/api/content/gone/file'],
  ] as const)
    assert.ok(refused(withWidget(type, config)).includes(`widget board shows ${path} of this server`), path);
  docOf(withWidget('webpage', { url: 'https://a.test/' }));
  docOf(withWidget('text', { html: '/ not a path' }));
  docOf(withWidget('directory-board', { logo_url: 'data:image/png;base64,AAAA' }));
});

test('widgets that refer to each other do not cause an endless loop', () => {
  const source = (id: string, other: string) => widgetOf(id, 'directory-search', { source_widget_id: other });
  const doc = docOf(withWidget('directory-search', { source_widget_id: 'other' }, source('other', 'board')));
  assert.deepEqual(ids(doc.widgets), ['board', 'other']);
});

test('document is refused when it is larger than a store accepts', () => {
  const contents = Array.from({ length: 2_001 }, (_, i) => contentOf(`c${i}`, i));
  const items = contents.slice(0, 2_000).map(({ id }) => itemOf(id));
  docOf(libraryOf({ contents, playlists: [playlistOf('loop', items)] }));
  const tooMany = [...items, itemOf('c2000')];
  assert.match(refused(libraryOf({ contents, playlists: [playlistOf('loop', tooMany)] })), /too large for stores/);
  const long = withWidget('text', { html: 'x'.repeat(5 * 1024 * 1024) });
  assert.match(refused(long), /too large for stores/);
});
