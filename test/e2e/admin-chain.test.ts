/**
 * A chain in real browsers: headquarters adds two stores, each store is enrolled in its own admin window, one store
 * goes offline, and the plays of both are reported and verified.
 */
// Suite: window
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright';
import type { ChainVerdict } from '../../server/cli/hq/verify-chain.ts';
import { verify } from '../../server/cli/verify.ts';
import { enrol, openHq, openScreen, openStore, type Server } from '../chain/rig.ts';
import { tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, chooseFiles, download, openAdmin } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

const WAIT_MS = 20_000;

const words = async (shown: Locator): Promise<string> => {
  await shown.first().waitFor();
  return (await shown.allInnerTexts()).join(' ').replace(/\s+/g, ' ');
};

const told = (store: Server): Promise<true> =>
  until('headquarters has everything', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const { link } = await store.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });

/** Returns whether the page is wider than the browser window. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');

test('headquarters adds and enrols a store, and reports and verifies the plays of this store and of an offline store', {
  timeout: 180_000,
}, async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const [till, door] = [await openScreen(t, mill, 'Till'), await openScreen(t, dock, 'Door')];
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  await door.show(4, 'Bread.jpg');
  await told(dock);

  // At headquarters: add a store and get its enrolment code.
  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  // The stores page is the first page at headquarters.
  await go('/');
  const hands = handsOn(page);
  await page.getByRole('row', { name: /Dock/ }).waitFor();
  await hands.click(page.getByRole('button', { name: 'Add a store' }).first());
  const dialog = page.getByRole('dialog');
  await hands.type(dialog.getByRole('textbox', { name: 'Name' }), 'Mill');
  await hands.click(dialog.getByRole('button', { name: 'Add and create code' }));
  const code = (await words(dialog.locator('.enrolment-code code'))).replace(/[\s-]/g, '');
  assert.match(code, /^[0-9A-Z]{24}$/);
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await assertAccessible(page);
  const enrolment = await download(dialog.getByRole('button', { name: 'Save as a file' }));
  assert.equal(enrolment.suggestedFilename(), 'Mill.vitrine-enrolment');

  // In the store: enter address and code. A wrong code is refused with a message.
  const store = await openAdmin(t, mill.site, mill.owner.token);
  await store.go('/settings/headquarters');
  const field = (name: string) => store.page.getByRole('textbox', { name });
  await field('Address of headquarters').fill(`127.0.0.1:${hq.httpsPort}`);
  await field('Enrolment code').fill('0000 0000 0000 0000 0000 0000');
  await store.page.getByRole('button', { name: 'Enrol' }).click();
  await store.page.getByText(/is a code from another headquarters/).waitFor();
  await field('Enrolment code').fill(code.toLowerCase());
  await chooseFiles(
    store.page.getByRole('button', { name: 'From a file…' }),
    join(import.meta.dirname, 'admin-chain.test.ts'),
  );
  await store.page.getByText('This file is not from a headquarters').waitFor();
  const path = join(tempFolder(t), 'mill.vitrine-enrolment');
  await enrolment.saveAs(path);
  // The file contains headquarters' public address. In this test, headquarters listens on the loopback address.
  writeFileSync(path, readFileSync(path, 'utf8').replace(/https:[^"]*/, `https://127.0.0.1:${hq.httpsPort}`));
  await field('Address of headquarters').fill('');
  // Pastes the content of the QR code into the field of the code, which fills both fields.
  await field('Enrolment code').fill(readFileSync(path, 'utf8').replace(/\s+/g, ''));
  assert.equal((await field('Enrolment code').inputValue()).replaceAll('-', ''), code);
  assert.equal(await field('Address of headquarters').inputValue(), `https://127.0.0.1:${hq.httpsPort}`);
  await field('Enrolment code').fill('');
  await chooseFiles(store.page.getByRole('button', { name: 'From a file…' }), path);
  await store.page.getByText('This file is not from a headquarters').waitFor({ state: 'detached' });
  assert.equal((await field('Enrolment code').inputValue()).replaceAll('-', ''), code);
  await store.page.getByRole('button', { name: 'Enrol' }).click();
  await store.page.getByText('Connected', { exact: true }).waitFor();
  await assertAccessible(store.page);

  // The dialog at headquarters updates without a reload.
  await dialog.getByText('Mill is enrolled').waitFor();
  await hands.click(dialog.getByRole('button', { name: 'Open the store' }));
  await page.getByText('This store has no problems.').waitFor();
  await assertAccessible(page);
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`a store added and its code read: ${clicks} clicks, ${seconds.toFixed(1)} s`);

  // Plays of both stores. The state of one store is now unknown.
  await till.show(40);
  await told(mill);
  await hq.call('GET', '/api/stores/counts');
  await dock.site.app.stop();
  hq.site.app.db.write(() =>
    hq.site.app.db.raw.prepare("UPDATE hq_stores SET heard_at = heard_at - 1000 WHERE name = 'Dock'").run(),
  );
  await hq.site.app.stop();
  const again = await openHq(t, { data: hq.site.data, httpsPort: hq.httpsPort, as: hq.owner });
  const later = await openAdmin(t, again.site, hq.owner.token);
  await told(mill);
  await later.go('/stores');
  const needs = later.page.getByRole('row', { name: /Dock/ });
  assert.match(await words(needs), /Not connected/);
  assert.match(await words(later.page.getByRole('row', { name: /Mill/ })), /Connected/);
  await later.page
    .getByRole('link', { name: /Needs attention/ })
    .or(later.page.getByRole('tab', { name: /Needs attention/ }))
    .or(later.page.getByRole('radio', { name: /Needs attention/ }))
    .first()
    .click();
  await later.page.getByText(/The store has not been connected since/).waitFor();
  await assertAccessible(later.page);

  // Sets the location of a store. The map shows the state of the store there.
  const put = await again.call('POST', '/api/stores', { name: 'Nowhere', latitude: 91, longitude: 0 });
  assert.equal(put.status, 400);
  assert.match(put.body.error, /^latitude: must be -90 to 90/);
  await later.go('/stores');
  await later.page.getByRole('link', { name: 'Mill' }).click();
  await later.page.getByRole('button', { name: 'Edit', exact: true }).click();
  const place = later.page.getByRole('textbox', { name: 'Coordinates (latitude, longitude)' });
  await place.fill('Berlin');
  await later.page.getByRole('button', { name: 'Save changes' }).click();
  await later.page.getByText(/These are not valid coordinates/).waitFor();
  await place.fill('52°31\'12"N 13°24\'18"E');
  await later.page.getByText('Recognized: 52.52° N, 13.405° E').waitFor();
  await later.page.getByRole('button', { name: 'Save changes' }).click();
  await place.waitFor({ state: 'detached' });
  await later.go('/stores');
  await later.page.getByRole('radio', { name: 'Map' }).click();
  await later.page.getByText('1 store has no coordinates yet.').waitFor();
  const mark = later.page.getByRole('button', { name: 'Mill: Connected' });
  await assertAccessible(later.page);
  await mark.focus();
  await later.page.keyboard.press('+');
  await later.page.keyboard.press('Enter');
  const card = later.page.getByRole('dialog', { name: 'Mill' });
  await card.getByText('This store has no problems.').waitFor();
  await assertAccessible(later.page);
  await later.page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  assert.ok(await mark.evaluate((element) => element === document.activeElement));
  await later.page.getByRole('link', { name: 'Show in the table' }).click();
  await later.page.getByRole('row', { name: /Dock/ }).waitFor();
  await later.page.getByRole('row', { name: /Mill/ }).waitFor({ state: 'detached' });
  await later.page.getByRole('button', { name: 'Without coordinates' }).click();
  await later.page.getByRole('row', { name: /Mill/ }).waitFor();

  await later.go('/plays');
  assert.match(await words(later.page.getByRole('row', { name: /Sale\.jpg/ })), /40/);
  assert.match(await words(later.page.getByRole('row', { name: /Bread\.jpg/ })), /4/);
  await later.page.getByText('Plays of 1 store may be missing in these numbers').waitFor();
  await assertAccessible(later.page);
  await later.page.getByRole('radio', { name: 'Screens' }).click();
  assert.match(await words(later.page.getByRole('row', { name: /Till/ })), /Mill/);
  await later.page.getByRole('button', { name: 'Download' }).click();
  const file = await download(later.page.getByRole('menuitem', { name: 'Proof of play' }));
  const saved = join(tempFolder(t), file.suggestedFilename());
  await file.saveAs(saved);
  const { result, exit } = await verify.run(
    { names: [saved], text: () => undefined, isSet: () => false, data: '' },
    { json: true, print: () => {} },
  );
  const verdict = result as ChainVerdict;
  assert.deepEqual([exit ?? 0, verdict.plays], [0, 44]);
  assert.ok(verdict.stores.some(({ name, screens }) => name === 'Mill' && screens.some(({ signed }) => signed >= 32)));

  for (const width of [390, 768, 2560]) {
    await later.page.setViewportSize({ width, height: 900 });
    for (const place of ['/stores', '/stores?view=map', '/plays', '/settings/headquarters']) {
      await later.go(place);
      await later.page.getByRole('heading', { level: 1 }).waitFor();
      assert.ok(!(await isTooWide(later.page)), `${place} at ${width} px`);
    }
  }
});
