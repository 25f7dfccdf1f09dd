/**
 * Designer in the admin window: selects, moves, resizes, groups, aligns and adds elements by mouse and by keys; copies
 * between designs; saves; two users at once; drafts; viewers; accessibility and German.
 */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright';
import { Design } from '../../shared/design/design.ts';
import { textOf } from '../../shared/design/rich-text.ts';
import { must, person } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, axeFindings, drag, middleOf, openShop } from './hosts/admin-window.ts';

const place = (dx: number, dy: number, width: number, height: number) => ({
  ...{ horizontal: 'left', vertical: 'top', dx, dy, width, height },
});
/** A page of 1920 × 1080: 192 units are 10 % of the width, 108 units 10 % of the height. */
const designOf = (...elements: readonly object[]): Design =>
  Design.parse({
    ...{ format: 'vitrine-design', version: 1, template: false, style: null },
    pages: [
      {
        ...{ id: 'page-1', background: { kind: 'color', color: 'paper' }, elements, layout: null },
        ...{ arrangements: {}, duration_ms: null },
      },
    ],
  });
const HEADLINE = {
  ...{ type: 'text', id: 'headline', name: 'Headline', text: textOf('Soup of the day'), size: 90 },
  place: place(192, 108, 768, 216),
};
const BADGE = {
  ...{ type: 'price', id: 'badge', name: 'Badge', amount: 14.5, currency: 'EUR', size: 90 },
  place: place(1152, 540, 384, 216),
};
const BOX = {
  ...{ type: 'shape', id: 'box', name: 'Box', shape: 'rectangle', fill: { kind: 'color', color: 'accent' } },
  place: place(192, 648, 384, 216),
};

