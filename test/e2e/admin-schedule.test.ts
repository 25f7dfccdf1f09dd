/**
 * The schedule in the admin window: a campaign is planned, shown, moved, resized, changed by two users at once, and
 * deleted; checked with the API and the screen.
 */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../until.ts';
import { assertAccessible, drag, openShop } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

const DAY = 86_400_000;
/** Days of next week, which begins on Sunday in this browser. */
const sunday = Math.floor(Date.now() / DAY) * DAY + (7 - new Date().getUTCDay()) * DAY;
const dateOf = (weekday: number) => new Date(sunday + weekday * DAY).toISOString().slice(0, 10);
const [MON, WED, THU] = [dateOf(1), dateOf(3), dateOf(4)];
const [FRIDAY_AFTER, SUNDAY_AFTER] = [dateOf(12), dateOf(14)];
const WEDNESDAY = /Wednesday/;
const THURSDAY = /Thursday/;
/** The date as typed into a field of an American browser. */
const typed = (date: string) => date.replace(/(\d+)-(\d+)-(\d+)/, '$2$3$1');

const shop = async (t: TestContext) => {
  const opened = await openShop(t);
  const { call, screen, publish, addPicture, page } = opened;
  const player = await screen('Window left');
  await call('PUT', `/api/devices/${player.deviceId}`, { timezone: 'Europe/Berlin' });
  const picture = { content_id: await addPicture('soup.jpg') };
  const playlist = await publish('Lunch', picture);
  const plans = (): Promise<any[]> => call('GET', '/api/plans');
  return {
    ...opened,
    player,
    playlist,
    picture,
    plans,
    only: async () => (await plans())[0],
    plan: (body: object) => call('POST', '/api/plans', body, 201),
    on: { targets: [{ kind: 'device', id: player.deviceId }] },
    own: `/schedule?for=screen:${player.deviceId}&day=${WED}`,
    /** Returns where an hour of a day is in the week view of one screen, in pixels. */
    at: async (day: RegExp, hour: number) => {
      const box = (await page.getByRole('list', { name: day }).boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + (box.height * hour) / 24 };
    },
  };
};

test('campaign of two weeks is planned with 12 clicks, and its summary, its conflicts and its days are shown', {
  timeout: 120_000,
}, async (t) => {
  const { call, player, playlist, picture, page, go, only, assign, publish } = await shop(t);
  const group = await call('POST', '/api/groups', { name: 'All windows' }, 201);
  await call('POST', `/api/groups/${group.id}/devices`, { device_id: player.deviceId }, 201);
  await assign((await publish('Every day', picture)).id, player.deviceId);
  await go('/schedule');
  await page.locator('.rows-head').getByText('1 screen').waitFor();
  const hands = handsOn(page);
  await hands.click(page.getByRole('button', { name: 'New plan' }));
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  // Types at once, because the first field has the focus.
  await hands.type(dialog.getByRole('combobox', { name: 'Content, playlist, widget or layout' }), 'lun');
  await page.getByRole('option', { name: 'Lunch' }).waitFor();
  await hands.click(page.getByRole('option', { name: 'Lunch' }));
  await hands.type(dialog.getByRole('combobox', { name: 'Screens, groups or tags' }), 'all');
  await hands.click(page.getByRole('option', { name: /All windows/ }));
  await hands.type(dialog.getByLabel('First day'), typed(MON));
  await hands.click(dialog.getByRole('radio', { name: '2 weeks' }));
  await hands.click(dialog.getByText('From … to …'));
  await hands.click(dialog.getByRole('button', { name: 'Mon to Fri' }));
  await dialog
    .getByText(
      /^Every Monday to Friday from .* to .*, 09:00.*18:00.*on 1 screen$|^Every Monday to Friday from .* to .*, 09:00 AM–06:00 PM, on 1 screen$/,
    )
    .waitFor();
  await dialog.getByRole('heading', { name: /Next/ }).waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'Every day' }).waitFor();
  await assertAccessible(page);
  await hands.click(dialog.getByRole('button', { name: 'Create plan' }));
  await page.getByText('The plan is created').waitFor();
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`${clicks} clicks, ${seconds} s`);
  assert.ok(clicks <= 12 && seconds <= 30, `${clicks} clicks, ${seconds} s`);
  const made = await only();
  assert.deepEqual(
    [
      made.targets,
      made.playlist_id,
      made.start_time,
      made.end_time,
      made.recurrence,
      made.recurrence_end,
      made.timezone,
    ],
    [
      [{ kind: 'group', id: group.id, name: 'All windows' }],
      playlist.id,
      `${MON}T09:00:00`,
      `${MON}T18:00:00`,
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      SUNDAY_AFTER,
      'Europe/Berlin',
    ],
  );
  await player.client.next('program');

  // Checks the calendar, which shows the resulting plan of each screen and day, at a width where titles fit.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'The week after' }).click();
  await page.getByRole('button', { name: /^Lunch, Window left, Wednesday/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Lunch, Window left/ }).count(), 5);
  await assertAccessible(page);
  await page.getByRole('radio', { name: 'Day' }).click();
  await page.getByRole('radio', { name: 'Month' }).waitFor();
});

