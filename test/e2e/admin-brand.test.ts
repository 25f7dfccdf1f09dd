/** The brand of a workspace in the admin window: change, preview, colours of the logo, and what readers may do. */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { must } from '../people.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

/** A logo: a red circle on a transparent ground, with a blue bar. */
const logo = (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><circle cx="80" cy="80" r="70" fill="#C81E28"/><rect x="170" y="60" width="110" height="40" fill="#143CA0"/></svg>',
    ),
  )
    .png()
    .toBuffer();

test('administrator gives the workspace a brand: colours of the logo, tone, and a preview that follows', {
  timeout: 150_000,
}, async (t) => {
  const { site, token, workspace, call, page, go } = await openShop(t);
  must(await upload(site, token, await logo(), 'Logo.png'), 201);
  const shots = join(process.env['VITRINE_TEST_ARTEFACTS'] ?? 'test-artefacts', 'brand');
  mkdirSync(shots, { recursive: true });
  const shot = (name: string) => page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  await go('/settings/brand');
  await page.getByRole('heading', { name: 'Brand', level: 1 }).waitFor();
  await page
    .getByText(/^Text on this colour is readable \(\d+(\.\d)? : 1\)\.$/)
    .first()
    .waitFor();
  await assertAccessible(page);

  await page.getByRole('group', { name: 'Logo', exact: true }).getByRole('button', { name: 'Choose an image' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logo.png' }).click();
  const colors = page.getByRole('group', { name: 'Main colour: colours of the logo' });
  await colors.getByRole('button').nth(1).waitFor();
  await colors.getByRole('button').first().click();
  await page.getByRole('group', { name: 'Accent colour: colours of the logo' }).getByRole('button').nth(1).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Corner Bakery');
  await page.getByText('Dark', { exact: true }).click();
  const preview = page.getByRole('img', { name: 'An offer with this brand' });
  await preview.waitFor();
  await assertAccessible(page);
  await shot('light');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The brand is saved.').waitFor();
  const primary = page.getByRole('textbox', { name: 'Main colour', exact: true });
  const saved = await primary.inputValue();
  const brand = await call('GET', `/api/workspaces/${workspace}/brand`);
  assert.deepEqual([brand.name, brand.tone, brand.logo_content_id !== null], ['Corner Bakery', 'dark', true]);
  assert.match(brand.primary, /^#C[6-9A-C]/);
  assert.match(brand.accent, /^#1[0-9]/);

  assert.equal(saved, brand.primary, 'the field keeps the saved colour');
  await primary.fill('#12');
  await page.getByText('Enter a colour like #A1B2C3.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await primary.fill('#F4F4F4');
  await page.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await primary.inputValue(), brand.primary);

  await page.emulateMedia({ colorScheme: 'dark' });
  await shot('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await shot('phone');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} px wider than a phone`);
  await page.context().addInitScript(() => localStorage.setItem('vitrine.language', 'de'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await go('/settings/brand');
  await page.getByRole('heading', { name: 'Marke', level: 1 }).waitFor();
  await page.getByRole('img', { name: 'Ein Angebot in dieser Marke' }).waitFor();
});
