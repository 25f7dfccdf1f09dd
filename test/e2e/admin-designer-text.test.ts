/** Texts and tables in the designer: typed on the picture, styled, pasted, undone, saved and read again. */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import type { Design } from '../../shared/design/design.ts';
import { Element } from '../../shared/design/elements.ts';
import { MAX_TEXT, type Paragraph, plainText, textOf } from '../../shared/design/rich-text.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

const PLACE = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 1100, height: 700 } as const;
const textElement = (text: readonly Paragraph[], more: object = {}): Element =>
  Element.parse({ type: 'text', id: 'words', place: PLACE, size: 120, text, ...more });

const designOf = (...elements: Element[]): Design => ({
  ...{ format: 'vitrine-design', version: 1, template: false, style: null },
  pages: [
    {
      ...{ id: 'page-1', layout: null, arrangements: {}, duration_ms: null, elements },
      background: { kind: 'color', color: 'paper' },
    },
  ],
});

/** Opens the designer with a design of these elements. */
const openDesigner = async (t: TestContext, ...elements: Element[]) => {
  const shop = await openShop(t);
  const { page, go, site, token } = shop;
  const { body: made } = await upload(site, token, Buffer.from(JSON.stringify(designOf(...elements))), 'Menu');
  const open = async () => {
    await go(`/content/${made.id}/design`);
    await page.locator('.design-board [data-drawn], .design-preview-page').first().waitFor({ state: 'attached' });
  };
  await open();
  const words = page.getByRole('textbox', { name: 'Words of the text' });
  return {
    ...{ ...shop, open, words },
    /** Opens the text with the keyboard. All words are selected. */
    openText: async () => {
      await page.locator('.design-element button').first().focus();
      await page.keyboard.press('Enter');
      await words.waitFor();
    },
    save: async () => {
      await page.getByRole('button', { name: 'Save changes' }).click();
      // A message of an earlier save may still be visible, but the button exists only while a change is unsaved.
      await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    },
    /** Returns the elements of the stored document. */
    stored: async (): Promise<any[]> => {
      const answer = await fetch(`${site.origin}/api/content/${made.id}/file`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return ((await answer.json()) as Design).pages[0]!.elements;
    },
  };
};

/** Pastes as another program does: with a clipboard that has text, HTML or both. */
const paste = (field: Locator, clipboard: { readonly text?: string; readonly html?: string }) =>
  field.evaluate((element, { text, html }) => {
    const data = new DataTransfer();
    if (text !== undefined) data.setData('text/plain', text);
    if (html !== undefined) data.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, clipboard);

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('toolbar', { name: 'Look of the selected words' }).getByRole('button', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'textbox');
};

test('text is typed on the picture with styles, undone as one step, saved and read again', {
  timeout: 150_000,
}, async (t) => {
  const { page, words, save, stored, open } = await openDesigner(t);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  await words.waitFor();
  // The words of a new text are selected, so that typing replaces them.
  await page.keyboard.type('Fresh ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('today');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Enter');
  await choose(page, 'Style of the paragraph', 'Text');
  await page.keyboard.type('Soup');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Control+u');
  await page.keyboard.type('and bread');
  await page.getByRole('button', { name: 'List with bullets' }).click();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await words.waitFor({ state: 'detached' });
  const expected = [
    { style: 'title', list: null, runs: [{ text: 'Fresh ' }, { text: 'today', bold: true }] },
    {
      ...{ style: 'body', list: 'bullet' },
      runs: [{ text: 'Soup\n' }, { text: 'and bread', italic: true, underline: true }],
    },
  ];
  const added = page.locator('.design-element button');
  assert.equal(await added.getAttribute('aria-label'), 'Text: Fresh today');
  assert.ok(await added.evaluate((button) => button === document.activeElement), 'the element has the focus');
  await page.keyboard.press('Control+z');
  assert.equal(await added.getAttribute('aria-label'), 'Text: Your text', 'typing is one step');
  await page.keyboard.press('Control+Shift+z');
  await save();
  assert.deepEqual((await stored())[0].text, expected);

  await open();
  await page.locator('.design-element button').dblclick();
  await words.waitFor();
  assert.equal(await words.textContent(), 'Fresh todaySoupand bread');
  assert.ok(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), 'opening a text changes nothing');
});

