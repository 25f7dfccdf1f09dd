/**
 * A person who uses only the keyboard. After each key, the focus must be somewhere, be visible, and be covered by
 * nothing.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { type KeyPlace, keyTable } from '../../../admin-ui/pages/help/keys.ts';

/** The element with the focus. */
interface Focus {
  readonly name: string;
  readonly role: string;
  /** Tag name and CSS classes of the element in one string: elements with the same string look alike. */
  readonly look: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** The element that covers the focused element; empty if none. */
  readonly coveredBy: string;
}

export interface Keys {
  /** Presses a key that the handbook lists in its table of keys. */
  press(place: KeyPlace, key: string): Promise<void>;
  /** Presses keys that every browser has: Tab, Enter on a button, arrows in an open list. */
  plain(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses Tab until the element with this name has the focus. */
  tabTo(name: RegExp, back?: boolean): Promise<void>;
  focus(): Promise<Focus>;
  /** The `look` strings of the elements on which the focus was visible. */
  readonly seen: ReadonlySet<string>;
  /** Number of presses of the Tab key. */
  tabs(): number;
}

const MOST_TABS = 60;
const CHANGED = 24;

/** Returns the key combinations that the handbook lists for a place. “Shift+Arrows” stands for four combinations. */
const chordsOf = (place: KeyPlace): Set<string> =>
  new Set(
    Object.keys(keyTable[place]).flatMap((keys) =>
      keys
        .split(' ')
        .flatMap((chord) =>
          chord.includes('Arrows')
            ? ['Left', 'Right', 'Up', 'Down'].map((side) => chord.replace('Arrows', `Arrow${side}`))
            : [chord],
        ),
    ),
  );

/** Runs in the page: returns the element with the focus, once the page has settled. */
const lookAt = async (): Promise<Focus | null> => {
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  await frame();
  await frame();
  // A button that waits for the server shows a spinner until the answer arrives. An animation that follows a scroll
  // position never ends.
  await Promise.allSettled(
    document.getAnimations().flatMap((one) => (one.timeline === document.timeline ? one.finished : [])),
  );
  // Waits up to a second: when an element disappears, its neighbour gets the focus a moment later.
  const latest = performance.now() + 1_000;
  while (document.activeElement === document.body && performance.now() < latest) await frame();
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return null;
  const heard = (one: Element | null): string => {
    const copy = one?.cloneNode(true) as Element | undefined;
    for (const unheard of copy?.querySelectorAll('[aria-hidden=true]') ?? []) unheard.remove();
    return copy?.textContent ?? '';
  };
  const words = (ids: string | null) => (ids ?? '').split(/\s+/).map((id) => heard(document.getElementById(id)));
  const labels = [...((element as HTMLInputElement).labels ?? [])].map(heard);
  const name =
    words(element.getAttribute('aria-labelledby')).join(' ') ||
    element.getAttribute('aria-label') ||
    labels.join(' ') ||
    heard(element);
  // Measures the label of a checkbox or radio button, which draws the visible box.
  const drawn = element.matches('input[type=checkbox], input[type=radio]')
    ? (element.closest('label') ?? element)
    : element;
  const { x, y, width, height } = drawn.getBoundingClientRect();
  const at = (dx: number, dy: number) => {
    const [px, py] = [x + width * dx, y + height * dy];
    if (px < 0 || py < 0 || px >= innerWidth || py >= innerHeight) return '';
    const top = document.elementFromPoint(px, py);
    return !top || drawn.contains(top) || top.contains(drawn) ? '' : `${top.tagName}.${top.className}`;
  };
  const isInWindow = x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
  const points = [at(0.5, 0.5), at(0.15, 0.5), at(0.85, 0.5)];
  return {
    name: name.replace(/\s+/g, ' ').trim(),
    role: element.getAttribute('role') ?? element.tagName.toLowerCase(),
    look: `${element.tagName.toLowerCase()}.${String(element.className).replace(/ (selected|active)\b/g, '')}`,
    box: { x, y, width, height },
    coveredBy: isInWindow ? (points.every(Boolean) ? points[0]! : '') : 'the edge of the window',
  };
};

/** Takes a screenshot of the element's box with its outline. */
const pictureOf = async (page: Page, { x, y, width, height }: Focus['box']): Promise<Buffer> => {
  const { width: most = 0, height: tallest = 0 } = page.viewportSize() ?? {};
  const [left, top] = [Math.max(0, Math.floor(x) - 5), Math.max(0, Math.floor(y) - 5)];
  const clip = {
    x: left,
    y: top,
    width: Math.min(most - left, Math.ceil(width) + 10),
    height: Math.min(tallest - top, Math.ceil(height) + 10),
  };
  return sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer();
};

/** Returns the number of pixels that differ between two pictures of a box. */
const changed = (a: Buffer, b: Buffer): number => {
  let pixels = 0;
  for (let i = 0; i < a.length; i += 3)
    if (Math.max(Math.abs(a[i]! - b[i]!), Math.abs(a[i + 1]! - b[i + 1]!), Math.abs(a[i + 2]! - b[i + 2]!)) > CHANGED)
      pixels++;
  return pixels;
};

export const keysOf = (page: Page): Keys => {
  const seen = new Set<string>();
  let tabs = 0;
  /** The element with the focus, and its picture to compare with after the focus has moved on. */
  let open: { focus: Focus; shot: Buffer } | undefined;

  const focus = async (): Promise<Focus> => {
    const now = await page.evaluate(lookAt);
    assert.ok(now, 'the focus was lost');
    return now;
  };
  const check = async (key: string, isTab: boolean): Promise<Focus> => {
    const now = await focus();
    assert.equal(now.coveredBy, '', `after ${key} “${now.name}” has the focus, and is covered by ${now.coveredBy}`);
    if (open && isTab && now.look !== open.focus.look) {
      const pixels = changed(open.shot, await pictureOf(page, open.focus.box));
      assert.ok(pixels > 20, `that “${open.focus.name}” (${open.focus.look}) has the focus is not seen`);
      seen.add(open.focus.look);
    }
    // An element is compared once. The page itself is left out: it has the focus after a navigation, and shows no
    // outline.
    const isNew = isTab && !seen.has(now.look) && now.role !== 'main';
    open = isNew ? { focus: now, shot: await pictureOf(page, now.box) } : undefined;
    return now;
  };
  /** Presses the key. Returns the element with the focus afterwards. */
  const step = async (key: string): Promise<Focus> => {
    const isTab = /^(Shift\+)?Tab$/.test(key);
    if (isTab) tabs++;
    await page.keyboard.press(key);
    // After the last Tab stop of a page, the focus leaves to the browser, which has no controls here. The next press
    // returns to the first Tab stop.
    if (isTab && (await page.evaluate(() => document.activeElement === document.body))) await page.keyboard.press(key);
    return check(key, isTab);
  };
  const plain = async (...keys: string[]) => {
    for (const key of keys) await step(key);
  };
  return {
    seen,
    tabs: () => tabs,
    focus,
    plain,
    press: async (place, key) => {
      assert.ok(chordsOf(place).has(key.replace('Control', 'Mod')), `the handbook does not tell of ${key} (${place})`);
      await page.keyboard.press(key === ' ' ? 'Space' : key.replace('Mod', 'Control'));
      open = undefined;
      await check(key, false);
    },
    type: (text) => page.keyboard.type(text),
    tabTo: async (name, back = false) => {
      const passed: string[] = [];
      for (let now = await focus(); passed.length < MOST_TABS; now = await step(back ? 'Shift+Tab' : 'Tab')) {
        if (name.test(now.name)) return;
        passed.push(now.name.slice(0, 30));
      }
      assert.fail(`${name} was not reached by Tab: ${passed.join(' | ')}`);
    },
  };
};