const shop = async (t: TestContext) => {
  const opened = await openShop(t);
  const { site, token, page, go } = opened;
  const store = async (design: Design, name: string): Promise<string> =>
    must(await upload(site, token, Buffer.from(JSON.stringify(design)), name), 201).id;
  return {
    ...opened,
    store,
    open: async (id: string) => {
      await go(`/content/${id}/design`);
      await page.locator('.design-board').waitFor();
    },
    stored: async (id: string): Promise<Design> =>
      Design.parse(
        await (
          await fetch(`${site.origin}/api/content/${id}/file`, { headers: { Authorization: `Bearer ${token}` } })
        ).json(),
      ),
    save: async () => {
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('The design is saved.', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Save changes' }).and(page.locator(':disabled')).waitFor();
    },
  };
};

const elementsOf = (page: Page) => page.getByRole('list', { name: 'Elements of the page' });
const element = (page: Page, name: string) => elementsOf(page).getByRole('button', { name, exact: true });
/** Returns place and size of an element on the canvas in percent of the page. */
const rectOf = async (page: Page, name: string): Promise<number[]> =>
  await element(page, name).evaluate((button) => {
    const { left, top, width, height } = button.parentElement!.style;
    return [left, top, width, height].map((side) => Math.round(Number.parseFloat(side) * 10) / 10);
  });
const selectedNames = async (page: Page): Promise<string[]> =>
  await elementsOf(page)
    .getByRole('button', { pressed: true })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
const section = (page: Page, title: string) => page.locator('summary').filter({ hasText: title }).click();

/** Checks the properties only: new elements cover each other on the canvas, so that some targets there are small. */
const assertPanelAccessible = async (page: Page): Promise<void> =>
  assert.deepEqual(await axeFindings(page, 'light', [], ['.canvas-side']), []);

test('elements are selected, moved, resized, undone, grouped, aligned and saved by mouse and by keys', {
  timeout: 150_000,
}, async (t) => {
  const { page, store, open, save, stored } = await shop(t);
  const id = await store(designOf(HEADLINE, BADGE, BOX), 'Lunch');
  await open(id);
  await assertAccessible(page);

  const board = (await page.locator('.design-board').boundingBox())!;
  const from = await middleOf(element(page, 'Box'));
  await drag(page, from, { x: from.x + board.width * 0.2, y: from.y + board.height * 0.051 });
  assert.deepEqual(await rectOf(page, 'Box'), [30, 65, 20, 20]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  assert.deepEqual(await rectOf(page, 'Box'), [31, 55, 20, 21]);
  const corner = await middleOf(page.locator('.canvas-handle.se'));
  await drag(page, corner, { x: corner.x + board.width * 0.0504, y: corner.y - board.height * 0.01 });
  const [, , width] = await rectOf(page, 'Box');
  assert.ok(width! > 24 && width! < 27, `${width}`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.deepEqual(await rectOf(page, 'Box'), [30, 65, 20, 20], 'keys in a row are one step');

  await section(page, 'Position and size');
  const left = page.getByRole('textbox', { name: 'From the left' });
  await left.fill('12.5');
  await left.press('Enter');
  assert.equal((await rectOf(page, 'Box'))[0], 12.5);

  await element(page, 'Headline').click();
  await element(page, 'Box').click({ modifiers: ['Shift'] });
  await page.locator('.selection-frame').waitFor();
  await page.getByRole('button', { name: 'Align left' }).click();
  assert.deepEqual([(await rectOf(page, 'Headline'))[0], (await rectOf(page, 'Box'))[0]], [10, 10]);
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await element(page, 'Badge').click();
  await element(page, 'Box').click();
  assert.deepEqual(await selectedNames(page), ['Headline', 'Box'], 'a group is selected as a whole');
  await element(page, 'Box').press('ArrowRight');
  assert.deepEqual([(await rectOf(page, 'Headline'))[0], (await rectOf(page, 'Box'))[0]], [11, 11]);
  await assertAccessible(page);

  await save();
  const [saved] = (await stored(id)).pages;
  assert.deepEqual(
    saved!.elements.map(({ group, place: { dx } }) => [group, Math.round(dx)]),
    [
      ['group-1', 211],
      [null, 1152],
      ['group-1', 211],
    ],
  );
});

test('copied elements are pasted into another design, and pasted text becomes a text element', {
  timeout: 150_000,
}, async (t) => {
  const { page, store, open, save, stored } = await shop(t);
  const [lunch, dinner] = [await store(designOf(HEADLINE, BADGE), 'Lunch'), await store(designOf(), 'Dinner')];
  await open(lunch);
  await element(page, 'Badge').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.getByText('2 elements copied').first().waitFor({ state: 'attached' });
  await open(dinner);
  await page.getByText('Select an element on the page', { exact: false }).waitFor();
  await page.keyboard.press('Control+v');
  await element(page, 'Badge').waitFor();
  assert.deepEqual(await selectedNames(page), ['Headline', 'Badge']);
  assert.deepEqual(await rectOf(page, 'Badge'), [63, 53, 20, 20], 'a copy is visible beside its original');
  await page.keyboard.press('Control+x');
  assert.equal(await elementsOf(page).getByRole('button').count(), 0);
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Control+d');
  assert.equal(await elementsOf(page).getByRole('button').count(), 4);
  await page.keyboard.press('Delete');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'Open till eight\u0000');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await element(page, 'Text: Open till eight').waitFor();
  await save();
  assert.deepEqual(
    (await stored(dinner)).pages[0]!.elements.map(({ type }) => type),
    ['text', 'price', 'text'],
  );
});

test('each kind of element is added and changed by its own fields', { timeout: 200_000 }, async (t) => {
  const { page, store, open, save, stored, addPicture } = await shop(t);
  const picture = await addPicture('Autumn.jpg');
  const id = await store(designOf(), 'Everything');
  await open(id);
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    await page.getByRole('heading', { name: kind, level: 2 }).waitFor();
  };
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  assert.equal(await page.getByRole('menuitem', { name: 'Weather' }).count(), 0, 'no source of weather data yet');
  await page.keyboard.press('Escape');

  await add('Image or video');
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Autumn.jpg' }).click();
  await page.getByRole('button', { name: /Most important point: 50 %/ }).press('Shift+ArrowRight');
  await page.getByRole('button', { name: /Most important point: 60 %/ }).waitFor();
  await page.getByText('Slow zoom').click();
  await page.getByText('Colour over the image').first().click();
  await assertPanelAccessible(page);

  await add('Shape');
  await radio('Ellipse').click();
  await radio('Gradient').click();
  await page.getByRole('slider', { name: 'Direction' }).fill('90');
  await section(page, 'Outline and corners');
  await page.getByRole('slider', { name: 'Width of the outline' }).fill('6');

  await add('Icon');
  await page.getByRole('searchbox', { name: 'Search icons' }).fill('kaffee');
  await page.getByRole('list', { name: 'Icons' }).getByRole('button', { name: 'coffee' }).click();
  await assertPanelAccessible(page);

  await add('QR code');
  await radio('Wi-Fi').click();
  await page.getByLabel('Name of the network').fill('Café; Guest');
  await page.getByLabel('Password').fill('a:b');
  await section(page, 'Colours of the code');
  await page
    .getByRole('group', { name: 'Colour of the code' })
    .getByRole('button', { name: 'Background', exact: true })
    .click();
  await page.getByText('Phones cannot read this code reliably', { exact: false }).waitFor();
  await assertPanelAccessible(page);

  await add('Countdown');
  await page.getByLabel('End', { exact: true }).fill('2027-01-06T20:00');
  await radio('Date').click();
  await page.getByLabel('Text after the end').fill('Over');

  await add('Clock');
  await radio('Both').click();
  await radio('Right').click();
  await section(page, 'Background');
  await radio('Colour').click();

  await add('Price');
  await page.getByRole('textbox', { name: 'Former price' }).fill('18.9');
  await page.getByLabel('Unit').fill('per kg');

  await add('Logo');
  await section(page, 'Animation');
  await page.getByRole('button', { name: /Entry/ }).click();
  await page.getByRole('option', { name: 'Rise' }).click();
  await section(page, 'More');
  await page.getByText('Others may fill this').click();
  await page.getByRole('slider', { name: 'Opacity' }).fill('40');
  await assertPanelAccessible(page);

  await save();
  const saved = (await stored(id)).pages[0]!.elements;
  const of = <T extends (typeof saved)[number]['type']>(type: T) =>
    saved.find((one) => one.type === type) as Extract<(typeof saved)[number], { type: T }>;
  const { media } = of('media');
  assert.deepEqual(
    [media.content_id, media.focus, media.zoom, media.overlay],
    [picture, { x: 0.6, y: 0.5 }, true, 'ink'],
  );
  const { shape, fill, stroke } = of('shape');
  assert.deepEqual([shape, fill.kind, stroke], ['ellipse', 'gradient', 6]);
  assert.equal(fill.kind === 'gradient' && fill.angle, 90);
  assert.equal(of('icon').icon, 'coffee');
  assert.equal(of('qr').value, 'WIFI:T:WPA;S:Café\\; Guest;P:a\\:b;;');
  const { until: end, shows, after } = of('countdown');
  assert.deepEqual([end, shows, after], ['2027-01-06T20:00', 'date', 'Over']);
  assert.deepEqual([of('clock').shows, of('clock').align, of('clock').fill.kind], ['both', 'end', 'color']);
  assert.deepEqual([of('price').old_amount, of('price').unit], [18.9, 'per kg']);
  assert.deepEqual([of('logo').enter?.kind, of('logo').fillable, of('logo').opacity], ['rise', true, 0.4]);
});

test('element is hidden in one format only, and all formats are shown at once', { timeout: 150_000 }, async (t) => {
  const { page, store, open, save, stored } = await shop(t);
  const id = await store(designOf(HEADLINE, BADGE), 'Lunch');
  await open(id);
  await page.getByRole('radio', { name: 'All formats' }).click();
  const formats = page.getByRole('list', { name: 'All formats' });
  assert.equal(await formats.getByRole('button').count(), 5);
  await assertAccessible(page);
  await formats.getByRole('button', { name: 'Strip' }).click();
  await element(page, 'Badge').click();
  await section(page, 'Position and size');
  await page.getByText('Show in this format (Strip)').click();
  await element(page, 'Badge').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Badge.*Hidden in this format/ }).waitFor();
  await page.getByRole('radio', { name: 'Landscape' }).click();
  await element(page, 'Badge').waitFor();
  await save();
  assert.deepEqual((await stored(id)).pages[0]!.arrangements, { strip: { badge: { hidden: true } } });
});