test('text looks the same while it is typed, in every alignment, list and style', { timeout: 150_000 }, async (t) => {
  const text: Paragraph[] = [
    { style: 'kicker', list: null, runs: [{ text: 'Only today' }] },
    {
      style: 'title',
      list: null,
      runs: [
        { text: 'Wiener ', bold: true },
        { text: 'Schnitzel', color: 'primary' },
      ],
    },
    { style: 'body', list: 'number', runs: [{ text: 'Of veal, with a salad of potatoes that wraps around the line' }] },
    { style: 'body', list: 'number', runs: [{ text: 'With ' }, { text: 'lemon', italic: true, underline: true }] },
    { style: 'body', list: null, runs: [] },
    { style: 'small', list: 'bullet', runs: [{ text: 'Contains\neggs', strike: true }] },
  ];
  for (const more of [
    { align: 'start', vertical: 'top' },
    { align: 'center', vertical: 'middle', size: 60, fill: { kind: 'color', color: 'second' }, padding: 40 },
    { align: 'end', vertical: 'bottom', size: 300, uppercase: true, font: 'body', rotation: 6 },
    { columns: 2, size: 90, overflow: 'wrap' },
  ]) {
    const { page, openText, words } = await openDesigner(t, textElement(text, more));
    // Everything but the words is hidden: frames, the selection, the cursor and the toolbar.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '.design-elements, .typing-toolbar { opacity: 0 } [role=textbox] { caret-color: transparent } ::selection { background: none }',
      );
      document.adoptedStyleSheets = [sheet];
    });
    const clip = (await page.locator('.design-board').boundingBox())!;
    const once = async () =>
      sharp(await page.screenshot({ clip }))
        .removeAlpha()
        .greyscale()
        .raw()
        .toBuffer();
    /** Returns the picture once it stays the same: fonts load after the first drawing. */
    const pixels = async () => {
      await page.evaluate(() => document.fonts.ready);
      let last = await once();
      await until('the picture stays the same', 10_000, async () => {
        const next = await once();
        const isSame = next.equals(last);
        last = next;
        return isSame;
      });
      return last;
    };
    const drawn = await pixels();
    await openText();
    const typed = await pixels();
    const changed = typed.filter((value, i) => Math.abs(value - drawn[i]!) > 48).length;
    assert.ok(changed / typed.length < 0.001, `${changed} of ${typed.length} pixels: ${JSON.stringify(more)}`);
    const dark = typed.filter((value) => value < 128).length;
    assert.ok(dark > 1000, 'words are visible');
    // More words make all words smaller while they are typed.
    if (more.size === undefined) {
      const before = await words.evaluate((box) => Number.parseFloat(box.style.fontSize));
      await page.keyboard.press('Control+End');
      await paste(words, { text: ' and a lot more that nobody will ever read on a screen'.repeat(40) });
      assert.ok((await words.evaluate((box) => Number.parseFloat(box.style.fontSize))) < before);
    }
    await page.context().close();
  }
});

const WORD = `<html><head><style>p.Mso {color:red}</style></head><body><!--StartFragment-->
<p class=MsoNormal><b>Wiener</b> <span style='color:red'>Schnitzel</span><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>with lemon<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]><i>with&nbsp;fries</i></p>
<!--EndFragment--></body></html>`;
const GOOGLE = `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-size:11pt;font-weight:700;">Bold</span><span style="font-weight:400;font-style:italic"> italic</span></p><ul><li dir="ltr"><p role="presentation"><span>Point</span></p></li></ul></b>`;
const WEB = `<div><h2 style="font-weight: bold">Menu</h2><p>A <a href="https://example.com"><u>link</u></a><br>and <em>more</em></p><ol><li>One</li><li>Two <strong>bold</strong></li></ol><script>alert(1)</script><img src="x" onerror="alert(1)"><table><tr><td>Soup</td><td>4.50</td></tr></table></div>`;

