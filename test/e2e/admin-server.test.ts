/**
 * The server's connections, export and import, and updates in the admin window; checked with the mail server, the
 * workspace and the screen.
 */
// Suite: window
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { SMTPServer } from 'smtp-server';
import { startOwned } from '../faults/data-server.ts';
import { TestClock, tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, chooseFiles, download, openAdmin, openShop, tick } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

const startPost = async (t: TestContext) => {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'letters' ? done(null, { user: 'shop' }) : done(new Error('Wrong password')),
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        received.push(
          `${session.envelope.mailFrom ? session.envelope.mailFrom.address : ''} → ${session.envelope.rcptTo.map((to) => to.address).join()}`,
        );
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise<void>((done) => server.close(done)));
  return { received, port: (server.server.address() as AddressInfo).port };
};

test('mail is set up and tested, a provider over plain HTTP is refused, and a local network host is allowed', {
  timeout: 150_000,
}, async (t) => {
  const post = await startPost(t);
  const { call, page, go } = await openShop(t);
  await go('/settings/server?part=mail');
  const mail = page.locator('#server-mail');
  await mail.getByLabel('Mail server').fill('127.0.0.1');
  await mail.getByRole('button', { name: /STARTTLS/ }).click();
  await page.getByRole('option', { name: 'None' }).click();
  assert.equal(await mail.getByRole('textbox', { name: 'Port' }).inputValue(), '25', 'the port follows the encryption');
  await mail.getByRole('textbox', { name: 'Port' }).fill(String(post.port));
  await mail.getByLabel('User name').fill('shop');
  await mail.getByLabel('Password of the mailbox', { exact: true }).fill('wrong');
  await mail.getByLabel('Sender').fill('Shop <shop@store.test>');
  assert.equal(
    await mail.getByRole('button', { name: 'Send me a test e-mail' }).isDisabled(),
    true,
    'only what is saved is tried',
  );
  await mail.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The settings are saved').waitFor();
  await mail.getByRole('button', { name: 'Send me a test e-mail' }).click();
  await mail.getByText('The test e-mail could not be sent').waitFor();
  await mail.getByLabel('Password of the mailbox', { exact: true }).fill('letters');
  await mail.getByRole('button', { name: 'Save changes' }).click();
  await mail.getByText('A secret is set. Enter another one to replace it.').waitFor();
  await mail.getByRole('button', { name: 'Send me a test e-mail' }).click();
  await mail.getByText('The mail server accepted the test e-mail').waitFor();
  assert.deepEqual(post.received, ['shop@store.test → owner@store.test']);

  await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
  const first = page.locator('#server-providers fieldset').first();
  await first.getByLabel('Issuer').fill('http://idp.store.test');
  await first.getByLabel('Client ID').fill('vitrine');
  await first.getByRole('button', { name: 'Save changes' }).click();
  await first.getByText(/must be empty or an address that begins with https/).waitFor();
  await first.getByLabel('Issuer').fill('https://127.0.0.1:1');
  await first.getByRole('button', { name: 'Save changes' }).click();
  await first.getByText('In use').waitFor();
  await first.getByRole('button', { name: 'Test the connection' }).click();
  await first.getByText('The provider cannot be used with these settings').waitFor();
  assert.equal((await call('GET', '/api/auth/config')).providerAEnabled, true);

  await page.getByRole('link', { name: 'Network access' }).click();
  const hosts = page.locator('#server-hosts');
  await hosts.getByLabel('Allowed hosts').fill('nas.local\n192.168.1.5:8080\n');
  await hosts.getByRole('button', { name: 'Save changes' }).click();
  await hosts.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
  assert.deepEqual((await call('GET', '/api/server/connections')).allowed_hosts, ['nas.local', '192.168.1.5:8080']);
  await assertAccessible(page);
});

test('workspace is exported, and imported again after a preview of its content', { timeout: 150_000 }, async (t) => {
  const { call, page, go } = await openShop(t);
  const playlist = await call('POST', '/api/playlists', { name: 'Autumn' }, 201);
  await call('POST', '/api/groups', { name: 'Windows' }, 201);
  await go('/settings/server?part=exchange');
  const card = page.locator('#server-exchange');
  const exported = await download(card.getByRole('button', { name: 'Export' }));
  const zip = join(tempFolder(t), 'Export.zip');
  await exported.saveAs(zip);
  assert.equal(readFileSync(zip).subarray(0, 2).toString(), 'PK');
  await call('DELETE', `/api/playlists/${playlist.id}`);

  const choose = async (path: string) => {
    await chooseFiles(card.getByRole('button', { name: 'Import…' }), path);
  };
  const wrong = join(tempFolder(t), 'holiday.zip');
  writeFileSync(wrong, 'not a zip');
  await choose(wrong);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/This file is not an export/).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Import' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await choose(zip);
  await dialog.getByText(/A Vitrine export/).waitFor();
  await dialog.getByText('The group Windows already exists.', { exact: false }).waitFor();
  await assertAccessible(page);
  assert.deepEqual(await call('GET', '/api/playlists'), [], 'nothing yet');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText(/^Added to/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  assert.deepEqual(
    (await call('GET', '/api/playlists')).map((one: { name: string }) => one.name),
    ['Autumn'],
  );
  assert.equal((await call('GET', '/api/groups')).length, 1);
});

