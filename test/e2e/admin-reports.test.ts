/** Reports in the admin window: plays of players as numbers, charts and a file; and the activity log. */
// Suite: window
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright';
import { putSetting } from '../../server/db/settings-rows.ts';
import { KNOWN_FROM } from '../../server/programs/program-history.store.ts';
import { openHq } from '../chain/rig.ts';
import { playOf } from '../player-client.ts';
import { assertAccessible, download, openAdmin, openShop } from './hosts/admin-window.ts';
import { type Hands, handsOn } from './hosts/klm.ts';

const DAY_MS = 86_400_000;

const play = (content_name: string, started_at: number, seconds = 10) =>
  playOf({ content_name, started_at, ended_at: started_at + seconds * 1000 });

/** Returns the visible text of the element. */
const words = async (shown: Locator): Promise<string> => {
  await shown.waitFor();
  return (await shown.allInnerTexts()).join(' ').replace(/\s+/g, ' ');
};

test('report compares plays with the plan, and appears without the plan when that takes too long', {
  timeout: 60_000,
}, async (t) => {
  const { call, screen, page, go } = await openShop(t);
  const till = await screen('Till');
  till.client.say({ type: 'plays', first: 1, plays: [play('Bread', Date.now() - DAY_MS)] });
  await till.client.next('plays.ack');
  const [totals, waiting] = [page.locator('.report-totals'), page.locator('.report-totals .bone')];
  // Waits until the reports thread has started.
  await call('GET', '/api/reports/summary');
  let answers = true;
  await page.route('**/api/reports/delivery?*', async (route) => {
    if (!answers) return;
    await page.waitForResponse(/reports\/summary/);
    await sleep(300);
    await route.continue();
  });
  await go('/reports');
  await totals.waitFor();
  assert.equal(await waiting.count(), 0);
  answers = false;
  await go('/reports?range=days30');
  await totals.waitFor();
  assert.equal(await waiting.count(), 1);
});