test('pasted text keeps bold, italic, lists and paragraphs, and nothing else', { timeout: 150_000 }, async (t) => {
  const { page, words, openText, save, stored } = await openDesigner(t, textElement(textOf('x', 'body')));
  const pastedAs = async (clipboard: Parameters<typeof paste>[1]) => {
    await openText();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await paste(words, clipboard);
    await page.keyboard.press('Escape');
    await save();
    return (await stored())[0].text;
  };
  const body = (runs: object[], list: string | null = null) => ({ style: 'body', list, runs });
  assert.deepEqual(await pastedAs({ html: WORD, text: 'Wiener' }), [
    body([{ text: 'Wiener', bold: true }, { text: ' Schnitzel' }]),
    body([{ text: 'with lemon' }], 'bullet'),
    body([{ text: 'with fries', italic: true }], 'number'),
  ]);
  assert.deepEqual(await pastedAs({ html: GOOGLE }), [
    body([
      { text: 'Bold', bold: true },
      { text: ' italic', italic: true },
    ]),
    body([{ text: 'Point' }], 'bullet'),
  ]);
  assert.deepEqual(await pastedAs({ html: WEB }), [
    body([{ text: 'Menu' }]),
    body([{ text: 'A link\nand ' }, { text: 'more', italic: true }]),
    body([{ text: 'One' }], 'number'),
    body([{ text: 'Two ' }, { text: 'bold', bold: true }], 'number'),
    body([{ text: 'Soup 4.50' }]),
  ]);
  assert.deepEqual(await pastedAs({ text: 'One\r\n\r\n<b>Two</b>' }), [
    body([{ text: 'One' }]),
    body([]),
    body([{ text: '<b>Two</b>' }]),
  ]);
});

test('text has a limit, of which a hint tells, and can be saved', { timeout: 150_000 }, async (t) => {
  const { page, words, openText, save, stored } = await openDesigner(t, textElement(textOf('Start')));
  await openText();
  await page.keyboard.press('ArrowRight');
  await paste(words, { text: 'x'.repeat(MAX_TEXT * 2) });
  await page
    .getByText(/^A text has at most 5.?000 characters. The rest was left out.$/)
    .first()
    .waitFor();
  await page.keyboard.type('yz');
  await page.keyboard.press('Escape');
  await save();
  const text = plainText((await stored())[0].text);
  assert.equal(text.length, MAX_TEXT);
  assert.match(text, /^Startx+$/);
});

test('typing is undone step by step in the editor, and follows an undo by the button', {
  timeout: 150_000,
}, async (t) => {
  const { page, words, openText } = await openDesigner(t, textElement(textOf('Soup')));
  await openText();
  await page.keyboard.press('End');
  await page.keyboard.type(' and bread');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Cake');
  await page.keyboard.press('Control+z');
  assert.doesNotMatch((await words.textContent())!, /Cake/);
  await page.keyboard.press('Control+y');
  assert.match((await words.textContent())!, /Cake/);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.waitForFunction(() => document.querySelector('[role=textbox]')?.textContent === 'Soup');
});

test('characters of an input method are composed in place', { timeout: 150_000 }, async (t) => {
  const { page, words, openText, save, stored } = await openDesigner(t, textElement(textOf('Sushi ')));
  await openText();
  await page.keyboard.press('Control+End');
  const ime = await page.context().newCDPSession(page);
  for (const text of ['す', 'すし'])
    await ime.send('Input.imeSetComposition', { text, selectionStart: 2, selectionEnd: 2 });
  assert.equal(await words.textContent(), 'Sushi すし');
  await ime.send('Input.insertText', { text: '寿司' });
  await page.keyboard.press('Escape');
  await save();
  assert.deepEqual((await stored())[0].text[0].runs, [{ text: 'Sushi 寿司' }]);
});

const MENU = `Starters
Tomato soup … 6,50 €
Salad\t7,90 €
Goulash - 8,20 €
Wiener Schnitzel 16,50
with potatoes and cranberries
Pasta; with basil; 11,90
Steak ..... 24,00 €
Trout 18,90
Apple strudel 5,90
Ice cream 4,50`;

