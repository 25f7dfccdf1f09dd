/** Groups in the admin window: create, add screens, assign a playlist, send a command; checked with the players. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openShop, tick } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

test('group of two screens plays one playlist, gets one command, and is deleted', {
  timeout: 150_000,
}, async (t) => {
  const { site, workspace, call, screen, publish, addPicture, page, go } = await openShop(t);
  const logo = await addPicture('Logo.jpg');
  const left = await screen('Left', { capabilities: ['reboot'] });
  const right = await screen('Right', { capabilities: ['reboot'] });
  await screen('Outside');
  const playlist = await publish('Autumn');
  await go('/groups');
  await page.getByText('No groups yet').waitFor();
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Name is missing.').waitFor();
  await page.getByLabel('Name').fill('Windows');
  await tick(page.getByRole('checkbox', { name: 'Left' }));
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Windows', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Add screens' }).click();
  await tick(page.getByRole('checkbox', { name: 'Right' }));
  await page.getByRole('button', { name: 'Add 1 screen' }).click();
  await page.getByText('1 screen is in Windows now').waitFor();
  const members = page.getByRole('list', { name: 'Screens', exact: true }).getByRole('listitem');
  await members.nth(1).waitFor();
  assert.deepEqual((await members.getByRole('link').allTextContents()).sort(), ['Left', 'Right']);
  await page.getByRole('button', { name: 'Remove Left from the group' }).click();
  await page.locator('.toast', { hasText: 'Left' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Remove Left from the group' }).waitFor();

  await page.getByRole('combobox', { name: 'Playlist of the group' }).fill('aut');
  await page.getByRole('option', { name: /Autumn/ }).click();
  await page.getByText('2 screens play Autumn now').waitFor();
  const playsAutumn = (said: Record<string, unknown>) => said['type'] === 'program';
  await Promise.all([left.client.next(playsAutumn), right.client.next(playsAutumn)]);
  assert.equal((await call('GET', `/api/devices/${left.deviceId}`)).playlist_source, 'group');

  await page.getByRole('button', { name: 'Restart' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Restart Windows?' });
  await asked.getByText('This goes to 2 screens.').waitFor();
  const [one, two] = [left.client.next('command'), right.client.next('command')];
  await asked.getByRole('button', { name: 'Restart' }).click();
  left.client.say({ type: 'command.result', id: (await one)['id'], status: 'done' });
  right.client.say({ type: 'command.result', id: (await two)['id'], status: 'failed', error: 'no rights' });
  await page.getByText('sent to 2 of 2 screens.').waitFor();
  await page.getByText('no rights').waitFor();
  assert.equal((await one)['command'], 'reboot');
  await assertAccessible(page);

  const chooseLogo = async () => {
    await page.getByRole('combobox', { name: 'Fallback content' }).fill('logo');
    await page.getByRole('option', { name: /Logo/ }).click();
  };
  await tick(page.getByRole('radio', { name: 'Plum' }));
  await chooseLogo();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const [group] = await call('GET', '/api/groups');
  assert.deepEqual([group.color, group.device_count, group.playlist_id], ['#8a2a63', 2, playlist.id]);
  assert.equal(group.default_content_id, logo);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Windows is deleted').waitFor();
  assert.deepEqual(await call('GET', '/api/groups'), []);
  await go('/settings/workspaces');
  await chooseLogo();
  await page.getByText('Saved', { exact: true }).waitFor();
  const [store] = await call('GET', '/api/workspaces');
  assert.equal(store.default_content_id, logo);
  await assertAccessible(page);

  // 40 screens get a tag, and a group selects them by this tag. The test counts the clicks.
  const more = Array.from({ length: 38 }, (_, i) => `screen-${i}`);
  const { db } = site.app;
  const insert = db.raw.prepare(
    "INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, created_at, updated_at) VALUES (@id, @workspace, @id, 'UTC', @id, 1, 1)",
  );
  db.write(() => {
    for (const id of more) insert.run({ id, workspace });
  });
  await call('POST', '/api/devices/tags', { device_ids: [left.deviceId, ...more], add: ['Window'] });
  await go('/screens');
  await page.getByRole('button', { name: /All tags/ }).waitFor();
  await page.getByLabel('Search screens').fill('Right');
  await page.getByText('Left', { exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('checkbox', { name: 'Select Right' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  await page.getByRole('combobox', { name: 'Add' }).fill('window');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'For 1 screen' }).click();
  await page.getByText('The tags of 1 screen are changed').waitFor();
  assert.deepEqual((await call('GET', `/api/devices/${right.deviceId}`)).tags, ['Window']);

  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await page.getByLabel('Search screens').fill('');
  await page.getByRole('radio', { name: 'Table' }).click();
  const first = page.getByRole('row').nth(1);
  await first.getByText('screen-0').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await first.getByText('Left').waitFor();
  await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.setViewportSize({ width: 1440, height: 900 });

  await go('/groups');
  const hands = handsOn(page);
  await hands.click(page.getByRole('button', { name: 'New group' }));
  await hands.type(page.getByLabel('Name'), 'Shop');
  await hands.type(page.getByRole('combobox', { name: 'Screens by tags' }), 'window');
  await hands.press('Enter');
  // Finds the button by its text, because the open list hides all other elements from screen readers.
  await hands.click(page.locator('button', { hasText: 'Create' }));
  await page.getByText('All screens with the tags Window').waitFor();
  const effort = hands.effort();
  t.diagnostic(`40 screens into a new group by a rule: ${JSON.stringify(effort)}`);
  assert.ok(effort.clicks <= 6 && effort.seconds <= 15, JSON.stringify(effort));
  const [byRule] = await call('GET', '/api/groups');
  assert.deepEqual([byRule.rule_tags, byRule.device_count], [['Window'], 40]);
  assert.equal(await page.getByRole('button', { name: 'Add screens' }).count(), 0, 'the rule alone decides');
  // The page of a screen links to the groups of the screen.
  await page.getByRole('link', { name: 'Left' }).click();
  await page.getByRole('link', { name: 'Window' }).waitFor();
  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  await assertAccessible(page);
});

test('page of a group without screens says which screens play the playlist of the group', {
  timeout: 60_000,
}, async (t) => {
  const { call, page, go } = await openShop(t);
  const { id } = await call('POST', '/api/groups', { name: 'Empty' }, 201);
  await go(`/groups/${id}`);
  await page.getByText('Plays on screens of the group without a playlist of their own.').waitFor();
});
