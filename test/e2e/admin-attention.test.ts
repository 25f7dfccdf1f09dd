/** What needs a person: from the badge to the cause, taken, muted, and from when on it is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

test('from the badge it is one click to the cause of a dark screen; two thousand are one thing that unfolds', {
  timeout: 150_000,
}, async (t) => {
  const { call, screen, page, go, site } = await openShop(t);
  const { deviceId } = await screen('Till 3');
  const { current_workspace_id: workspace } = await call('GET', '/api/auth/me');
  const insert = site.app.db.raw.prepare(
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
  insert.run('w', workspace, 'screen_wifi', deviceId, 'Till 3', JSON.stringify({ value: -84, threshold: -80 }), since);
  await go('/screens');
  await page.reload();
  const hands = handsOn(page);
  await hands.click(page.getByRole('link', { name: /^Alerts 2,001 open alerts/ }));
  await page.getByText('Its 14 neighbours in the network are fine', { exact: false }).first().waitFor();
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`from the badge to the cause: ${clicks} clicks, ${seconds} s`);
  assert.ok(clicks <= 2 && seconds <= 6, `${clicks} clicks, ${seconds} s`);
  await page.getByText('Its Wi-Fi has -84 dBm').waitFor();
  assert.equal(await page.locator('.alert-row').count(), 5);
  await assertAccessible(page);

  const row = page.locator('.alert-row', { hasText: 'Its 14 neighbours' });
  await row.getByRole('button', { name: 'I take care' }).click();
  await row.getByText('Owner takes care').waitFor();
  await row.getByRole('button', { name: 'Mute: Till 3' }).click();
  await page.getByRole('menuitem', { name: 'For an hour' }).click();
  await row.getByText(/^Mute until/).waitFor();
  await page.getByRole('button', { name: 'All seen' }).click();
  await page.getByRole('link', { name: /^Alerts 1 open alerts/ }).waitFor();
  await page.getByRole('button', { name: 'Show all 2,000' }).click();
  await page.getByText('The newest 500 of 2,000.').waitFor();

  await page.getByRole('button', { name: 'When to tell' }).click();
  const rules = page.getByRole('dialog', { name: 'When to tell' });
  const wifi = rules.getByRole('listitem').filter({ hasText: 'Weak Wi-Fi' });
  await wifi.getByRole('textbox', { name: 'Limit' }).fill('-70');
  await wifi.getByRole('textbox', { name: 'Limit' }).press('Enter');
  await assertAccessible(page);
  await wifi.getByText('Weak Wi-Fi').click();
  const rule = async () =>
    (await call('GET', '/api/alert-rules')).find(({ kind }: { kind: string }) => kind === 'screen_wifi');
  await until('it is off', 10_000, async () => (await rule()).enabled === false);
  assert.equal((await rule()).threshold, -70);
  await rules.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('radio', { name: 'Over' }).click();
  await page.getByText('No alerts that are over').waitFor();
});