test('pages get a background, are put in order, and the design becomes a template', { timeout: 150_000 }, async (t) => {
  const { page, store, open, save, stored } = await shop(t);
  const id = await store(designOf(HEADLINE), 'Lunch');
  await open(id);
  await page.getByRole('radio', { name: 'Pattern', exact: true }).click();
  await page.getByRole('radio', { name: 'Waves' }).click();
  await page.getByRole('button', { name: 'Add a page' }).click();
  await page.getByRole('textbox', { name: 'Shown for' }).fill('8');
  await page.getByRole('textbox', { name: 'Shown for' }).press('Enter');
  await page.getByRole('button', { name: 'Move this page to the left' }).click();
  await page.getByText('This is a template').click();
  const pages = page.getByRole('list', { name: 'Pages' }).getByRole('button');
  await drag(page, await middleOf(pages.nth(0)), await middleOf(pages.nth(1)));
  await drag(page, await middleOf(pages.nth(1)), await middleOf(pages.nth(0)));
  await assertAccessible(page);
  await save();
  const { pages: saved, template } = await stored(id);
  assert.equal(template, true);
  assert.deepEqual(
    saved.map(({ id: pageId, background, duration_ms }) => [
      pageId,
      background.kind === 'pattern' && background.pattern,
      duration_ms,
    ]),
    [
      ['page-2', 'waves', 8_000],
      ['page-1', 'waves', null],
    ],
  );
});

