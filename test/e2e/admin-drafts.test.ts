/** Unsaved edits survive the end of a session, a restart of the server and a closed tab. */
// Suite: long
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { App } from '../../server/app.ts';
import { configFrom } from '../../server/config.ts';
import { must } from '../people.ts';
import { assertAccessible, guestOf, openShop } from './hosts/admin-window.ts';

const PASSWORD = 'correct horse';
const textOf = (page: Page) => page.getByLabel('Text', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('vitrine.session') ?? '');
const kept = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) => Object.entries(localStorage).some(([key, v]) => key.startsWith('vitrine.draft.') && v.includes(wanted)),
    text,
  );

test('unsaved edits survive the end of the session, the server and the tab, and only their author sees them', {
  timeout: 150_000,
}, async (t) => {
  let restarted: App | undefined;
  t.after(() => restarted?.stop());
  const { site, page, context, go, call } = await openShop(t);
  const { id } = await call('POST', '/api/widgets', { widget_type: 'text', name: 'Hours', config: {} }, 201);
  const guest = await guestOf(site);
  const revoke = async (on: Page) => {
    must(await site.call('POST', '/api/auth/logout', { token: await tokenOf(on) }));
    // Dispatches the click: the preview may have noticed the end of the session already, and then a dialog covers the
    // button.
    await save(on).dispatchEvent('click');
  };

  await go(`/widgets/${id}`);
  await textOf(page).fill('<p>Nine to five</p>');
  await revoke(page);
  await again(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await assertAccessible(page);
  await again(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await again(page).waitFor({ state: 'detached' });
  assert.equal(await textOf(page).inputValue(), '<p>Nine to five</p>');
  await save(page).click();
  await page.getByText('Saved. The screens change at once.').waitFor();

  // Opens a page whose code is not loaded yet while the server is down. The page appears without a reload once the
  // server is back.
  const { port } = site.app;
  await site.app.stop();
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByText('The server cannot be reached', { exact: false }).waitFor();
  restarted = new App({
    config: configFrom({ port, host: '127.0.0.1', data: site.data, discovery: '0', log_level: 'warn' }),
  });
  await restarted.start();
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();

  // A click outside of a dialog asks before the input is discarded.
  await page.getByRole('button', { name: 'New group' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New group' });
  await dialog.getByLabel('Name').fill('Ground floor');
  await page.mouse.click(5, 5);
  await page.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Ground floor');
  await dialog.getByLabel('Name').press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });

  await go(`/widgets/${id}`);
  await textOf(page).fill('<p>Nine to six</p>');
  await kept(page, 'Nine to six');
  const next = await context.newPage();
  await page.close();
  await next.goto(`${site.origin}/#/widgets/${id}`);
  await next.getByText('You have unsaved changes here').waitFor();
  await assertAccessible(next);
  assert.equal(await textOf(next).inputValue(), '<p>Nine to five</p>');
  await next.getByRole('button', { name: 'Continue' }).click();
  assert.equal(await textOf(next).inputValue(), '<p>Nine to six</p>');

  await revoke(next);
  await again(next).getByLabel('E-mail').fill('guest@store.test');
  await again(next).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again(next).getByRole('button', { name: 'Sign in', exact: true }).click();
  await next.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();
  assert.notEqual(await tokenOf(next), guest);
  assert.equal(await next.getByText('Hours').count(), 0);
});

test('input of every form is restored after the tab was closed, and deleted after it is submitted or discarded', {
  timeout: 150_000,
}, async (t) => {
  const { page, go, publish, screen, addPicture } = await openShop(t);
  await screen('Window left');
  await addPicture('soup.jpg');
  await publish('Lunch');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  /** For each form: the path of its page, how the form is opened, and a field with its text. */
  const forms: readonly (readonly [path: string, open: () => Promise<void>, field: string, text: string])[] = [
    ['/schedule', () => press('New plan'), 'Name', 'Autumn campaign'],
    ['/playlists', () => press('New playlist'), 'Name', 'Autumn'],
    ['/layouts', () => press('New layout'), 'Name', 'Halves'],
    ['/groups', () => press('New group'), 'Name', 'Ground floor'],
    ['/walls', () => press('New video wall'), 'Name', 'Entrance'],
    ['/content', () => press('New folder'), 'Name', 'Summer'],
    ['/settings/tokens', () => press('New token'), 'Name', 'Till'],
    ['/settings/workspaces', () => press('New workspace'), 'Name', 'Second store'],
    ['/settings/people', () => press('Invite somebody'), 'E-mail', 'anna@store.test'],
  ];
  // Finds buttons by their text, because an open list hides all other elements from screen readers.
  const dialog = page.getByRole('dialog').last();
  for (const [path, open, field, text] of forms) {
    await go(path);
    await open();
    await dialog.getByLabel(field, { exact: true }).fill(text);
    await kept(page, text);
    await page.reload();
    await open();
    assert.equal(await dialog.getByLabel(field, { exact: true }).inputValue(), '', path);
    await dialog.getByText('Continue', { exact: true }).click();
    assert.equal(await dialog.getByLabel(field, { exact: true }).inputValue(), text, path);
    await dialog.getByText('Cancel', { exact: true }).click();
    await open();
    await dialog.getByLabel(field, { exact: true }).waitFor();
    assert.equal(await dialog.getByText('Continue', { exact: true }).count(), 0, `${path}: it was not wanted`);
    await dialog.getByText('Cancel', { exact: true }).click();
  }
  // After the form is submitted, no draft is offered.
  await go('/schedule');
  await press('New plan');
  await dialog.getByLabel('Name', { exact: true }).fill('Autumn campaign');
  await dialog.getByRole('combobox', { name: 'Content, playlist, widget or layout' }).fill('Lun');
  await page.getByRole('option', { name: 'Lunch' }).click();
  await dialog.getByRole('combobox', { name: 'Screens, groups or tags' }).fill('left');
  await page.getByRole('option', { name: /Window left/ }).click();
  await kept(page, 'Autumn campaign');
  await dialog.getByText('Create plan').click();
  await page.getByText('The plan Autumn campaign is created').waitFor();
  await press('New plan');
  await dialog.getByLabel('Name', { exact: true }).waitFor();
  assert.equal(await dialog.getByText('Continue', { exact: true }).count(), 0);
});

test('the admin window adapts a draft of an older version, and ignores a draft that does not fit', {
  timeout: 60_000,
}, async (t) => {
  const { page, go, call } = await openShop(t);
  const zone = { name: 'Main', x_percent: 0, y_percent: 0, width_percent: 50, height_percent: 100 };
  const { id } = await call('POST', '/api/layouts', { name: 'Window', zones: [zone] }, 201);
  const me = await call('GET', '/api/auth/me');
  const keep = (value: unknown) =>
    page.evaluate(
      ([key, kept]) => localStorage.setItem(key!, `{"at":${Date.now()},"base":null,"value":${kept}}`),
      [`vitrine.draft.${me.id}.${me.current_workspace_id}.layouts/${id}`, JSON.stringify(value)],
    );
  await keep({ name: 'Door', zones: 'none' });
  await go(`/layouts/${id}`);
  await page.getByRole('heading', { name: 'Window', level: 1 }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Continue', exact: true }).count(), 0);
  await keep({ name: 'Door' });
  await go(`/layouts/${id}`);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('heading', { name: 'Door', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Main', exact: false }).first().waitFor();
});
