/** People and workspaces in the admin window: invite, join, change the role, move to another workspace, remove. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must, register } from '../people.ts';
import { assertAccessible, openShop, tick } from './hosts/admin-window.ts';

test('user invited by a link joins while registration is closed, gets a role and loses access', {
  timeout: 150_000,
}, async (t) => {
  const { workspace, call, page, go, context } = await openShop(t);
  await call('PUT', '/api/server/settings', { registration: 'closed' });
  await go('/settings/people');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('E-mail').fill('jonas');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('E-mail is not valid.').waitFor();
  // Only the server can refuse this address, and its error also appears at the field.
  await page.getByLabel('E-mail').fill('owner@store.test');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('This address already belongs to a member.').waitFor();
  // The heading contains the default name of the workspace.
  await page.getByRole('heading', { name: 'Invite somebody to Owner’s organization' }).waitFor();
  await page.getByLabel('E-mail').fill('jonas@store.test');
  await page.getByText('This address already belongs to a member.').waitFor({ state: 'detached' });
  await tick(page.getByRole('radio', { name: /Viewer/ }));
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByLabel('Invite link').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('jonas@store.test').waitFor();
  await assertAccessible(page);

  const guest = await context.browser()!.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  const phone = await guest.newPage();
  phone.setDefaultTimeout(30_000);
  await phone.goto(link);
  await phone.getByRole('link', { name: 'Create an account' }).click();
  await phone.getByLabel('Your name').fill('Jonas');
  await phone.getByLabel('E-mail').fill('jonas@store.test');
  await phone.getByLabel('Password', { exact: true }).fill('correct horse');
  await phone.getByRole('button', { name: 'Create account' }).click();
  await phone.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();

  // The new member appears in the owner's list without a reload, and the new role appears in the member's window.
  await page.getByRole('button', { name: /Role of Jonas(?! in)/ }).click();
  await page.getByRole('option', { name: /Editor/ }).click();
  await page.getByText('Jonas: Editor').waitFor();
  await page.getByRole('button', { name: /Role of Jonas in the organization/ }).click();
  await page.getByRole('option', { name: /Administrator/ }).click();
  await page.getByText('Jonas: Administrator').waitFor();
  await page.getByRole('button', { name: /Role of Owner in the organization/ }).click();
  await page.getByRole('option', { name: /No role/ }).click();
  await page.getByText(/needs an owner/).waitFor();
  const members = await call('GET', `/api/workspaces/${workspace}/members`);
  assert.deepEqual(
    members.map((m: { name: string; role: string }) => [m.name, m.role]),
    [
      ['Owner', 'workspace_admin'],
      ['Jonas', 'workspace_editor'],
    ],
  );
  await page.getByRole('button', { name: 'Remove Jonas' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Jonas is removed').waitFor();
  assert.equal((await call('GET', `/api/workspaces/${workspace}/members`)).length, 1);
});

test('workspace is created, opened and deleted, and the admin window forgets the data of the other workspace', {
  timeout: 150_000,
}, async (t) => {
  const { site, token, publish, page, go } = await openShop(t);
  await publish('Only in Default');
  await go('/playlists');
  await page.getByText('Only in Default').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Workspaces' }).click();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Station');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByText('Station is created').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: /, Workspaces$/ }).click();
  await page.getByRole('menuitem', { name: /Station/ }).click();
  await page.getByRole('button', { name: /^Station .*, Workspaces$/ }).waitFor();
  await page.getByRole('link', { name: 'Playlists' }).click();
  await page.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor();
  assert.equal(await page.getByText('Only in Default').count(), 0);
  assert.equal((await site.call('GET', '/api/auth/me', { token })).status, 401, 'the old session has ended');

  await go('/settings/workspaces');
  await page.getByRole('button', { name: 'Delete Station' }).click();
  await page.getByLabel(/To confirm/).fill('Station');
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  await page.getByText('Station is deleted').waitFor();
  const session = await page.evaluate(() => localStorage.getItem('vitrine.session'));
  const { body: me } = await site.call('GET', '/api/auth/me', { token: session! });
  assert.deepEqual([me.current_workspace.name, me.accessible_workspaces.length], ['Default', 1]);
});

test('user who is removed from a workspace stays signed in, and is told which workspace is open now', {
  timeout: 90_000,
}, async (t) => {
  const { site, workspace, call, publish, page, go, signIn } = await openShop(t);
  const { id: playlist } = await publish('Only in Default');
  const station = (await call('POST', '/api/workspaces', { name: 'Station' }, 201)).id;
  const email = 'jonas@store.test';
  const { token, user } = must(await register(site, { email, password: 'correct horse', createOrg: false }), 201);
  for (const id of [workspace, station]) {
    const invite = (await call('POST', `/api/workspaces/${id}/invites`, { email, role: 'workspace_editor' }, 201)).id;
    must(await site.call('POST', `/api/auth/accept-invite/${invite}`, { token }));
  }
  await signIn(
    must(await site.call('POST', '/api/auth/switch-workspace', { token, body: { workspace_id: workspace } })).token,
  );
  await go(`/playlists/${playlist}`);
  await page.getByRole('heading', { name: 'Only in Default' }).waitFor();
  await call('DELETE', `/api/workspaces/${workspace}/members/${user.id}`);
  await page.getByText('You are no longer a member of “Default”. You are now in “Station”.').waitFor();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  // The admin window now receives the changes of the other workspace.
  await page.getByRole('link', { name: 'Playlists', exact: true }).click();
  await page.getByText('No playlists yet').waitFor();
  const owner = await call('POST', '/api/auth/switch-workspace', { workspace_id: station });
  must(await site.call('POST', '/api/playlists', { token: owner.token, body: { name: 'Only in Station' } }), 201);
  await page.getByText('Only in Station').waitFor();

  await call('DELETE', `/api/workspaces/${station}`);
  await page.getByRole('heading', { name: 'You are not in a workspace yet' }).waitFor();
});
