/**
 * Keyboard navigation between cards: the card to which each key leads, and the elements of a card that can have the
 * focus.
 */

/** The grid of cards: number of cards and columns, and the number of rows that a page key moves. */
type Cards = { readonly count: number; readonly columns: number; readonly page: number };

/**
 * Returns the index of the card to which a key leads; undefined if the key does not navigate. In a grid with one
 * column, the left and right keys belong to the card itself.
 */
export const cardAfter = (key: string, at: number, { count, columns, page }: Cards): number | undefined => {
  const within = (to: number) => Math.min(count - 1, Math.max(0, to));
  /** Returns the card some rows below (or above) in the same column, or the last card if the last row is shorter. */
  const down = (rows: number) => {
    const row = Math.min(Math.floor((count - 1) / columns), Math.max(0, Math.floor(at / columns) + rows));
    return within(row * columns + (at % columns));
  };
  switch (key) {
    case 'ArrowLeft':
      return columns > 1 ? within(at - 1) : undefined;
    case 'ArrowRight':
      return columns > 1 ? within(at + 1) : undefined;
    case 'ArrowUp':
      return down(-1);
    case 'ArrowDown':
      return down(1);
    case 'PageUp':
      return down(-page);
    case 'PageDown':
      return down(page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
};

const STOPS = 'a[href], button:not(:disabled), input:not(:disabled)';
export const stopsIn = (box: ParentNode): HTMLElement[] => [...box.querySelectorAll<HTMLElement>(STOPS)];

/** Returns the element that opens a card: its first link or button. */
export const openerOf = (card: ParentNode | null): HTMLElement | null => card?.querySelector('a[href], button') ?? null;

/** Makes one element the only Tab stop among the given elements. */
export const leaveOne = (stops: readonly HTMLElement[], one: Element | null | undefined): void => {
  for (const stop of stops) {
    const tabIndex = stop === one ? 0 : -1;
    if (stop.tabIndex !== tabIndex) stop.tabIndex = tabIndex;
  }
};

/** Returns whether the key opens the context menu. */
export const isMenuKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Opens the card's menu instead of the browser's. @returns whether the card has a menu */
export const openMenuOf = (card: ParentNode): boolean => {
  const button = card.querySelector<HTMLElement>('[aria-haspopup=menu]');
  if (!button) return false;
  // Prevents the browser's own menu. On Windows its contextmenu event comes when the key is released, and then the
  // card's menu has the focus.
  const refuse = (event: Event) => event.preventDefault();
  addEventListener('contextmenu', refuse, { capture: true, once: true });
  setTimeout(() => removeEventListener('contextmenu', refuse, { capture: true }), 500);
  button.click();
  return true;
};

/** Toggles the checkbox of a card, like a click with or without Shift. @returns whether the card has a checkbox */
export const tickBoxOf = (card: ParentNode, shiftKey: boolean): boolean => {
  const box = card.querySelector<HTMLElement>('input[type=checkbox]');
  box?.dispatchEvent(new PointerEvent('pointerdown', { shiftKey, bubbles: true }));
  box?.click();
  return box !== null;
};