test('in a search list, Enter chooses the first result, leaving chooses an exact name, and Escape chooses nothing', {
  timeout: 120_000,
}, async (t) => {
  const { page, go, playlist, picture, publish, only } = await shop(t);
  await publish('Lunch menu', picture);
  await go('/schedule');
  await page.getByRole('button', { name: 'New plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  const what = dialog.getByRole('combobox', { name: 'Content, playlist, widget or layout' });
  await what.pressSequentially('lun');
  await page
    .getByRole('option', { name: /^Lunch/ })
    .first()
    .waitFor();
  const marked = page.locator(`[id="${await what.getAttribute('aria-activedescendant')}"]`);
  assert.match((await marked.textContent()) ?? '', /Lunch/, 'screen readers hear the first hit');
  await page.keyboard.press('Escape');
  assert.equal(await what.inputValue(), '');
  assert.ok(await dialog.isVisible(), 'Escape closes the list, not the dialog');
  // Enter is pressed before the results arrive: the choice waits for them.
  await page.keyboard.type('lunch me');
  await page.keyboard.press('Enter');
  const chosen = dialog.getByRole('button', { name: 'Content, playlist, widget or layout: Lunch menu' });
  await chosen.click();
  await what.waitFor();
  await page.keyboard.press('Escape');
  await chosen.click();
  await what.pressSequentially('Lunch');
  await page.keyboard.press('Tab');
  // Finds the button by its class: the list of the next field is open, which hides everything else from screen readers.
  await dialog.locator('.picked-button', { hasText: /^Lunch$/ }).waitFor();
  const where = dialog.getByRole('combobox', { name: 'Screens, groups or tags' });
  await where.click();
  await page.keyboard.type('window');
  await page.getByRole('option', { name: /Window left/ }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await dialog.locator('.chip').count(), 0, 'part of a name is no choice');
  await where.fill('Window left');
  await page.getByRole('option', { name: /Window left/ }).waitFor();
  await page.keyboard.press('Enter');
  // Closes the list first, because an open list hides all other elements from screen readers.
  await page.keyboard.press('Escape');
  await dialog.getByRole('row', { name: /Window left/ }).waitFor();
  await dialog.getByText('Create plan').click();
  await page.getByText('The plan is created').waitFor();
  assert.equal((await only()).playlist_id, playlist.id);
  // The calendar shows the new plan.
  await page.locator('.fresh').first().waitFor();
  await page.getByText('With plans only').click();
  await page.locator('.fresh').first().waitFor();
});

test('in the week of a screen, a drag selects hours, and plans are moved by mouse and keys, resized, and moved back', {
  timeout: 120_000,
}, async (t) => {
  const { call, player, page, go, at, only, own } = await shop(t);
  await call('PUT', `/api/devices/${player.deviceId}`, {
    opening_hours: [{ days: [1, 2, 3, 5, 6], start: '06:00', end: '18:00' }],
  });
  await go(own);
  await page.getByText('Nothing is planned this week').waitFor();
  await page.getByText(/Display on: .*Wednesday/).waitFor();
  const closed = page.getByRole('list', { name: THURSDAY }).locator('.calendar-closed');
  assert.equal(await closed.count(), 1, 'all of Thursday');
  await drag(page, await at(WEDNESDAY, 9), await at(WEDNESDAY, 11));
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  // Finds the button by its text, because an open list hides all other elements from screen readers.
  await dialog.getByText('Create plan').click();
  await dialog.getByText('Choose content.').waitFor();
  await dialog.getByRole('combobox', { name: 'Content, playlist, widget or layout' }).click();
  await page.getByRole('option', { name: 'Lunch' }).click();
  await dialog.getByText('No end date').click();
  for (const day of ['Sunday', 'Monday', 'Tuesday', 'Thursday', 'Friday', 'Saturday'])
    await dialog.getByRole('button', { name: day }).click();
  await dialog.getByText(/^Every Wednesday from .*, /).waitFor();
  await dialog.getByLabel('Name').fill('Noon');
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await page.getByText('The plan Noon is created').waitFor();
  const made = await only();
  assert.deepEqual(
    [made.start_time, made.end_time, made.recurrence, made.timezone],
    [`${WED}T09:00:00`, `${WED}T11:00:00`, 'FREQ=WEEKLY;BYDAY=WE', 'Europe/Berlin'],
  );

  const event = page.getByRole('button', { name: /^Noon/ });
  // Escape during a drag changes nothing. The release of the mouse button afterwards opens nothing.
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
  await page.getByText('All repetitions were moved, too.').waitFor();
  const moved = await only();
  assert.deepEqual([moved.start_time, moved.recurrence], [`${THU}T10:00:00`, 'FREQ=WEEKLY;BYDAY=TH']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  assert.deepEqual([(await only()).start_time, (await only()).recurrence], [made.start_time, made.recurrence]);

  // The server answers slowly. Keys that are pressed meanwhile continue from the new position of the plan.
  await page.route('**/api/plans/*', async (route) => {
    if (route.request().method() === 'PUT') await sleep(1_200);
    await route.continue();
  });
  const { x, y } = await at(WEDNESDAY, 11);
  await drag(page, { x, y: y - 3 }, { x, y: (await at(WEDNESDAY, 12)).y - 3 });
  await page.getByRole('button', { name: /Noon, Wednesday.*09:00.*12:00/ }).waitFor();
  await event.focus();
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Alt+ArrowUp']) await page.keyboard.press(key);
  await page.getByText(/Noon: .*09:30.*12:15/).waitFor();
  const nudged = await only();
  assert.deepEqual([nudged.start_time, nudged.end_time], [`${WED}T09:30:00`, `${WED}T12:15:00`]);
});

test('in the row view, plans move by mouse and keys, and changes of another user and of an API client are kept', {
  timeout: 120_000,
}, async (t) => {
  const { call, playlist, page, go, plan, on, only } = await shop(t);
  const lunch = { playlist_id: playlist.id, timezone: 'Europe/Berlin', ...on };
  const { id } = await plan({ ...lunch, title: 'Noon', start_time: `${WED}T09:00`, end_time: `${WED}T10:00` });
  await go(`/schedule?view=day&day=${WED}`);
  const noon = page.getByRole('button', { name: /^Noon, Window left/ });
  const { x, y, width } = (await noon.boundingBox())!;
  await drag(page, { x: x + width / 2, y: y + 20 }, { x: x + width * 1.5, y: y + 20 });
  await page.getByText(/Noon: .*10:00.*11:00/).waitFor();
  await noon.focus();
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'Alt+ArrowRight']) await page.keyboard.press(key);
  await page.getByText(/Noon: .*10:30.*11:45/).waitFor();
  assert.deepEqual([(await only()).start_time, (await only()).end_time], [`${WED}T10:30:00`, `${WED}T11:45:00`]);

  // A colleague changes the plan while the form is open.
  await noon.click();
  const dialog = page.getByRole('dialog', { name: 'Edit plan' });
  await dialog.getByLabel('Name').fill('Mine');
  await call('PUT', `/api/plans/${id}`, { title: 'Theirs', recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1,15' });
  // Clicks whether or not the update from the server has disabled the button already.
  const save = dialog.getByRole('button', { name: 'Save changes' });
  await save.click({ force: true });
  await dialog.getByText('Somebody else saved this in the meantime').waitFor();
  assert.equal(await save.isDisabled(), true);
  assert.equal((await only()).title, 'Theirs');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Plan changed').waitFor();
  assert.equal((await only()).title, 'Mine');

  // The dialog reports that each occurrence of the plan overlaps the next one, and one press corrects this.
  await call('PUT', `/api/plans/${id}`, {
    start_time: `${MON}T09:00`,
    end_time: `${FRIDAY_AFTER}T18:00`,
    recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  });
  await go(`/schedule?show=${id}`);
  await dialog.getByText('This plan overlaps itself').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Plan changed').waitFor();
  const meant = await only();
  assert.deepEqual(
    [meant.start_time, meant.end_time, meant.recurrence, meant.recurrence_end],
    [`${MON}T09:00:00`, `${MON}T18:00:00`, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', FRIDAY_AFTER],
  );

  // The plan is deleted and restored.
  await go(`/schedule?show=${id}`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal((await call('GET', '/api/plans')).length, 1);
});

test('in the month of a screen, a plan moves to another day by mouse and to another week by keys, and back by undo', {
  timeout: 120_000,
}, async (t) => {
  const { call, player, page, go, only, playlist } = await shop(t);
  const today = new Date();
  const mid = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 15)).toISOString().slice(0, 10);
  const plan = await call(
    'POST',
    '/api/plans',
    {
      title: 'Noon',
      playlist_id: playlist.id,
      targets: [{ kind: 'device', id: player.deviceId }],
      start_time: `${mid}T09:00`,
      end_time: `${mid}T11:00`,
    },
    201,
  );
  await page.setViewportSize({ width: 1280, height: 1100 });
  await go(`/schedule?for=screen:${player.deviceId}&day=${mid}&view=month`);
  const month = page.locator('.month-day');
  const begins = async () => ((await only()) as { start_time: string }).start_time.slice(0, 10);
  const later = (days: number) => new Date(Date.parse(mid) + days * 86_400_000).toISOString().slice(0, 10);
  await page.locator('.plan-chip', { hasText: 'Noon' }).waitFor();
  const from = (await page.locator('.plan-chip', { hasText: 'Noon' }).boundingBox())!;
  const here = await month.evaluateAll((all) => all.findIndex((one) => one.textContent?.includes('Noon')));
  const to = (await month.nth(here + 1).boundingBox())!;
  await drag(
    page,
    { x: from.x + from.width / 2, y: from.y + from.height / 2 },
    { x: to.x + to.width / 2, y: to.y + to.height / 2 },
  );
  await until('it is on the next day', 10_000, async () => (await begins()) === later(1));
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('it is back', 10_000, async () => (await begins()) === mid);
  const noon = page.locator('.plan-chip', { hasText: 'Noon' });
  await page.waitForFunction((at) => document.querySelectorAll('.month-day')[at]?.textContent?.includes('Noon'), here);
  await noon.focus();
  for (const [key, day] of [
    ['Shift+ArrowRight', here + 1],
    ['Shift+ArrowUp', here - 6],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForFunction(
      (at) => document.activeElement?.closest('.month-day')?.getAttribute('data-day') === String(at),
      day,
    );
  }
  await until('it is a week before that', 10_000, async () => (await begins()) === later(-6));
  await assertAccessible(page);

  // Makes the same moves in the row view of all screens.
  await go(`/schedule?view=month&day=${mid}`);
  const bar = page.getByRole('button', { name: /^Noon, Window left/ });
  assert.equal(await page.locator('.rows').evaluate((rows) => getComputedStyle(rows).overflowY), 'auto', 'it scrolls');
  await bar.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await until('it is a day later', 10_000, async () => (await begins()) === later(-5));
  const { x, y, width } = (await bar.boundingBox())!;
  await drag(page, { x: x + width / 2, y: y + 8 }, { x: x + width * 2.5, y: y + 8 });
  await until('it is two days later', 10_000, async () => (await begins()) === later(-3));
  // A plan without a name has the name of its content.
  await call('PUT', `/api/plans/${plan.id}`, { title: '' });
  await page.getByRole('button', { name: /^Lunch, Window left/ }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByText(/^Lunch: /).waitFor();
});

test('list of results covers neither its field nor the chosen values, and the focus goes to the new value', {
  timeout: 60_000,
}, async (t) => {
  const { page, go, screen } = await shop(t);
  await screen('Window right');
  await go('/schedule');
  await page.getByText('2 screens', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  const what = 'Content, playlist, widget or layout';
  await dialog.getByRole('combobox', { name: what }).fill('lun');
  await page.getByRole('option', { name: 'Lunch' }).click();
  const picked = dialog.getByRole('button', { name: `${what}: Lunch` });
  await picked.waitFor();
  await until('it has the focus', 5_000, () => picked.evaluate((shown) => shown === document.activeElement));

  const field = page.getByRole('combobox', { name: 'Screens, groups or tags', includeHidden: true });
  await field.click();
  for (const name of ['Window left', 'Window right']) await page.getByRole('option', { name }).click();
  await until('the list is beneath the field', 5_000, async () => {
    const [typedInto, list] = [await field.boundingBox(), await page.getByRole('listbox').boundingBox()];
    return typedInto !== null && list !== null && list.y >= typedInto.y + typedInto.height;
  });
});

test('calendar of many screens folds groups, remembers open groups, and opens a group whose screen is searched', {
  timeout: 180_000,
}, async (t) => {
  const { call, page, go, screen, plan, playlist, assign, publish, picture } = await shop(t);
  const group = async (name: string, count: number) => {
    const { id } = await call('POST', '/api/groups', { name }, 201);
    for (let nth = 1; nth <= count; nth++) {
      const { deviceId } = await screen(`${name} ${nth}`);
      await call('POST', `/api/groups/${id}/devices`, { device_id: deviceId }, 201);
    }
    return { kind: 'group', id };
  };
  const tills = await group('Tills', 8);
  const doors = await group('Doors', 5);
  const everyDay = await publish('Every day', picture);
  await assign(everyDay.id, (await screen('Doors 6')).deviceId);
  const [till] = await call('GET', '/api/devices?q=Tills%203');
  await assign(everyDay.id, till.id);
  const noon = { playlist_id: playlist.id, start_time: `${WED}T09:00`, end_time: `${WED}T10:00` };
  await plan({ ...noon, title: 'Noon', targets: [tills] });
  await plan({ ...noon, title: 'One till', targets: [{ kind: 'device', id: till.id }], end_time: `${WED}T11:00` });

  await go(`/schedule?day=${WED}`);
  await page.getByText('15 screens', { exact: true }).waitFor();
  const fold = (name: string) => page.locator('.row-fold', { hasText: name });
  await page.getByRole('button', { name: /^One till, Tills, Wednesday.*on 1 of 8 screens/ }).waitFor();
  await page.getByRole('button', { name: /^Noon, Tills, Wednesday/ }).waitFor();
  assert.deepEqual(
    await page
      .locator('.row-fold')
      .allInnerTexts()
      .then((all) => all.map((text) => text.split(/\s*\n\s*/))),
    [
      ['Doors', '5 screens'],
      ['Tills', '8 screens'],
      ['Without a group', '2 screens'],
    ],
  );
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Tills 1' }).count(), 0);
  assert.equal(await fold('Tills').getAttribute('aria-expanded'), 'false');
  await assertAccessible(page);
  await page.screenshot({ path: 'test-artefacts/pages/schedule-folded.png' });

  // The keyboard opens a group, and the focus stays on the group.
  await fold('Tills').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Noon, Tills 1, Wednesday/ }).waitFor();
  assert.equal(await fold('Tills').getAttribute('aria-expanded'), 'true');
  assert.ok(await fold('Tills').evaluate((button) => button === document.activeElement));
  await assertAccessible(page);
  await page.screenshot({ path: 'test-artefacts/pages/schedule-open.png' });
  await page.reload();
  await page.getByRole('button', { name: /^Noon, Tills 1, Wednesday/ }).waitFor();
  assert.equal(await fold('Doors').getAttribute('aria-expanded'), 'false');

  for (const view of ['day', 'month']) {
    await go(`/schedule?view=${view}&day=${WED}`);
    await page.getByRole('button', { name: /^Noon, Tills 1/ }).waitFor();
    await fold('Tills').click();
    await page.getByRole('button', { name: /^One till, Tills, Wednesday/ }).waitFor();
    await assertAccessible(page);
    await page.screenshot({ path: `test-artefacts/pages/schedule-folded-${view}.png` });
    await fold('Tills').click();
    await page.screenshot({ path: `test-artefacts/pages/schedule-open-${view}.png` });
  }
  await page.locator('.bar-base', { hasText: 'Every day' }).first().waitFor();

  const find = page.getByRole('combobox', { name: 'Screens and groups' });
  await find.fill('doors 4');
  await page.getByRole('option', { name: /Doors 4/ }).click();
  await page.getByText(/^Doors 4 · /).waitFor();

  // A new plan is shown in the folded group.
  await go('/schedule');
  await plan({ ...noon, title: 'For doors', targets: [doors] });
  await page.setViewportSize({ width: 360, height: 740 });
  await go(`/schedule?day=${WED}`);
  await page.getByRole('button', { name: /^For doors, Doors, Wednesday/ }).waitFor();
  await fold('Tills').scrollIntoViewIfNeeded();
  await assertAccessible(page);
  await page.screenshot({ path: 'test-artefacts/pages/schedule-folded-360.png' });
});
