/**
 * The attention page: from the badge to the cause of a problem, assigning it, muting it, and the delay before an alert
 * is sent.
 */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

test('badge leads to the cause of a dark screen with one click, and 2,000 dark screens are grouped into one problem', {
  timeout: 200_000,
}, async (t) => {
  const { call, screen, page, go, site } = await openShop(t);
  const { deviceId } = await screen('Till 3');
  const { current_workspace_id: workspace } = await call('GET', '/api/auth/me');
  const { raw } = site.app.db;
  site.app.db.write(() => {
    for (let n = 10; n < 55; n++) {
      raw
        .prepare("INSERT INTO users (id, email, name, plan_id, created_at) VALUES (?, ?, ?, 'pro', 1)")
        .run(`u${n}`, `m${n}@store.test`, `m${n}`);
      raw
        .prepare(
          "INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'workspace_editor', 1)",
        )
        .run(workspace, `u${n}`);
    }
  });
  const insert = raw.prepare(
    'INSERT INTO alerts (id, workspace_id, kind, ref, name, facts, since, told_at) VALUES (?, ?, ?, ?, ?, ?, ?, 1)',
  );
  const since = Math.floor(Date.now() / 1000) - 7_200;
  const dark = { cause: 'alone', address: '192.168.1.23', neighbours: 14 };
  insert.run('a0', workspace, 'screen_dark', deviceId, 'Till 3', JSON.stringify(dark), since + 60);
  site.app.db.write(() => {
    for (let n = 1; n < 2000; n++)
      insert.run(
        `a${n}`,
        workspace,
        'screen_dark',
        `d${n}`,
        `Shelf ${n}`,
        JSON.stringify({ ...dark, cause: 'network' }),
        since,
      );
  });
  const backup = {
    message: 'The newest backup failed. The backup folder /mnt/a does not exist. Check whether its disk is connected.',
  };
  insert.run('b', null, 'server', 'backup_failed', '', JSON.stringify(backup), since);
  insert.run('w', workspace, 'screen_wifi', deviceId, 'Till 3', JSON.stringify({ value: -84, threshold: -80 }), since);
  await go('/screens');
  await page.reload();
  const hands = handsOn(page);
  await hands.click(page.getByRole('link', { name: /^Alerts 2,002 open alerts/ }));
  await page.getByText('14 other screens in its network are online', { exact: false }).first().waitFor();
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`from the badge to the cause: ${clicks} clicks, ${seconds} s`);
  assert.ok(clicks <= 2 && seconds <= 6, `${clicks} clicks, ${seconds} s`);
  await page.getByText('Wi-Fi signal -84 dBm').waitFor();
  assert.equal(await page.locator('.alert-row').count(), 6);
  await assertAccessible(page);

  const row = page.locator('.alert-row', { hasText: '14 other screens' });
  await row.getByRole('button', { name: 'Assign to me' }).click();
  await row.getByText('Assigned to Owner').waitFor();
  const more = row.getByRole('button', { name: 'More: Till 3' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Mute for an hour' }).click();
  await row.getByText(/^Muted until/).waitFor();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await page.getByRole('link', { name: /^Alerts 2 open alerts/ }).waitFor();

  // A few typed letters find one of 46 people by name.
  await more.click();
  await page.getByRole('menuitem', { name: 'Assign …' }).click();
  const giving = page.getByRole('dialog', { name: 'Assign Till 3' });
  await assertAccessible(page);
  await giving.getByRole('button', { name: /^Owner/ }).click();
  await page.getByRole('searchbox').fill('m3');
  await page.getByRole('option', { name: 'm31' }).click();
  await giving.getByRole('button', { name: 'Assign', exact: true }).click();
  await row.getByText('Assigned to m31').waitFor();
  await page.getByRole('radio', { name: 'Me' }).click();
  await page.getByText('No alerts are assigned to you').waitFor();
  await page.getByRole('radio', { name: 'Unassigned' }).click();
  await page.getByText('1,999', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Anyone', exact: true }).click();

  // A problem of the server links to the page on which it can be solved.
  await page.getByRole('link', { name: 'Fix it in Server, Backups' }).click();
  await page.locator('#server-backups').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Alert rules' }).click();
  const rules = page.getByRole('dialog', { name: 'Alert rules' });
  const wifi = rules.getByRole('listitem').filter({ hasText: 'Weak Wi-Fi' });
  await wifi.getByRole('textbox', { name: 'Limit' }).fill('-70');
  await wifi.getByRole('textbox', { name: 'Limit' }).press('Enter');
  await assertAccessible(page);
  await wifi.locator('label.checkbox', { hasText: 'Webhook' }).click();
  await rules.getByText('Daily e-mail').click();
  await rules.getByRole('button', { name: /^07:00/ }).click();
  await page.getByRole('option', { name: '06:00', exact: true }).click();
  const digest = () => call('GET', '/api/alert-digest');
  await until('it is sent at six', 10_000, async () => (await digest()).enabled && (await digest()).hour === 6);
  await wifi.getByText('Weak Wi-Fi').click();
  const rule = async () =>
    (await call('GET', '/api/alert-rules')).find(({ kind }: { kind: string }) => kind === 'screen_wifi');
  await until('it is off', 10_000, async () => (await rule()).enabled === false);
  assert.deepEqual([(await rule()).threshold, (await rule()).webhook, (await rule()).mqtt], [-70, false, true]);
  // Escape closes the dialog without a question, because each change has been saved at once.
  await page.keyboard.press('Escape');
  await rules.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show all 2,000' }).click();
  await page.getByText('Showing the newest 500 of 2,000.').waitFor();
  await page.getByRole('radio', { name: 'Resolved' }).click();
  await page.getByText('No resolved alerts').waitFor();
});
