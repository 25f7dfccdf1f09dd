import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import type { Delivery } from '../../../../shared/contract/server/reports.ts';
import { ownedSite, TestClock } from '../../../../test/harness.ts';
import { fromAnywhere, must } from '../../../../test/people.ts';
import { upload } from '../../../../test/uploads.ts';
import { encodeGlyph } from '../pdf/glyphs.ts';
import { reportPdf } from '../pdf/report-pdf.ts';
import { addDevice, playAt, takeIn } from '../testing/plays.ts';

const NOW = Date.UTC(2026, 2, 10, 9);
const DAY_MS = 86_400_000;

/** Returns the text of each page, and the number of pictures. */
const readPdf = async (bytes: ArrayBuffer): Promise<{ pages: string[]; pictures: number }> => {
  const document = await getDocument({ data: new Uint8Array(bytes.slice(0)), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let n = 1; n <= document.numPages; n++) {
    const { items } = await (await document.getPage(n)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
  }
  const pictures =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Subtype \/Image/g)?.length ?? 0;
  return { pages, pictures };
};

test('the PDF report contains the logo, the figures of its filter, all characters, and page numbers', async (t) => {
  const clock = new TestClock(NOW);
  const { site, owner } = await ownedSite(t, { clock });
  const { token } = owner;
  const workspaceId = owner.workspaceId!;
  addDevice(site.app.db, workspaceId, 'till', { name: 'Kasse groß' });
  const names = ['Frühlingsaktion', 'Zażółć gęślą jaźń', 'Αθήνα Москва'];
  const ads = names.map((name, i) => ({ content_id: `ad${i}`, content_name: name }));
  const others = Array.from({ length: 60 }, (_, i) => ({ content_id: `c${i}`, content_name: `Other ${i}` }));
  await takeIn(site.app.db, clock, 'till', [
    ...ads.flatMap((ad, i) => [playAt(NOW - DAY_MS - i, ad), playAt(NOW - 3 * DAY_MS - i, ad)]),
    ...others.map((other, i) => playAt(NOW - 2 * DAY_MS - i * 20_000, other)),
  ]);
  const png = await sharp({ create: { width: 90, height: 30, channels: 4, background: '#c8102e80' } })
    .png()
    .toBuffer();
  const logo = must(await upload(site, token, png, 'logo.png'), 201).id;
  const body = { name: 'Müllers Läden', logo_content_id: logo };
  const workspace = must(await site.call('PUT', `/api/workspaces/${workspaceId}`, { token, body }));
  assert.equal(workspace.logo_content_id, logo);
  const pdf = async (query: string) => {
    const headers = { Authorization: `Bearer ${token}`, ...fromAnywhere() };
    const answer = await fetch(`${site.origin}/api/reports/pdf?start=2026-03-01&end=2026-03-09${query}`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.match(answer.headers.get('content-disposition')!, /report-2026-03-01-to-2026-03-09\.pdf/);
    return readPdf(await answer.arrayBuffer());
  };
  const narrowed = await pdf('&content_id=ad0,ad1,ad2&language=de');
  assert.ok(narrowed.pictures > 0);
  assert.equal(narrowed.pages.length, 1);
  assert.match(narrowed.pages[0]!, /Müllers Läden.*Wiedergabenachweis.*1\.–9\. März 2026.*Wiedergaben6Zeit/);
  for (const name of [...names, 'Kasse groß', '33,3 %', 'Seite 1 von 1'])
    assert.ok(narrowed.pages[0]!.includes(name), name);
  assert.doesNotMatch(narrowed.pages[0]!, /Other/);
  const all = await pdf('&title=For%20you');
  assert.match(all.pages[0]!, /For you.*All content on all screens.*Plays66Time/);
  assert.ok(all.pages.length > 1);
  assert.match(all.pages.at(-1)!, new RegExp(`Page ${all.pages.length} of ${all.pages.length}`));
  assert.equal((await site.call('GET', '/api/reports/pdf?language=fr', { token })).status, 400);
});

const NOTHING = { known_from: null, overall: null, by_content: [], by_device: [], by_day: [], shortfalls: [] };

test('the PDF report shows the delivered share and reasons for missing plays, and leaves out unknown values', async () => {
  const start = Date.UTC(2026, 2, 1);
  const played = { plays: 75, total_seconds: 750 };
  const of = { ...played, planned_plays: 100, planned_seconds: 1_000, delivered_pct: 75 };
  const [content, device] = [
    { content_id: 'c', widget_id: null, content_name: 'Cola' },
    { device_id: 'd', device_name: 'Window 3' },
  ];
  const summary = {
    overall: {
      total_plays: 75,
      total_seconds: 750,
      total_hours: 0.2,
      unique_content: 1,
      unique_devices: 1,
      avg_duration_sec: 10,
    },
    by_content: [{ ...content, ...played }],
    by_device: [{ ...device, ...played }],
    by_hour: [],
    by_day: [{ day: '2026-03-01', ...played }],
  };
  const missing = {
    ...device,
    missing_seconds: 250,
    off_seconds: 22_320,
    off_since: null,
    program_seconds: 0,
    faults: 0,
    last_fault: null,
    added_at: null,
    removed_at: null,
  };
  const planned = {
    known_from: start / 1000,
    overall: of,
    by_content: [
      { ...content, ...of },
      {
        ...content,
        content_id: 'never',
        content_name: 'Never shown',
        ...of,
        plays: 0,
        total_seconds: 0,
        delivered_pct: 0,
      },
    ],
    by_device: [{ ...device, ...of }],
    by_day: [{ day: '2026-03-01', ...of }],
    shortfalls: [missing],
  };
  const facts = {
    title: undefined,
    store: 'Store',
    from: '2026-03-01',
    to: '2026-03-09',
    zone: 'UTC',
    filters: [],
    now: NOW,
  };
  const read = async (language: 'en' | 'de', known: Delivery, hasDay = true) => {
    const bytes = await reportPdf({ ...facts, language }, summary, {
      planned: known,
      start,
      hasDay,
      signatures: 0,
      logo: undefined,
    });
    return (await readPdf(Uint8Array.from(bytes).buffer)).pages.join('');
  };
  const whole = await read('en', planned);
  assert.match(
    whole,
    /Delivered75\.0%Plays75of 100 planned.*ShownPlanned|Delivered75\.0%Plays75of 100 planned.*PlannedShown/,
  );
  for (const text of [
    'Never shown',
    'Window 3 was off or not connected for 6 h 12 min.',
    'A play that was cut short counts',
  ])
    assert.ok(whole.includes(text), text);
  assert.match(await read('de', planned), /Erfüllt75,0 %.*Window 3 war 6 Std\. 12 Min\. aus oder nicht verbunden\./);
  const partly = await read('en', { ...planned, known_from: start / 1000 + 86_400 });
  assert.match(partly, /Delivered75\.0%.*Planned playback is recorded since 2 March 2026/);
  assert.doesNotMatch(partly, /of 100 planned|Never shown/);
  const early = await read('en', { ...planned, known_from: start / 1000 + 86_400 }, false);
  assert.match(early, /Delivered–Plays75.*Delivered.*“Delivered” is known after the first whole day/);
  assert.doesNotMatch(early, /75\.0%/);
  assert.match(await read('de', planned, false), /Erfüllt–.*„Erfüllt“ ist nach dem ersten ganzen Tag bekannt/);
  const unknown = await read('en', NOTHING);
  assert.match(unknown, /Plays75.*Share/);
  assert.doesNotMatch(unknown, /Delivered|[Pp]lanned/);
});

test('a glyph is embedded in the PDF as the contours of its outline', () => {
  const square = [
    { command: 'moveTo', args: [0, 0] },
    { command: 'lineTo', args: [0, 700] },
    { command: 'quadraticCurveTo', args: [500, 700, 500, -100] },
    { command: 'lineTo', args: [0, 0] },
    { command: 'closePath', args: [] },
  ];
  const bytes = encodeGlyph({ commands: square });
  const view = new DataView(bytes.buffer);
  const numbers = Array.from({ length: 7 }, (_, i) => view.getInt16(2 * i));
  // In this order: number of contours, bounding box, last point (the closing point is not repeated), no instructions.
  assert.deepEqual(numbers, [1, 0, -100, 500, 700, 3, 0]);
  assert.deepEqual([...bytes.subarray(14, 18)], [1, 1, 0, 1]);
  const deltas = Array.from({ length: 8 }, (_, i) => view.getInt16(18 + 2 * i));
  assert.deepEqual(deltas, [0, 0, 500, 0, 0, 700, 0, -800]);
  assert.equal(bytes.length % 4, 0);
  assert.equal(encodeGlyph({ commands: [] }).length, 0);
});
