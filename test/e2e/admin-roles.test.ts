/** Roles in the admin window: permitted actions, and a new password for a user who forgot the old password. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colleague } from '../people.ts';
import { assertAccessible, openShop, tick } from './hosts/admin-window.ts';

type ShopWindow = Awaited<ReturnType<typeof openShop>>;

/** Creates an editor of the shop's workspace with this name. */
const editor = ({ site, token, workspace }: ShopWindow, name: string) =>
  colleague(site, { id: '', email: '', token, workspaceId: workspace }, `${name}@store.test`, 'workspace_editor');

test('user who forgot the password gets a link, chooses a new password, and signs in with it', {
  timeout: 150_000,
}, async (t) => {
  const { site, page, go, context } = await openShop(t);
  const body = { email: 'jonas@store.test', password: 'long forgotten', name: 'Jonas' };
  assert.equal((await site.call('POST', '/api/auth/register', { body })).status, 201);
  await go('/settings/people');
  await page.getByRole('button', { name: 'More for Jonas' }).click();
  await page.getByRole('menuitem', { name: 'Password link…' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByLabel('Link for a new password').inputValue();
  assert.match(link, /\/#\/new-password\/vtl_/);
  await assertAccessible(page);

  const guest = await context.browser()!.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  const phone = await guest.newPage();
  phone.setDefaultTimeout(30_000);
  await phone.goto(link);
  await phone.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await assertAccessible(phone);
  const field = phone.getByLabel('New password', { exact: true });
  await field.fill('short');
  await phone.getByRole('button', { name: 'Set password' }).click();
  await phone
    .getByText(/at least 8/i)
    .first()
    .waitFor();
  await field.fill('brand new horse');
  await phone.getByRole('button', { name: 'Set password' }).click();
  await phone.getByText('The new password of jonas@store.test is set. You can sign in now.').waitFor();
  await phone.getByLabel('E-mail').fill('jonas@store.test');
  await phone.getByLabel('Password', { exact: true }).fill('long forgotten');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.getByText('can create a password link for you').waitFor();
  await assertAccessible(phone);
  await phone.getByLabel('Password', { exact: true }).fill('brand new horse');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();

  // A person who finds the used link learns nothing from it and cannot set a password.
  const finder = await guest.newPage();
  await finder.goto(link);
  await finder.getByLabel('New password', { exact: true }).fill('mine from now on');
  await finder.getByRole('button', { name: 'Set password' }).click();
  await finder.getByText('This link no longer works').waitFor();
  await assertAccessible(finder);
  await guest.close();
});

test('editor who is limited to a folder and a group can change only these in the admin window, which says why', {
  timeout: 150_000,
}, async (t) => {
  const shop = await openShop(t);
  const { site, call, page, go, signIn, workspace, token } = shop;
  const [bakery, bread] = await Promise.all([
    call('POST', '/api/groups', { name: 'Bakery' }, 201),
    call('POST', '/api/folders', { name: 'Bread' }, 201),
  ]);
  const [oven, door] = [await shop.screen('Oven'), await shop.screen('Door')];
  await call('POST', `/api/groups/${bakery.id}/devices`, { device_id: oven.deviceId }, 201);
  const rolls = await shop.addPicture('rolls.jpg');
  const juice = await shop.addPicture('juice.jpg', '#336600');
  await call('PUT', `/api/content/${rolls}`, { folder_id: bread.id });
  const own = await shop.publish('Fresh from the oven', { content_id: rolls });
  const shared = await shop.publish('Everywhere', { content_id: juice });
  await shop.assign(own.id, oven.deviceId);
  await shop.assign(shared.id, door.deviceId);
  const bea = await editor(shop, 'bea');

  await go('/settings/people');
  await page.getByRole('button', { name: 'Rights of bea' }).click();
  await page.getByRole('heading', { name: 'Rights of bea' }).waitFor();
  await tick(page.getByRole('radio', { name: /^Only in some folders/ }));
  await page.getByText('Nothing is selected, so this person can change nothing here.').waitFor();
  await tick(page.getByRole('checkbox', { name: 'Bread' }));
  await tick(page.getByRole('radio', { name: /^Only screens of some groups/ }));
  await tick(page.getByRole('checkbox', { name: 'Bakery' }));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Content in Bread · Screens of Bakery').waitFor();
  await assertAccessible(page);

  await signIn(bea.token);
  await go('/screens');
  await page.getByText('You can change only the screens of Bakery.').waitFor();
  await page.getByRole('link', { name: /Oven/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Connect a screen' }).count(), 0, 'which screens there are');
  await assertAccessible(page);
  await go(`/screens/${door.deviceId}`);
  await page.getByText('You can view this, but not change it').waitFor();
  await page.getByText('Door is not in these groups').waitFor();
  await assertAccessible(page);
  assert.equal(await page.getByRole('button', { name: 'Restart', exact: true }).count(), 0);
  await go(`/screens/${oven.deviceId}`);
  await page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
  assert.equal(await page.getByText('You can view this').count(), 0);
  await go(`/groups/${bakery.id}`);
  await page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add screens' }).count(), 0, 'who is in a group');

  await go(`/playlists/${shared.id}`);
  await page.getByText('You can view this, but not change it').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).count(), 0);
  await go(`/playlists/${own.id}`);
  await page.getByRole('button', { name: 'Show on screens' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Oven' }).waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('dialog').getByRole('checkbox', { name: 'Door' }).count(), 0);

  await go('/content');
  await page.getByText('Files that you upload here go to Bread.').waitFor();
  await page.getByRole('button', { name: 'Open juice.jpg' }).waitFor();
  assert.deepEqual(
    await Promise.all(
      ['rolls.jpg', 'juice.jpg'].map((name) => page.getByRole('checkbox', { name: `Select ${name}` }).count()),
    ),
    [1, 0],
  );
  await assertAccessible(page);
  await go(`/content?show=${juice}`);
  await page.getByText('This is in another folder').waitFor();
  assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).count(), 0);

  // A change of the editor's rights takes effect at once, also in the open browser window.
  await go('/playlists');
  await page.getByRole('button', { name: 'New playlist' }).waitFor();
  await call('PUT', `/api/workspaces/${workspace}/members/${bea.id}`, { role: 'workspace_editor', duty: 'upload' });
  await page.getByText('You can upload and organize content.').waitFor();
  await page.getByRole('button', { name: 'New playlist' }).waitFor({ state: 'detached' });
  await assertAccessible(page);
  const refused = await site.call('POST', '/api/playlists', { token: bea.token, body: { name: 'Past the window' } });
  assert.deepEqual([refused.status, refused.body.code], [403, 'outside_rights']);
  await signIn(token);
});

test("editor's publication is refused, requested again, approved and then published", {
  timeout: 150_000,
}, async (t) => {
  const shop = await openShop(t);
  const { site, call, page, go, signIn, token } = shop;
  const [summer, winter] = [await shop.addPicture('summer.jpg'), await shop.addPicture('winter.jpg', '#003366')];
  const { id } = await shop.publish('Offers', { content_id: summer });
  const window = await shop.screen('Window');
  await shop.assign(id, window.deviceId);
  const bea = await editor(shop, 'bea');
  const asBea = (method: string, path: string, body?: unknown) => site.call(method, path, { token: bea.token, body });

  await go('/settings/workspaces');
  await tick(page.getByRole('switch', { name: 'Publishing needs approval' }));
  await page.getByText('Saved').waitFor();
  await assertAccessible(page);

  await signIn(bea.token);
  assert.equal((await asBea('POST', `/api/playlists/${id}/items`, { content_id: winter })).status, 201);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByLabel('Note').fill('Winter from Monday');
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('Waiting for approval since').waitFor();
  await page.getByText('Offers is waiting for approval').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Message now' }).count(), 0, 'nothing goes past the playlist');
  await assertAccessible(page);

  await signIn(token);
  await go('/attention');
  await page.getByRole('heading', { name: 'Waiting for approval' }).waitFor();
  await page.getByText('Winter from Monday').waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Compare and decide' }).click();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByLabel('Your answer').fill('Not before Tuesday');
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('Refused. bea is notified.').waitFor();

  await signIn(bea.token);
  await go(`/playlists/${id}`);
  await page.getByText('Not before Tuesday').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('Waiting for approval since').waitFor();
  // After an edit, the publication needs a new request for approval. The open browser window says so.
  const added = await asBea('POST', `/api/playlists/${id}/items`, { content_id: summer });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  await page.getByText('but the playlist or its content has changed since').waitFor();
  await page.getByText('3 items', { exact: false }).first().waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('Waiting for approval since').waitFor();

  await signIn(token);
  await go(`/playlists/${id}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Window').first().waitFor();
  await dialog.getByText('winter.jpg').first().waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Approve and publish' }).click();
  await page.getByText('Offers is approved and published').waitFor();
  const published = await call('GET', `/api/playlists/${id}`);
  assert.equal(published.status, 'published');
  assert.ok(published.items.some((item: { id: number }) => item.id === added.body.id));
  await page.getByRole('button', { name: 'More for Offers' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await page.getByText('requested by bea, approved by').waitFor();
  await assertAccessible(page);
  assert.deepEqual(await call('GET', '/api/publish-requests?state=waiting'), []);
});
