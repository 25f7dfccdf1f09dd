import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { screens } from './testing/browser.ts';
import { pdf } from './testing/documents.ts';
import { BLUE, GREEN, RED, YELLOW } from './testing/pictures.ts';
import { item, layout, NOON, playing, program, zone } from './testing/programs.ts';

const open = screens();

const CENTRE = [960, 540] as const;

test('pages share the play of a document equally, two screens show the same page, and the next item is on time', async () => {
  await using screen = await open();
  const asset = screen.host.add(pdf([RED, GREEN, BLUE]), 'application/pdf');
  const after = await screen.plain(YELLOW);
  screen.host.setClock(NOON + 1_000);
  screen.play(
    item(1, { kind: 'pdf', asset, name: 'menu.pdf', duration_ms: 60_000 }),
    item(2, { asset: after, duration_ms: 60_000 }),
  );
  await screen.open();
  await screen.seen(...CENTRE, RED, 20_000);
  screen.host.setClock(NOON + 19_000);
  await screen.seen(...CENTRE, GREEN);
  assert.ok(screen.host.now() >= NOON + 20_000, 'not before its instant');
  screen.host.setClock(NOON + 39_500);
  await screen.seen(...CENTRE, BLUE);
  // A player that starts in the middle of the play shows the page that the clock requires.
  await using late = await open();
  for (const body of [pdf([RED, GREEN, BLUE])]) late.host.add(body, 'application/pdf');
  late.host.setClock(NOON + 25_000);
  late.play(item(1, { kind: 'pdf', asset, duration_ms: 60_000 }));
  await late.open();
  await late.seen(...CENTRE, GREEN, 20_000);
  screen.host.setClock(NOON + 59_000);
  await screen.seen(...CENTRE, YELLOW);
  const [turn] = screen.host.of('ended').filter(({ completed }) => completed);
  assert.ok(turn || screen.host.of('ended').length > 0);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test('no frame is blank between two pages, also when the document repeats', async () => {
  await using screen = await open();
  const asset = screen.host.add(pdf([RED, GREEN]), 'application/pdf');
  screen.host.setClock(NOON + 100);
  screen.play(item(1, { kind: 'pdf', asset, duration_ms: 2_400 }));
  await screen.open();
  await screen.seen(...CENTRE, RED, 20_000);
  const pages = await screen.page.evaluate(async () => {
    const seen: string[] = [];
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      await new Promise(requestAnimationFrame);
      const lit = document.querySelectorAll('.slot.front canvas.lit');
      seen.push(String(lit.length));
      if (lit.length === 0) break;
    }
    return seen;
  });
  assert.ok(!pages.includes('0'), 'there is always a page');
  await screen.seen(...CENTRE, GREEN);
  await screen.seen(...CENTRE, RED);
  await screen.seen(...CENTRE, GREEN);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test("pages are fitted into the zone like pictures, and drawn with the player's own fonts", async () => {
  await using screen = await open();
  const upright = screen.host.add(pdf([RED], { width: 540, height: 960, text: 'M' }), 'application/pdf');
  const whole = layout('l', [zone('z', { fit: 'contain', background: '#143cd2' })]);
  screen.host.setClock(NOON + 1_000);
  screen.host.push(
    playing(program([item(1, { kind: 'pdf', asset: upright, duration_ms: 600_000 })], { layouts: [whole] })),
  );
  await screen.open();
  await screen.seen(960, 20, RED, 20_000);
  const look = await screen.look();
  assert.deepEqual(
    [look.at(200, 540), look.at(1720, 540)],
    [
      [20, 60, 210],
      [20, 60, 210],
    ],
  );
  let white = 0;
  for (let x = 660; x < 1260; x += 4) for (let y = 0; y < 1080; y += 4) if (Math.min(...look.at(x, y)) > 240) white++;
  assert.ok(white > 200, `the letter is drawn (${white} white points)`);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

test('document that is damaged or locked by a password is skipped once with a reason', async () => {
  await using screen = await open();
  const broken = screen.host.add('%PDF-1.4\nnothing else', 'application/pdf');
  const locked = screen.host.add(pdf([RED], { locked: true }), 'application/pdf');
  const green = await screen.plain(GREEN);
  screen.host.setClock(NOON);
  screen.play(
    item(1, { kind: 'pdf', asset: broken, name: 'broken.pdf', duration_ms: 60_000 }),
    item(2, { kind: 'pdf', asset: locked, name: 'locked.pdf', duration_ms: 60_000 }),
    item(3, { asset: green, duration_ms: 60_000 }),
  );
  await screen.open();
  await screen.seen(...CENTRE, GREEN, 20_000);
  assert.match(
    (await screen.host.until('fault', ({ item_id }) => item_id === 1)).message,
    /broken\.pdf: the PDF cannot be read/,
  );
  screen.host.setClock(NOON + 45_000);
  assert.match(
    (await screen.host.until('fault', ({ item_id }) => item_id === 2)).message,
    /locked\.pdf: the PDF is protected by a password/,
  );
  assert.equal((await screen.look()).at(...CENTRE)[1] > 100, true, 'what can be shown stays');
});

test('repeated documents leave no canvases, workers or files open', async () => {
  await using screen = await open();
  const first = screen.host.add(pdf([RED, GREEN]), 'application/pdf');
  const second = screen.host.add(pdf([BLUE, YELLOW]), 'application/pdf');
  screen.host.setClock(NOON);
  screen.host.push(
    playing(program([first, second].map((asset, i) => item(i + 1, { kind: 'pdf', asset, duration_ms: 1_000 })))),
  );
  await screen.open();
  for (let turns = 0; turns < 5; turns++)
    await screen.host.until('shown', ({ started_at }) => started_at > NOON + turns * 1_000 - 400, 30_000);
  assert.ok((await screen.page.locator('canvas').count()) <= 4);
  assert.ok(screen.page.workers().length <= 5, `${screen.page.workers().length} workers`);
  assert.deepEqual([...screen.host.of('fault'), ...screen.complaints], []);
});

for (const stuck of ['worker', 'renderer'])
  test(`document whose ${stuck} never starts leaves no worker behind, and the next document is shown`, async () => {
    await using screen = await open();
    const first = screen.host.add(pdf([RED]), 'application/pdf');
    const second = screen.host.add(pdf([GREEN]), 'application/pdf');
    const asked = Promise.withResolvers<void>();
    let isStuck = true;
    await screen.page.route(`**/pdf.${stuck}.*`, async (route) => {
      asked.resolve();
      if (!isStuck) await route.continue();
    });
    screen.host.setClock(NOON);
    screen.play(item(1, { kind: 'pdf', asset: first, duration_ms: 60_000 }));
    await screen.open();
    await asked.promise;
    isStuck = false;
    screen.play(item(2, { kind: 'pdf', asset: second, duration_ms: 60_000 }));
    await screen.seen(...CENTRE, GREEN, 20_000);
    await until('the workers of the first document end', 5_000, () => screen.page.workers().length === 2);
  });