test('dropped picture is uploaded and replaces the picture below it', { timeout: 150_000 }, async (t) => {
  const { page, store, open, save, stored, addPicture } = await shop(t);
  const old = await addPicture('Old.jpg');
  const media = {
    ...{ content_id: old, fit: 'fill', focus: { x: 0, y: 0 }, overlay: null, overlay_opacity: 0, zoom: false },
  };
  const id = await store(
    designOf({ type: 'media', id: 'photo', name: 'Photo', media, place: place(192, 108, 768, 432) }),
    'Lunch',
  );
  await open(id);
  const bytes = (await jpegOf('#114488')).toString('base64');
  const drop = async (at: { x: number; y: number }, name: string) => {
    await page.evaluate(
      ({ at: { x, y }, name: filename, bytes: data }) => {
        const carried = new DataTransfer();
        const raw = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
        carried.items.add(new File([raw], filename, { type: 'image/jpeg' }));
        const options = { dataTransfer: carried, bubbles: true, cancelable: true, clientX: x, clientY: y };
        document.elementFromPoint(x, y)!.dispatchEvent(new DragEvent('drop', options));
      },
      { at, name, bytes },
    );
  };
  await drop(await middleOf(element(page, 'Photo')), 'New.jpg');
  await page.getByRole('button', { name: 'Save changes' }).and(page.locator(':enabled')).waitFor();
  const board = (await page.locator('.design-board').boundingBox())!;
  await drop({ x: board.x + board.width * 0.8, y: board.y + board.height * 0.8 }, 'Second.jpg');
  await until('the second picture', 30_000, async () => (await elementsOf(page).getByRole('button').count()) === 2);
  await save();
  const ids = (await stored(id)).pages[0]!.elements.map((one) => one.type === 'media' && one.media.content_id);
  assert.equal(new Set([old, ...ids]).size, 3);
});

