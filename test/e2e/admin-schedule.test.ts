/**
 * The schedule in the admin window: planned by sweeping, moved, stretched, repeated, deleted; then what the API says
 * and what reaches the screen.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertAccessible, drag, openShop } from './hosts/admin-window.ts';

const shop = async (t: TestContext) => {
  const { call, screen, publish, page, go } = await openShop(t);
  const player = await screen('Window');
  await call('PUT', `/api/devices/${player.deviceId}`, { timezone: 'Europe/Berlin' });
  const playlist = await publish('Lunch');
  /** Where a day's hour is in the window; days as in the list's label. */
  const at = async (day: RegExp, hour: number) => {
    const box = (await page.getByRole('list', { name: day }).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + (box.height * hour) / 24 };
  };
  const only = async () => (await call('GET', '/api/schedules'))[0];
  return { call, player, playlist, page, go, at, only };
};

/** Days of next week, which in this browser begins on Sunday. */
const DAY = 86_400_000;
const sunday = Math.floor(Date.now() / DAY) * DAY + (7 - new Date().getUTCDay()) * DAY;
const dateOf = (weekday: number) => new Date(sunday + weekday * DAY).toISOString().slice(0, 10);
const [WED, THU] = [dateOf(3), dateOf(4)];
const WEEK = `/schedule?day=${WED}`;
const WEDNESDAY = /Wednesday/;
const THURSDAY = /Thursday/;

test('hours are swept, and what is planned there is drawn each week, moved, taken back, stretched and nudged', {
  timeout: 150_000,
}, async (t) => {
  const { player, playlist, page, go, at, only } = await shop(t);
  await go(WEEK);
  await page.getByText('Nothing is planned this week').waitFor();
  await drag(page, await at(WEDNESDAY, 9), await at(WEDNESDAY, 11));
  const dialog = page.getByRole('dialog', { name: 'Plan something' });
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByText('Choose what is shown.').waitFor();
  await dialog.getByRole('button', { name: 'Playlist' }).last().click();
  await page.getByRole('option', { name: 'Lunch' }).click();
  await dialog.getByRole('button', { name: /Once/ }).click();
  await page.getByRole('option', { name: 'Weekly' }).click();
  await dialog.getByText('Every week on Wednesday').waitFor();
  await dialog.getByLabel('Name').fill('Noon');
  await dialog.getByText('Overlaps nothing in the next four weeks.').waitFor();
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await page.getByText('Noon is planned').waitFor();
  const made = await only();
  assert.deepEqual(
    [made.device_id, made.playlist_id, made.start_time, made.end_time, made.recurrence, made.timezone],
    [player.deviceId, playlist.id, `${WED}T09:00:00`, `${WED}T11:00:00`, 'FREQ=WEEKLY;BYDAY=WE', 'Europe/Berlin'],
  );
  await player.client.next('program');

  const event = page.getByRole('button', { name: /^Noon/ });
  // A drag that Escape ends changes nothing, and the release after it opens nothing.
  const [ten, two] = [await at(WEDNESDAY, 10), await at(WEDNESDAY, 14)];
  await page.mouse.move(ten.x, ten.y);
  await page.mouse.down();
  await page.mouse.move(two.x, two.y, { steps: 3 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.getByRole('button', { name: /^Noon, Wednesday.*09:00.*11:00/ }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(await only(), made);
  await drag(page, await at(WEDNESDAY, 10), await at(THURSDAY, 11));
  await page.getByText('All of its repetitions moved along.').waitFor();
  const moved = await only();
  assert.deepEqual([moved.start_time, moved.recurrence], [`${THU}T10:00:00`, 'FREQ=WEEKLY;BYDAY=TH']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Put back').waitFor();
  assert.deepEqual([(await only()).start_time, (await only()).recurrence], [made.start_time, made.recurrence]);

  const { x, y } = await at(WEDNESDAY, 11);
  await drag(page, { x, y: y - 3 }, { x, y: y + (await at(WEDNESDAY, 12)).y - y - 3 });
  await page.getByRole('button', { name: /Noon, Wednesday.*09:00.*12:00/ }).waitFor();
  await event.focus();
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Alt+ArrowUp']) await page.keyboard.press(key);
  await page.getByText(/Noon: .*09:30.*12:15/).waitFor();
  const nudged = await only();
  assert.deepEqual([nudged.start_time, nudged.end_time], [`${WED}T09:30:00`, `${WED}T12:15:00`]);
  await assertAccessible(page);
});

test('overlaps are seen before they are made and after, and what is deleted can be had back', {
  timeout: 150_000,
}, async (t) => {
  const { call, player, playlist, page, go } = await shop(t);
  const group = await call('POST', '/api/groups', { name: 'Windows' }, 201);
  await call('POST', `/api/groups/${group.id}/devices`, { device_id: player.deviceId }, 201);
  const plan = (title: string, from: string, to: string, more: object) =>
    call(
      'POST',
      '/api/schedules',
      { playlist_id: playlist.id, title, start_time: `${WED}T${from}`, end_time: `${WED}T${to}`, ...more },
      201,
    );
  await plan('All windows', '08:00', '12:00', {
    group_id: group.id,
    timezone: 'Europe/Berlin',
    priority: 50,
    recurrence: 'FREQ=DAILY',
  });
  await plan('Breakfast', '09:00', '10:00', { device_id: player.deviceId });
  await go(WEEK);
  await page
    .getByRole('button', {
      name: /All windows, Wednesday.*Every day, of the group Windows, priority 50, overruled by Breakfast/,
    })
    .waitFor();
  await page.getByRole('button', { name: /^Breakfast/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change the plan' });
  await dialog.getByText(/plays instead of All windows \(the screen’s own plan goes first\)/).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: /^Breakfast/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: /^Breakfast/ }).waitFor();
  assert.equal((await call('GET', '/api/schedules')).length, 2);
  // The group's own week.
  await page
    .getByRole('button', { name: /Window/ })
    .first()
    .click();
  await page.getByRole('option', { name: /Windows/ }).click();
  await page.waitForURL(/group/);
  await page.getByRole('button', { name: /^All windows, Saturday/ }).waitFor();
  await page
    .getByRole('button', { name: /^All windows/ })
    .nth(3)
    .waitFor();
  assert.equal(await page.getByRole('button', { name: /^All windows/ }).count(), 4, 'from Wednesday to Saturday');
});

test('when the screen is off by its opening hours is seen behind the plans, and said', {
  timeout: 150_000,
}, async (t) => {
  const { call, player, page, go } = await shop(t);
  await call('PUT', `/api/devices/${player.deviceId}`, {
    opening_hours: [{ days: [1, 2, 3, 5, 6], start: '06:00', end: '18:00' }],
  });
  await go(WEEK);
  await page.getByText(/The panel is on .*Wednesday/).waitFor();
  const closedOf = async (day: RegExp) => {
    const list = page.getByRole('list', { name: day });
    const { y, height } = (await list.boundingBox())!;
    const boxes = await list
      .locator('.calendar-closed')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom] as const));
    return boxes.map((edges) => edges.map((edge) => Math.round(((edge - y) / height) * 24)));
  };
  assert.deepEqual(await closedOf(WEDNESDAY), [
    [0, 6],
    [18, 24],
  ]);
  assert.deepEqual(await closedOf(THURSDAY), [[0, 24]]);
  await assertAccessible(page);
});