test('player version is uploaded, rolled out to a first screen, paused and ended', { timeout: 150_000 }, async (t) => {
  const { call, screen, page, go } = await openShop(t);
  const first = await screen('Window');
  await screen('Till');
  const [tills, doors] = [
    await call('POST', '/api/groups', { name: 'Tills' }, 201),
    await call('POST', '/api/groups', { name: 'Doors' }, 201),
  ];
  await go('/settings/updates');
  await page.getByText('No versions yet.', { exact: false }).waitFor();
  const file = join(tempFolder(t), 'Vitrine-9.9.9-linux-x64.AppImage');
  writeFileSync(file, 'an image of an app');
  await chooseFiles(page.getByRole('button', { name: 'Upload files' }), file);
  await page.getByText('Version 9.9.9 is on the server').waitFor();
  await page.getByText('Not signed: screens refuse it').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Roll out' }).isDisabled(), true);
  writeFileSync(`${file}.sig`, `${'ab'.repeat(64)}\n`);
  await chooseFiles(page.getByRole('button', { name: 'Upload files' }), [`${file}.sig`, file]);
  await page.getByText('Signed', { exact: true }).waitFor();
  await page.getByText('This server is a development build', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Roll out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll out version 9.9.9' });
  await dialog.getByRole('combobox', { name: 'First screen' }).click();
  await page.getByRole('option', { name: 'Window' }).click();
  // Adds several groups in order with the keyboard alone, and removes one group.
  const groups = dialog.getByRole('combobox', { name: 'Next groups' });
  for (const [typed, name] of [
    ['til', 'Tills'],
    ['doo', 'Doors'],
  ] as const) {
    await groups.fill(typed);
    await page.getByRole('option', { name }).waitFor();
    await groups.press('ArrowDown');
    await groups.press('Enter');
    await page.getByRole('option', { name, selected: true }).waitFor();
  }
  await assertAccessible(page);
  await groups.press('Escape');
  await dialog.getByRole('button', { name: 'Remove Doors' }).click();
  await dialog.getByRole('row', { name: doors.name }).waitFor({ state: 'detached' });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Roll out' }).click();
  await page.getByRole('heading', { name: 'Rollout of version 9.9.9' }).waitFor();
  const [rollout] = await call('GET', '/api/updates/rollouts');
  assert.deepEqual([rollout.status, rollout.stage, rollout.first_device_id], ['running', 'first', first.deviceId]);
  assert.deepEqual(rollout.group_ids, [tills.id]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Stop the rollout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the rollout' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
  assert.equal((await call('GET', '/api/updates/rollouts'))[0].status, 'aborted');
});

test('clock that has jumped is shown with both times until the user confirms it with one click', {
  timeout: 150_000,
}, async (t) => {
  const clock = new TestClock(Date.now());
  const { site, page, go } = await openShop(t, { clock });
  clock.jump(2 * 365 * 86_400_000);
  await go('/settings/server');
  const notice = page.getByRole('alert').filter({ hasText: 'The clock of the server may be wrong' });
  await notice.getByText(/The clock shows .* but it should show .* no old data/).waitFor();
  await assertAccessible(page);
  await notice.getByRole('button', { name: 'Confirm the time' }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Is it .* now\?$/ });
  await dialog.getByText(/Check another clock first/).waitFor();
  await dialog.getByRole('button', { name: 'Confirm the time' }).click();
  await page.getByText('The time is confirmed').waitFor();
  // By the clock that has jumped, the session is two years old.
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill('correct horse');
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await notice.waitFor({ state: 'detached' });
  assert.equal(site.app.clock.doubtful, false);
});

test('store is backed up and restored with progress, and the restore can be undone', {
  timeout: 240_000,
}, async (t) => {
  // The server runs in a separate process, because the restore restarts it.
  const data = tempFolder(t);
  const { server, token, call } = await startOwned(t, data);
  const names = async (): Promise<string[]> => {
    const { status, body } = await call('GET', '/api/playlists');
    return status === 200 ? body.map(({ name }: { name: string }) => name) : [];
  };
  await call('POST', '/api/playlists', { name: 'Autumn' });
  const { page, go } = await openAdmin(t, server, token);
  await go('/settings/people');
  const making = handsOn(page);
  await making.click(page.getByRole('link', { name: 'Backups', exact: true }));
  await page.getByRole('button', { name: 'Back up now' }).and(page.locator(':focus')).waitFor();
  await making.press('Enter');
  await page.getByText(/^The backup is finished/).waitFor();
  await call('POST', '/api/playlists', { name: 'Winter' });

  await go('/settings/people');
  const restoring = handsOn(page);
  await restoring.click(page.getByRole('link', { name: 'Backups', exact: true }));
  await restoring.click(page.getByRole('button', { name: /^Restore the backup from/ }));
  const dialog = page.getByRole('dialog', { name: /^Restore the backup from/ });
  await dialog.getByText('1 playlist', { exact: true }).waitFor();
  await assertAccessible(page);
  await restoring.click(dialog.getByRole('button', { name: 'Restore', exact: true }));
  const way = page.getByRole('dialog', { name: /^Restoring/ });
  await way.getByRole('listitem').filter({ hasText: 'Restore the backup' }).waitFor();
  await assertAccessible(page);
  await page.getByText(/^The backup from .* is restored/).waitFor({ timeout: 60_000 });
  await page.getByText(/Restored by owner@store\.test on .* Added later, now lost: 1 playlist\./).waitFor();
  assert.deepEqual(await names(), ['Autumn']);
  await assertAccessible(page);
  for (const [what, hands, most] of [
    ['a backup', making, { clicks: 2, seconds: 5 }],
    ['a restore', restoring, { clicks: 4, seconds: 12 }],
  ] as const) {
    const { clicks, keys, seconds } = hands.effort();
    t.diagnostic(`${what}: ${clicks} clicks, ${keys} keys, ${seconds} s`);
    assert.ok(clicks <= most.clicks && seconds <= most.seconds, `${what}: ${clicks} clicks, ${seconds} s`);
  }

  // Makes the session older than 15 minutes: a person who finds the open browser window later must enter the password
  // again.
  const db = new BetterSqlite3(join(data, 'vitrine.db'));
  db.exec('UPDATE sessions SET created_at = created_at - 1000');
  db.close();
  await page.reload();
  await page.getByRole('button', { name: 'Go back' }).click();
  const back = page.getByRole('dialog', { name: /^Restore the backup from/ });
  const password = back.getByLabel('Your password', { exact: true });
  await password.fill('not mine');
  await back.getByRole('button', { name: 'Restore', exact: true }).click();
  await back.getByText('The password is wrong.').waitFor();
  await password.fill('correct horse');
  await back.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('dialog', { name: /^Restoring/ }).waitFor();
  await until('Winter is back', 60_000, async () => (await names()).includes('Winter'));
});

test('downloaded backup is uploaded to another server and shown with its origin, and other files are refused', {
  timeout: 150_000,
}, async (t) => {
  const { call, page, go } = await openShop(t);
  await call('PUT', '/api/server/settings', { name: 'Bakery North' });
  await call('POST', '/api/server/backups', { complete: true }, 201);
  await go('/settings/backups');
  await page.getByRole('button', { name: /^Download the backup from/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Download the backup from/ });
  await dialog.getByText(/contains the secrets of this server/).waitFor();
  await assertAccessible(page);
  const taken = await download(dialog.getByRole('button', { name: /^Download, / }));
  assert.doesNotMatch(taken.url(), /\?/, 'nothing that opens it stands in the address');
  const file = join(tempFolder(t), 'taken.vitrine');
  await taken.saveAs(file);

  const other = await openShop(t);
  await other.go('/settings/backups');
  const bring = other.page.getByRole('button', { name: 'Upload a backup' });
  const wrong = join(tempFolder(t), 'holiday.vitrine');
  writeFileSync(wrong, readFileSync(file).subarray(0, 100_000));
  await chooseFiles(bring, wrong);
  await other.page.getByText('holiday.vitrine was not accepted').waitFor();
  await other.page.getByText('The file is incomplete').waitFor();
  await other.page.getByText('There is no backup yet.').waitFor();
  await chooseFiles(bring, file);
  await other.page.getByText('The backup was uploaded and tested').waitFor();
  const row = other.page.getByRole('listitem').filter({ hasText: 'From Bakery North' });
  await row.getByText('Uploaded', { exact: true }).waitFor();
  await row.getByText(/kept until/).waitFor();
  await row.getByRole('button', { name: /^Restore the backup from/ }).click();
  const asks = other.page.getByRole('dialog', { name: /^Restore the backup from/ });
  await asks.getByText('This backup is from another server: Bakery North').waitFor();
  const restore = asks.getByRole('button', { name: 'Restore', exact: true });
  await asks.getByText('On the other server, will be added').waitFor();
  assert.equal(await restore.isDisabled(), true, 'not by a click too many');
  await tick(asks.getByLabel('Turn this computer into that server'));
  assert.equal(await restore.isEnabled(), true);
  await assertAccessible(other.page);
});
