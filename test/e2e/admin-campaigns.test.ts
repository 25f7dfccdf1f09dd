/**
 * Campaigns in a real browser: a campaign is made, previewed, started, delivered to a real store, changed, reverted and
 * stopped. Another campaign waits for approval, and thousands of campaigns are browsed.
 */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright';
import { idInCampaign } from '../../shared/chain/campaign-ids.ts';
import { enrol, openHq, openScreen, openStore, type Server } from '../chain/rig.ts';
import { colleague, must } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { type AdminWindow, assertAccessible, openAdmin } from './hosts/admin-window.ts';

const WAIT_MS = 30_000;

/** Creates a published playlist of pictures. */
const playlistOf = async ({ site, owner, call }: Server, name: string, ...colours: string[]): Promise<string> => {
  const { id } = must(await call('POST', '/api/playlists', { name }), 201);
  for (const [i, colour] of colours.entries()) {
    const picture = must(await upload(site, owner.token, await jpegOf(colour), `${name} ${i + 1}.jpg`), 201);
    must(await call('POST', `/api/playlists/${id}/items`, { content_id: picture.id }), 201);
  }
  must(await call('POST', `/api/playlists/${id}/publish`));
  return id;
};

/** The body of a request that creates a campaign. The campaign has begun and runs for a long time. */
const bodyOf = (playlist_id: string | null, more: object = {}) => ({
  ...{ name: 'Sale', note: '', rank: 'must', playlist_id, layout_id: null, whole_screen: true, begins: 'whole' },
  ...{ start_time: '2026-01-01T00:00:00', end_time: '2030-01-01T00:00:00', recurrence: null, recurrence_end: null },
  ...{ where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
  ...more,
});

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');

/** Checks that none of these pages is wider than the window, from a phone to a large display. */
const assertFits = async ({ page, go }: AdminWindow, ...places: string[]): Promise<void> => {
  for (const width of [390, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    for (const place of places) {
      await go(place);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.ok(!(await isTooWide(page)), `${place} at ${width} px`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
};

/** Headquarters with a playlist, and a store with a screen. */
const openChain = async (t: TestContext) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  await openScreen(t, mill, 'Till');
  await enrol(hq, mill, { name: 'Mill', region: 'North', tags: ['city'] });
  await until('the store is up, and its screen is known', WAIT_MS, async () => {
    const { line, screens_total } = await hq.get('/api/stores/counts');
    return line.up === 1 && screens_total === 1;
  });
  return { hq, mill };
};

test('campaign is made, previewed, started, delivered, changed, reverted and stopped', {
  timeout: 240_000,
}, async (t) => {
  const { hq, mill } = await openChain(t);
  await playlistOf(hq, 'Offers', '#aa0033', '#0033aa');
  const window = await openAdmin(t, hq.site, hq.owner.token);
  const { page, go } = window;
  await go('/stores');
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByText('No campaigns yet').waitFor();
  await assertAccessible(page);

  // The name is entered in a dialog, and the campaign's page opens.
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Summer sale');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Summer sale' }).waitFor();
  await page.getByText('Choose a playlist, or a layout whose zones have content.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled());
  await page.getByRole('combobox', { name: 'Playlist' }).click();
  await page.getByRole('option', { name: /Offers/ }).click();
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByRole('radio', { name: 'No end' }).click();
  await page.getByText('Currently 1 store').waitFor();
  await page.getByRole('combobox', { name: 'Regions' }).fill('South');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.getByText('No enrolled store matches.').waitFor();
  await page.getByRole('combobox', { name: 'Selected stores' }).fill('mil');
  await page.getByRole('option', { name: /Mill/ }).click();
  await page.keyboard.press('Tab');
  await page.getByText('Currently 1 store').waitFor();

  // Each error stands beside its field.
  await page.getByRole('button', { name: 'Add a place' }).click();
  const place = page.getByRole('group', { name: 'Place 1' });
  await place.getByRole('textbox', { name: 'Name' }).fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await place.getByText('The place needs a name.').waitFor();
  await page.getByText('Fix 1 problem before saving').waitFor();
  await place.getByRole('textbox', { name: 'Name' }).fill('Offer of the day');
  await place.getByRole('button', { name: /Position in the playlist/ }).click();
  await page.getByRole('option', { name: 'After 1. Offers 1.jpg' }).click();
  await page.getByRole('region', { name: 'The playlist with its places' }).getByText('Offer of the day').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Nothing was sent.').waitFor();

  // Preview before the start: the store answers which screens would change.
  await page.getByRole('button', { name: 'Ask the stores' }).click();
  await page.getByText('1 screen in 1 store change.').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('It goes to 1 store at once.').waitFor();
  await dialog.getByText('It hides plans and playlists of the stores.').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Summer sale is being sent to the stores').waitFor();

  // The progress of the store appears on the open page without a reload.
  mill.site.app.chain.hurry();
  await page.getByRole('row', { name: /Mill.*(Ready|On the screens|Playing)/ }).waitFor({ timeout: 60_000 });
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
  await page.getByRole('row', { name: /Summer sale.*Overrides store content.*Running/ }).waitFor();
  await assertAccessible(page);

  // Changes are not sent to stores until the campaign is started again.
  await page.getByRole('link', { name: 'Summer sale' }).click();
  await page.getByRole('radio', { name: 'Settings' }).click();
  await page.getByText('Shown where the store has no content', { exact: true }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Stores have edition 1. Your changes have not been sent.').waitFor();
  await page.getByText('Start the campaign again to send them: priority.').waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await dialog.getByText('It replaces edition 1.').waitFor();
  await dialog.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('Stores have edition 1. Your changes have not been sent.').waitFor({ state: 'detached' });

  // The list of editions says what changed in each edition.
  await page.getByRole('radio', { name: 'Editions' }).click();
  await page.getByRole('row', { name: /Edition 2.*priority/ }).waitFor();
  await assertAccessible(page);
  await page
    .getByRole('row', { name: /Edition 1/ })
    .getByRole('button', { name: 'Roll back' })
    .click();
  await dialog.getByText('Different from now: priority.').waitFor();
  await dialog.getByRole('button', { name: 'Roll back to edition 1' }).click();
  await page.getByRole('row', { name: /Edition 3.*Current edition in the stores/ }).waitFor();
  const [campaign] = await hq.get('/api/campaigns');
  assert.deepEqual([campaign.rank, campaign.edition, campaign.is_changed], ['must', 3, false]);
  await assertFits(
    window,
    '/campaigns',
    ...['stores', 'edit', 'editions'].map((part) => `/campaigns/${campaign.id}?part=${part}`),
  );

  await page.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByText('1 store stops showing it at once').waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Summer sale is stopped').waitFor();
  await go(`/campaigns/${campaign.id}?part=edit`);
  await page.getByRole('button', { name: 'Delete campaign' }).click();
  await dialog.getByRole('button', { name: 'Delete campaign' }).click();
  await page.getByText('No campaigns yet').waitFor();
});

test("campaign waits for the approval of another user, and two users who edit it see each other's changes", {
  timeout: 180_000,
}, async (t) => {
  const hq = await openHq(t);
  const playlist = await playlistOf(hq, 'Offers', '#aa0033');
  const { id } = must(await hq.call('POST', '/api/campaigns', bodyOf(playlist)), 201);
  must(await hq.call('PUT', `/api/workspaces/${hq.owner.workspaceId}`, { approval: 1 }));
  const bea = await colleague(hq.site, hq.owner, 'bea@store.test', 'workspace_editor');

  const hers = await openAdmin(t, hq.site, bea.token);
  await hers.go(`/campaigns/${id}`);
  const ask = hers.page.getByRole('button', { name: 'Ask for approval' });
  await ask.click();
  const dialog = hers.page.getByRole('alertdialog');
  await dialog.getByText('An approver reviews the campaign and starts it.').waitFor();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await hers.page.getByText('Another approver must approve it.').waitFor();
  await assertAccessible(hers.page);
  await hers.page.getByRole('button', { name: 'Withdraw request' }).click();
  await ask.click();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await hers.page.getByText('Another approver must approve it.').waitFor();

  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  await go('/campaigns');
  await page.getByRole('row', { name: /Sale.*Waiting for approval/ }).waitFor();
  await page.getByRole('link', { name: /^Alerts 1/ }).click();
  await page.getByText('wants to start it in 0 stores.').waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByText('wants to start this campaign.').waitFor();

  // The campaign is refused with a reason, then submitted for approval again.
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Your answer' }).fill('Not before Friday.');
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await hers.page.getByText(/owner refused to start this/).waitFor();
  await hers.page.getByText('Not before Friday.').waitFor();
  await assertAccessible(hers.page);
  await ask.click();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await hers.page.getByText('Another approver must approve it.').waitFor();
  await hers.page.getByText('Not before Friday.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Approve and start' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve and start' }).click();
  await page.getByText('Sale is being sent to the stores').waitFor();
  await page.getByText(/Edition 1, started .*approved by/).waitFor();

  // Both users change the campaign. The second user to save is asked which version to keep.
  const name = (on: Page) => on.getByRole('textbox', { name: 'Name', exact: true }).first();
  await hers.go(`/campaigns/${id}?part=edit`);
  await name(hers.page).fill('Sale of Bea');
  await go(`/campaigns/${id}?part=edit`);
  await name(page).fill('Sale of Olga');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sale of Olga' }).waitFor();
  await hers.page.getByRole('button', { name: 'Keep mine' }).click();
  await hers.page.getByRole('button', { name: 'Save changes' }).click();
  await hers.page.getByRole('heading', { level: 1, name: 'Sale of Bea' }).waitFor();
});

/**
 * Inserts the database rows of thousands of campaigns and stores. Returns the id of a campaign that runs in all stores.
 */
const seed = ({ site, owner }: Server, id: string, stores: number, campaigns: number): void => {
  const { raw } = site.app.db;
  const now = Math.floor(Date.now() / 1000);
  const PHASES = ['showing', 'on_screens', 'armed', 'fetching', 'told', 'refused'];
  site.app.db.write(() => {
    const store = raw.prepare(
      'INSERT INTO hq_stores (ref, workspace_id, name, region, tags, key, enrolled_at, heard_at, created_at) VALUES (?, ?, ?, ?, ?, ?, 1, ?, 1)',
    );
    const ready = raw.prepare(
      'INSERT INTO hq_readiness (campaign, store, edition, phase, applied, bytes_left, rate, screens, ready, why, told_at) VALUES (?, ?, 1, ?, ?, ?, ?, 4, ?, ?, ?)',
    );
    for (let i = 0; i < stores; i++) {
      const no = String(i).padStart(4, '0');
      const row = store.run(
        ...[`s${i}`, owner.workspaceId, `Store ${no}`, `Region ${i % 12}`, i % 3 === 0 ? '["city"]' : '[]', `k${i}`],
        now,
      ).lastInsertRowid;
      const phase = i % 50 === 1 ? PHASES[1 + (Math.floor(i / 50) % 5)]! : 'showing';
      const isThere = phase === 'showing' || phase === 'on_screens';
      const why = phase === 'refused' ? 'The disk is full.' : '';
      ready.run(
        ...[id, row, phase, isThere ? 1 : null, phase === 'fetching' ? 80_000_000 : 0],
        ...[phase === 'fetching' ? 250_000 : null, isThere ? 4 : 0, why, now],
      );
    }
    const { body } = raw.prepare('SELECT body FROM hq_campaigns WHERE id = ?').get(id) as { body: string };
    const campaign = raw.prepare(
      "INSERT INTO hq_campaigns (id, workspace_id, name, rank, body, state, changed_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 'draft', 'Olga', ?, ?)",
    );
    const ranks = ['must', 'default', 'offer', 'safety'];
    for (let i = 1; i < campaigns; i++)
      campaign.run(
        `c${i}`,
        owner.workspaceId,
        `Campaign ${String(i).padStart(4, '0')}`,
        ranks[i % 4],
        body,
        now - i,
        now,
      );
  });
};

test('campaign page shows how often the campaign was shown, and links to the report of this campaign', {
  timeout: 120_000,
}, async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  await enrol(hq, mill, { name: 'Mill', region: 'North', tags: ['city'] });
  const { id } = must(
    await hq.call('POST', '/api/campaigns', bodyOf(await playlistOf(hq, 'Offers', '#aa0033'), { name: 'Advent' })),
    201,
  );
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await till.show(3);
  await till.show(5, 'Star.jpg', idInCampaign(id, 'playlist'));
  await until('headquarters has the plays', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    return (await hq.get('/api/stores/plays/totals')).plays === 8;
  });

  const window = await openAdmin(t, hq.site, hq.owner.token);
  const { page, go } = window;
  await go(`/campaigns/${id}`);
  await page.getByRole('radio', { name: 'Plays' }).click();
  await page.getByText('Plays', { exact: true }).locator('xpath=../dd').filter({ hasText: /^5$/ }).waitFor();
  await page.getByRole('list', { name: 'By day' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Report of this campaign' }).click();
  await page.getByRole('button', { name: 'Remove Advent' }).waitFor();
  await page.getByRole('radio', { name: 'Content' }).click();
  await page.getByRole('row', { name: /Star\.jpg.* 5 / }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Sale\.jpg/ }).count(), 0);
  await page.getByRole('button', { name: 'Remove Advent' }).click();
  await page.getByRole('radio', { name: 'Campaigns' }).click();
  await page.getByRole('row', { name: /No campaign.* 3 / }).waitFor();
  await page.getByRole('button', { name: 'Only Advent' }).click();
  await page.getByRole('row', { name: /No campaign/ }).waitFor({ state: 'detached' });
  await assertAccessible(page);
  await assertFits(window, `/campaigns/${id}?part=plays`, `/plays?view=campaign&campaign=${id}`);
});

test('lists of 2,000 campaigns and 5,000 stores load without a noticeable delay', {
  timeout: 180_000,
}, async (t) => {
  const hq = await openHq(t);
  const playlist = await playlistOf(hq, 'Offers', '#aa0033');
  const { id } = must(await hq.call('POST', '/api/campaigns', bodyOf(playlist, { name: 'Everywhere' })), 201);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await hq.site.app.stop();
  const before = await openHq(t, { data: hq.site.data, as: hq.owner });
  seed(before, id, 5_000, 2_000);
  await before.site.app.stop();
  const again = await openHq(t, { data: hq.site.data, as: hq.owner });

  const window = await openAdmin(t, again.site, hq.owner.token);
  const { page, go } = window;
  await go('/campaigns');
  const row = page.getByRole('row', { name: /Everywhere/ });
  await row.getByText(/of 5,000 stores have it/).waitFor();
  await row.getByText(/^Refused: \d+/).waitFor();
  await page.getByText('1–50 of 2,000').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('51–100 of 2,000').waitFor();
  await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('1999');
  await page.getByRole('row', { name: /Campaign 1999/ }).waitFor();
  await page.getByText('1–1 of 1', { exact: true }).waitFor();
  await page.getByRole('button', { name: /State/ }).click();
  await page.getByRole('option', { name: 'Running' }).click();
  await page.getByText('No campaign found').waitFor();
  await page.getByRole('button', { name: 'Show all campaigns' }).click();

  // The overview and each store's row say that campaigns need attention, and each number links to them.
  await go('/stores');
  const needs = page.getByRole('region', { name: 'Campaigns' });
  await needs.getByText('Late in 40 of 5,000 stores. 20 stores refused it.').waitFor();
  await page
    .getByRole('row', { name: /Store \d+.*1 campaign refused/ })
    .first()
    .waitFor();
  await assertAccessible(page);
  await assertFits(window, '/stores', '/stores?trouble=any', '/attention');
  await go('/attention');
  await needs.getByRole('link', { name: '40 late' }).click();
  await page.getByRole('radio', { name: /40.*Late|Late.*40/, checked: true }).waitFor();
  await page.getByText('1–40 of 40').waitFor();
  await go('/stores?trouble=campaign_refused');
  await page.getByText('The store refused a campaign.').first().waitFor();
  await page.getByRole('link', { name: 'Everywhere' }).first().click();
  await page.getByText('1–1 of 1', { exact: true }).waitFor();
  await go(`/campaigns/${id}`);
  await page.getByText('1–50 of 5,000').waitFor();
  await page.getByRole('radio', { name: /Refused/ }).click();
  await page
    .getByRole('row', { name: /Refused.*The disk is full\./ })
    .first()
    .waitFor();
  await assertAccessible(page);
  await page.getByRole('radio', { name: /Downloading/ }).click();
  await page
    .getByRole('row', { name: /ready about.*80 MB left.*250 kB per second/ })
    .first()
    .waitFor();
  await page.getByRole('searchbox', { name: 'Search stores' }).fill('Store 9999');
  await page.getByText('No store with this name has this state.').waitFor();
  await page.getByRole('radio', { name: 'Settings' }).click();
  await page.getByText('Currently 5,000 stores').waitFor();
  await page.getByRole('combobox', { name: 'Tags of stores' }).fill('city');
  await page.getByRole('option', { name: 'city' }).first().click();
  await page.getByText('Currently 1,667 stores').waitFor();
  await assertFits(window, '/campaigns', `/campaigns/${id}`);
});
