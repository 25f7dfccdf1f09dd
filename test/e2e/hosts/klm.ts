/**
 * Estimates the time that a task takes a person, by the keystroke-level model (Card, Moran and Newell): each physical
 * act has a time, and each click or field has a pause for thought before it. Playwright operates the page as usual.
 */
import type { Locator, Page } from 'playwright';

/**
 * Seconds for each act: a key of an average typist, a mouse button, pointing, moving the hand to the keyboard or back,
 * a pause for thought.
 */
const KEY = 0.2;
const BUTTON = 0.1;
const POINT = 1.1;
const HOME = 0.4;
const THINK = 1.35;

export interface Effort {
  /** Number of mouse clicks. A drag counts as one click. */
  readonly clicks: number;
  readonly keys: number;
  /** Duration in seconds, rounded to 0.1. */
  readonly seconds: number;
}

export interface Hands {
  click(target: Locator): Promise<void>;
  /** Points at a field, unless the field has the focus already, and types. */
  type(target: Locator, text: string): Promise<void>;
  /** Presses a key or a chord on the focused element. */
  press(key: string): Promise<void>;
  /** Drags from the middle of one element to the middle of the other. */
  drag(from: Locator, to: Locator): Promise<void>;
  /** Drops files from another program, or chooses them in the system's file dialog that `opener` opens. */
  choose(opener: Locator, files: string | string[]): Promise<void>;
  effort(): Effort;
}

export const handsOn = (page: Page): Hands => {
  let clicks = 0;
  let keys = 0;
  let seconds = 0;
  let atKeyboard = false;
  const toMouse = () => {
    if (atKeyboard) seconds += HOME;
    atKeyboard = false;
  };
  const toKeyboard = () => {
    if (!atKeyboard) seconds += HOME;
    atKeyboard = true;
  };
  const point = () => {
    toMouse();
    clicks += 1;
    seconds += THINK + POINT + 2 * BUTTON;
  };
  return {
    click: async (target) => {
      point();
      await target.click();
    },
    type: async (target, text) => {
      if (await target.evaluate((element) => element !== document.activeElement)) {
        point();
        await target.click();
      }
      toKeyboard();
      keys += text.length;
      seconds += text.length * KEY;
      await page.keyboard.type(text);
    },
    press: async (key) => {
      toKeyboard();
      const pressed = key.split('+').length;
      keys += pressed;
      seconds += THINK + pressed * KEY;
      await page.keyboard.press(key);
    },
    drag: async (from, to) => {
      point();
      seconds += POINT;
      await from.dragTo(to);
    },
    choose: async (opener, files) => {
      point();
      // Counts a double click on the file in the system's file dialog.
      clicks += 1;
      seconds += THINK + POINT + 4 * BUTTON;
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), opener.click()]);
      await chooser.setFiles(files);
    },
    effort: () => ({ clicks, keys, seconds: Math.round(seconds * 10) / 10 }),
  };
};