test('page is zoomed by buttons, keys and the wheel, and the selected element stays visible', {
  timeout: 150_000,
}, async (t) => {
  const { page, store, open } = await shop(t);
  const id = await store(designOf(HEADLINE, BADGE, BOX), 'Lunch');
  await open(id);
  const scale = async () => Math.round(((await page.locator('.design-board').boundingBox())!.width / 1920) * 100) / 100;
  const fitted = await scale();
  await page.getByRole('button', { name: /Zoom$/ }).click();
  await page.getByRole('option', { name: '400 %' }).click();
  assert.equal(await scale(), 4);
  await page.getByRole('list', { name: 'Elements, front to back' }).getByRole('button', { name: 'Badge' }).click();
  const isVisible = async () => {
    const [room, box] = [
      (await page.locator('.canvas-room').boundingBox())!,
      (await element(page, 'Badge').boundingBox())!,
    ];
    return box.x < room.x + room.width && box.x + box.width > room.x && box.y < room.y + room.height;
  };
  await until('the selected element in view', 5_000, isVisible);
  await element(page, 'Badge').focus();
  await page.keyboard.press('Control+-');
  assert.equal(await scale(), 3.2);
  await page.keyboard.press('Control+0');
  assert.equal(await scale(), fitted);
  const { x, y } = await middleOf(element(page, 'Headline'));
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await until('the zoom of the wheel', 5_000, async () => (await scale()) > fitted * 1.5);
  const after = await middleOf(element(page, 'Headline'));
  assert.ok(Math.hypot(after.x - x, after.y - y) < 12, 'the point below the pointer stays');
  await assertAccessible(page);
});

test('two users who save the same design are warned, and a draft survives a reload', {
  timeout: 150_000,
}, async (t) => {
  const { page, store, open, save, stored, site, token } = await shop(t);
  const id = await store(designOf(HEADLINE, BOX), 'Lunch');
  await open(id);
  await element(page, 'Box').press('ArrowRight');
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('vitrine.draft.')));
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  assert.deepEqual(await rectOf(page, 'Box'), [11, 60, 20, 20]);

  const theirs = Buffer.from(JSON.stringify(designOf(HEADLINE, BADGE)));
  must(await upload(site, token, theirs, 'Lunch', { method: 'PUT', path: `/api/content/${id}/replace` }));
  await page.getByText('Somebody else saved this in the meantime').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), true);
  await page.getByRole('link', { name: 'All content' }).click();
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await save();
  assert.deepEqual(
    (await stored(id)).pages[0]!.elements.map((one) => one.id),
    ['headline', 'box'],
  );
});

test('viewer sees the design and its values, but changes nothing', { timeout: 150_000 }, async (t) => {
  const { page, store, open, site, call, workspace, signIn } = await shop(t);
  const id = await store(designOf(HEADLINE, BADGE), 'Lunch');
  const viewer = await person(site, 'viewer@store.test', { createOrg: false });
  const role = 'workspace_viewer';
  const invite = await call('POST', `/api/workspaces/${workspace}/invites`, { email: viewer.email, role }, 201);
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: viewer.token }));
  await signIn(viewer.token);
  await open(id);
  await element(page, 'Badge').click();
  assert.equal(await page.getByRole('textbox', { name: 'Former price' }).isDisabled(), true);
  await element(page, 'Badge').press('ArrowRight');
  await element(page, 'Badge').press('Delete');
  assert.deepEqual(await rectOf(page, 'Badge'), [60, 50, 20, 20]);
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0);
  assert.equal(await page.locator('.canvas-handle').count(), 0);
  await assertAccessible(page);
});

test('designer fits a phone and German words', { timeout: 150_000 }, async (t) => {
  const { page, context, store, open } = await shop(t);
  const id = await store(designOf(HEADLINE, BADGE, BOX), 'Lunch');
  await context.addInitScript(() => localStorage.setItem('vitrine.language', 'de'));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(id);
  await page.getByRole('list', { name: 'Elemente der Seite' }).getByRole('button', { name: 'Badge' }).click();
  await page.getByRole('textbox', { name: 'Früherer Preis' }).waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} px wider than the phone`);
  const [canvas, side] = [
    (await page.locator('.canvas-room').boundingBox())!,
    (await page.locator('.canvas-side').boundingBox())!,
  ];
  assert.ok(canvas.y + canvas.height <= side.y, 'the properties are below the canvas');
  await assertAccessible(page);
  // The size of a window of 1280 × 1024 at a browser zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  const narrow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(narrow <= 0, `${narrow} px wider than the window`);
  await page.getByRole('textbox', { name: 'Früherer Preis' }).fill('20');
});
