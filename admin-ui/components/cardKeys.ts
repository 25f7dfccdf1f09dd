/** Going through cards by keys: where each key leads, and what of a card the keys stop at. */

/** Cards side by side, and how many rows a page key goes. */
type Cards = { readonly count: number; readonly columns: number; readonly page: number };

/** Where a key leads from a card; undefined: it is none of theirs. In one column left and right are the card's own. */
export const cardAfter = (key: string, at: number, { count, columns, page }: Cards): number | undefined => {
  const within = (to: number) => Math.min(count - 1, Math.max(0, to));
  /** In the same column, or the last card where the last row is shorter. */
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

/** What opens a card: its first link or button. */
export const openerOf = (card: ParentNode | null): HTMLElement | null => card?.querySelector('a[href], button') ?? null;

/** Leaves the Tab key one stop of all that there are. */
export const leaveOne = (stops: readonly HTMLElement[], one: Element | null | undefined): void => {
  for (const stop of stops) {
    const tabIndex = stop === one ? 0 : -1;
    if (stop.tabIndex !== tabIndex) stop.tabIndex = tabIndex;
  }
};

/** The key of the keyboard, or the chord, that opens what a right click opens. */
export const asksForMenu = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Opens the menu of a card in place of the browser's. @returns whether there is one */
export const openMenuOf = (card: ParentNode): boolean => {
  const button = card.querySelector<HTMLElement>('[aria-haspopup=menu]');
  if (!button) return false;
  // Windows asks a moment later, when the key is let go and the menu has the focus.
  const refuse = (event: Event) => event.preventDefault();
  addEventListener('contextmenu', refuse, { capture: true, once: true });
  setTimeout(() => removeEventListener('contextmenu', refuse, { capture: true }), 500);
  button.click();
  return true;
};

/** Ticks the box of a card, as a press of the mouse with or without Shift. @returns whether there is one */
export const tickBoxOf = (card: ParentNode, shiftKey: boolean): boolean => {
  const box = card.querySelector<HTMLElement>('input[type=checkbox]');
  box?.dispatchEvent(new PointerEvent('pointerdown', { shiftKey, bubbles: true }));
  box?.click();
  return box !== null;
};