test('plays are summed by content and by screen, listed one by one, and downloaded', {
  timeout: 150_000,
}, async (t) => {
  const { site, screen, page, go, addPicture, publish, assign } = await openShop(t);
  const [till, window] = [await screen('Till'), await screen('Window')];
  const now = Date.now();
  till.client.say({
    type: 'plays',
    first: 1,
    plays: [play('Bread', now - 2 * DAY_MS), play('Bread', now - DAY_MS), play('Coffee', now - DAY_MS, 20)],
  });
  await till.client.next('plays.ack');
  window.client.say({ type: 'plays', first: 1, plays: [play('Coffee', now - DAY_MS, 20)] });
  await window.client.next('plays.ack');

  await go('/reports');
  await page.getByText(/^Last 7 days: /).waitFor();
  assert.match(await words(page.locator('.report-totals')), /Plays 4 .*Screens 2/);
  const days = page.getByRole('list', { name: 'By day' }).getByRole('listitem');
  await days.nth(6).waitFor();
  assert.equal(await days.count(), 7);
  assert.match(await words(days.nth(5)), /3 plays/);
  await assertAccessible(page);

  await page.getByRole('radio', { name: 'Screens' }).click();
  const first = page.getByRole('row').filter({ hasText: 'Till' });
  assert.match(await words(first), /Till 3 40 secs?/);
  await page.getByRole('radio', { name: 'Uptime' }).click();
  await page.getByRole('row').filter({ hasText: 'Window' }).getByText('100%').waitFor();
  await page.getByRole('radio', { name: 'All plays' }).click();
  await page.getByRole('row').nth(4).waitFor();
  assert.equal(await page.getByRole('row').count(), 1 + 4);
  assert.match(page.url(), /view=plays/);

  const saved = async (item: string): Promise<string[]> => {
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await download(page.getByRole('menuitem', { name: item }));
    return readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
  };
  const lines = await saved('Table (CSV)');
  assert.equal(lines[0], 'Device,Content,Started,Ended,Duration (sec),Completed');
  assert.equal(lines.length, 1 + 4);
  const proof = await saved('Proof of play (JSONL)');
  assert.ok(proof.length > 4 && proof.every((line) => typeof JSON.parse(line) === 'object'));

  await page.getByRole('button', { name: /Period/ }).click();
  await page.getByRole('option', { name: 'Last month' }).click();
  await page.getByText(/^Last month: /).waitFor();
  await page.getByText('No plays in this period').waitFor();

  // Prepares a proof of play for an advertiser: the till shows a picture in each round of its playlist, but was offline
  // for some hours last month.
  const advert = await addPicture('Ciabatta.jpg');
  await assign((await publish('Counter', { content_id: advert, duration_sec: 10 })).id, till.deviceId);
  await site.app.history.write();
  const today = new Date();
  const month = new Date(today.getFullYear(), today.getMonth() - 1, 1).getTime();
  const { raw } = site.app.db;
  site.app.db.write(() => {
    putSetting(raw, KNOWN_FROM, month);
    raw.prepare('UPDATE program_spans SET since = ? WHERE device_id = ? AND until IS NULL').run(month, till.deviceId);
    raw
      .prepare("INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, 'offline', ?, ?)")
      .run(till.deviceId, month / 1000 + 3_600, month / 1000 + 3_600 + 22_320);
  });
  const shown = { content_id: advert, content_name: 'Ciabatta.jpg' };
  till.client.say({
    type: 'plays',
    first: 4,
    plays: Array.from({ length: 90 }, (_, n) => ({ ...play('Ciabatta.jpg', month + n * 10_000), ...shown })),
  });
  await till.client.next('plays.ack');

  const paperBy = async (hands: Hands, press: Locator): Promise<Buffer> => {
    const paper = page.waitForEvent('download');
    await hands.click(press);
    const pdf = readFileSync(await (await paper).path());
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    return pdf;
  };
  const within = (what: string, hands: Hands, most: number) => {
    const { clicks, seconds } = hands.effort();
    t.diagnostic(`${what}: ${clicks} clicks, ${seconds} s`);
    assert.ok(clicks <= 5 && seconds <= most, `${what}: ${clicks} clicks, ${seconds} s`);
  };
  // Starts on any page, finds the content by name, opens its report of the last month and prints it.
  await go('/schedule');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const fromAnywhere = handsOn(page);
  await fromAnywhere.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await fromAnywhere.type(page.locator(':focus'), 'Ciaba');
  await page
    .getByRole('menuitem', { name: /Ciabatta/ })
    .and(page.locator('[data-focused]'))
    .waitFor();
  await fromAnywhere.press('Enter');
  await fromAnywhere.click(page.getByRole('dialog').getByRole('link', { name: 'Report' }));
  await page.getByText(/^Last month: /).waitFor();
  await page.locator('.report-totals', { hasText: /Plays\s*90\s*of [\d,]+ planned/ }).waitFor();
  await paperBy(fromAnywhere, page.getByRole('button', { name: 'PDF' }));
  within('report for an advertiser, from any page', fromAnywhere, 12);
  assert.match(await words(page.locator('.report-delivered')), /Delivered 0(\.\d)?% of the planned time/);
  const missing = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Till' }) });
  assert.match(await words(missing), /The screen was off or not connected for 6 hrs?,? 12 mins?.*missing/);
  assert.match(
    await words(page.locator('tbody tr', { hasText: 'Ciabatta' })),
    /Ciabatta\.jpg [\d,]+ 90 15 mins? 0(\.\d)?%/,
  );
  await assertAccessible(page);
  assert.match(
    (await saved('Planned and shown (CSV)')).join('\n'),
    /^By,Name,Planned plays.*\nTotal,,\d+,\d+,90,900,0\.\d+\n/,
  );

  // For a report of one screen, the user finds the screen, chooses the screen and the month, and prints the report.
  await go('/reports');
  await page.locator('.report-totals').waitFor();
  const hands = handsOn(page);
  await hands.type(page.getByRole('combobox', { name: 'Filter' }), 'Till');
  await hands.click(page.getByRole('option', { name: /Till/ }));
  await page.locator('.report-totals', { hasText: /Plays\s*3/ }).waitFor();
  // The list of the field stays open for the next choice. A click elsewhere works without closing the list first.
  await hands.click(page.locator('.report-quick button', { hasText: 'Last month' }));
  await page.getByText(/^Last month: /).waitFor();
  await paperBy(hands, page.getByRole('button', { name: 'PDF' }));
  within('report of a screen, from the reports', hands, 12.5);
  assert.match(decodeURIComponent(page.url()), /only=device:/);
  await page.mouse.move(0, 0);
  await assertAccessible(page);
  assert.equal((await saved('Table (CSV)')).length, 1 + 90);

  // The report is saved and opened again.
  await page.getByRole('button', { name: 'Saved reports' }).click();
  await page.getByLabel('Name').fill('Till’s month');
  await page.getByLabel('Send monthly to').fill('cola@example.com, nobody');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Send monthly to').fill('cola@example.com');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Till’s month saved').waitFor();
  await page.getByRole('button', { name: /^Remove Till/ }).click();
  await page.getByRole('button', { name: /Period/ }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.locator('.report-totals', { hasText: /Plays\s*4/ }).waitFor();
  await page.getByRole('button', { name: 'Saved reports' }).click();
  await page.getByText('Sent monthly to cola@example.com').waitFor();
  await paperBy(handsOn(page), page.getByRole('button', { name: /^PDF of last month/ }));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('.report-totals', { hasText: /Plays\s*3/ }).waitFor();
});

test('activity log describes each change in words, and changes of other users appear by themselves', {
  timeout: 150_000,
}, async (t) => {
  const { call, page, go } = await openShop(t);
  await call('POST', '/api/playlists', { name: 'Autumn <b>' }, 201);
  await go('/activity');
  const entries = page.getByRole('list', { name: /Today/ }).getByRole('listitem');
  await entries.filter({ hasText: 'Owner created the playlist Autumn <b>' }).waitFor();
  await assertAccessible(page);
  await call('POST', '/api/playlists', { name: 'Winter' }, 201);
  await entries.filter({ hasText: 'Owner created the playlist Winter' }).waitFor();
  assert.match(await words(entries.first()), /Winter/);
});

test('in German, monthly tables stand side by side below the period, in a store and at headquarters', {
  timeout: 90_000,
}, async (t) => {
  const [store, hq] = [await openShop(t), await openHq(t)];
  const chain = await openAdmin(t, hq.site, hq.owner.token);
  for (const { page, context, go, path } of [
    { ...store, path: '/reports?from=2026-03-01&to=2026-03-09' },
    { ...chain, path: '/plays' },
  ]) {
    await context.addInitScript(() => localStorage.setItem('vitrine.language', 'de'));
    await go(path);
    const months = page.locator('.report-quick').getByRole('button');
    await months.first().waitFor();
    for (const [width, height] of [
      [1280, 720],
      [1440, 900],
      [1600, 900],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height });
      const tops = await months.evaluateAll((all) => all.map((month) => month.getBoundingClientRect().top));
      assert.deepEqual([tops.length, new Set(tops).size], [2, 1], `${path} at ${width}`);
    }
  }
});