test('menu of nine dishes is pasted into a new table, edited with keys, and saved', { timeout: 150_000 }, async (t) => {
  const { page, save, stored, open } = await openDesigner(t);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Table' }).click();
  const cell = (column: string, row: number) =>
    page.getByRole('textbox', { name: `${column}, row ${row}`, exact: true });
  await paste(cell('Name', 1), { text: MENU });
  await cell('Name', 10).waitFor();
  assert.equal(await cell('Heading', 1).inputValue(), 'Starters');
  assert.equal(await cell('Note', 5).inputValue(), 'with potatoes and cranberries');
  await assertAccessible(page);

  // Enter goes to the next row and adds one after the last row; Tab goes to the next cell.
  await cell('Price', 9).click();
  await page.keyboard.press('Enter');
  assert.ok(await cell('Price', 10).evaluate((field) => field === document.activeElement));
  await cell('Name', 10).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Coffee');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3,20');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Tea');
  assert.equal(await cell('Name', 12).inputValue(), 'Tea', 'Enter returns to the first column after Tab');
  await page.keyboard.press('Alt+ArrowUp');
  assert.equal(await cell('Name', 11).inputValue(), 'Tea');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Backspace');
  assert.equal(await cell('Name', 11).inputValue(), 'Coffee', 'Backspace removes an empty row');
  await cell('Name', 1).or(cell('Heading', 1)).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  assert.ok(await cell('Price', 2).evaluate((field) => field === document.activeElement));
  await save();
  const [table] = await stored();
  assert.equal(table.currency, 'EUR');
  assert.deepEqual(
    table.rows.map(({ cells, note }: { cells: string[]; note: string }) => [...cells, note].join('|')),
    [
      'Starters|',
      'Tomato soup|6,50|',
      'Salad|7,90|',
      'Goulash|8,20|',
      'Wiener Schnitzel|16,50|with potatoes and cranberries',
      'Pasta|11,90|with basil',
      'Steak|24,00|',
      'Trout|18,90|',
      'Apple strudel|5,90|',
      'Ice cream|4,50|',
      'Coffee|3,20|',
    ],
  );
  await open();
  await page.locator('.design-element button').click();
  assert.equal(await cell('Price', 11).inputValue(), '3,20');
});

test('table of 200 rows is pasted, dragged, and typed into without delay', { timeout: 150_000 }, async (t) => {
  const { page, save, stored } = await openDesigner(
    t,
    Element.parse({
      ...{ type: 'table', id: 'menu', place: PLACE, size: 40, rows: [{ cells: [''] }] },
      columns: [
        { title: 'Dish', align: 'start', weight: 3, kind: 'text' },
        { title: 'Price', align: 'end', weight: 1, kind: 'price' },
      ],
    }),
  );
  await page.locator('.design-element button').click();
  const cell = (row: number) => page.getByRole('textbox', { name: `Dish, row ${row}`, exact: true });
  const lines = Array.from({ length: 203 }, (_, i) => `Dish number ${i + 1} … ${i + 1},50`);
  await paste(cell(1), { text: lines.join('\n') });
  await page.getByText('3 lines were left out').first().waitFor();
  await cell(2).press('End');
  const begin = Date.now();
  await page.keyboard.type(' abcdefghi');
  assert.equal(await cell(2).inputValue(), 'Dish number 2 abcdefghi');
  const each = (Date.now() - begin) / 10;
  // Generous, because other tests run at the same time.
  assert.ok(each < 500, `${each} ms per key`);

  const grip = page.locator('.table-grid .grip');
  const [from, to] = [(await grip.nth(0).boundingBox())!, (await grip.nth(3).boundingBox())!];
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y + to.height - 4, { steps: 4 });
  await page.mouse.up();
  assert.equal(await cell(4).inputValue(), 'Dish number 1');
  await save();
  const [table] = await stored();
  assert.equal(table.rows.length, 200);
  assert.deepEqual(table.rows[3].cells, ['Dish number 1', '1,50']);
});
