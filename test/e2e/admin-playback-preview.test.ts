/** The preview page of the admin window answers “What does this screen show on Friday at 17:05, and why?” */
// Suite: long
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

test('preview of a time from the address names the playing item, its reason and the items that it displaces', {
  timeout: 150_000,
}, async (t) => {
  const { call, screen, addPicture, publish, assign, page, go } = await openShop(t);
  const { deviceId } = await screen('Window');
  await call('PUT', `/api/devices/${deviceId}`, { timezone: 'Europe/Berlin' });
  const bread = { content_id: await addPicture('bread.jpg'), duration_sec: 3600 };
  const [own, sale] = [await publish('Every day', bread), await publish('Sale', bread)];
  await assign(own.id, deviceId);
  const plan = { device_id: deviceId, playlist_id: sale.id, timezone: 'Europe/Berlin' };
  await call(
    'POST',
    '/api/schedules',
    { ...plan, title: 'Friday sale', start_time: '2026-11-20T17:00', end_time: '2026-11-20T18:00', priority: 5 },
    201,
  );
  const lost = await call(
    'POST',
    '/api/schedules',
    { ...plan, title: 'Quiet hour', start_time: '2026-11-20T16:00', end_time: '2026-11-20T20:00' },
    201,
  );
  await go(`/screens/${deviceId}?at=2026-11-20T17:05`);
  const answer = page.locator('#playback-preview');
  await answer.getByText('Planned, 17:00 – 18:00:').or(answer.getByText('Planned, 05:00 PM – 06:00 PM:')).waitFor();
  await answer.getByRole('strong').filter({ hasText: 'bread.jpg' }).waitFor();
  await answer.getByText('overridden by Friday sale: higher priority').waitFor();
  await answer.getByText('the screen’s own playlist, plays when the plan ends').waitFor();
  await assertAccessible(page);

  const slider = answer.getByRole('slider', { name: 'Time of day' });
  await slider.focus();
  for (let i = 0; i < 11; i++) await page.keyboard.press('ArrowRight');
  await page.waitForURL(/at=2026-11-20T18(%3A|:)00/);
  await answer
    .getByText(/^Planned/)
    .getByRole('link', { name: 'Quiet hour' })
    .waitFor();
  await answer.getByLabel('Time', { exact: true }).fill('21:30');
  await answer.getByText('From its own playlist Every day.').waitFor();
  assert.equal(await answer.getByText('Overridden').count(), 0);
  await answer.getByRole('button', { name: 'Now' }).click();
  await page.waitForURL((url) => !url.hash.includes('at='));

  await call('PUT', `/api/devices/${deviceId}`, {
    opening_hours: [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '17:00' }],
  });
  await go(`/screens/${deviceId}?at=2026-11-20T17:05`);
  await answer.getByText(/^Off: outside of opening hours, until Monday, 0?8:00/).waitFor();
  await answer.getByText('Display on: Monday to Friday from').waitFor();
  assert.equal(await answer.getByText('bread.jpg').count(), 0, 'the picture is that of a panel that is off');
  await assertAccessible(page);
  await call('PUT', `/api/devices/${deviceId}`, { opening_hours: null });

  await go(`/screens/${deviceId}?at=2026-11-20T17:05`);
  await answer.getByRole('link', { name: 'Quiet hour' }).click();
  await page.getByRole('dialog', { name: 'Edit plan' }).waitFor();
  assert.match(page.url(), new RegExp(lost.id));
});
