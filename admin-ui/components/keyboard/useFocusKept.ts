import { useEffect } from 'react';

const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
/** Selector of overlays. */
const OVER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/**
 * Delay in milliseconds before the focus is moved. Dialogs and lists that restore the focus themselves have done so
 * by then.
 */
const SETTLES_MS = 80;

/** Position of an element: its ancestors and the child index in each, from the inside out. */
type Way = readonly { readonly holder: Element; readonly index: number }[];
type Held = { readonly element: Element; readonly way: Way };

const wayTo = (element: Element): Way => {
  const way = [];
  for (let at = element; at.parentElement; at = at.parentElement)
    way.push({ holder: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  return way;
};
const isLost = ({ element }: Held): boolean => !element.isConnected || element.matches(':disabled');
const canBeSeen = (element: HTMLElement): boolean => element.offsetParent !== null;
const stopIn = (box: Element): HTMLElement | undefined =>
  [box as HTMLElement, ...box.querySelectorAll<HTMLElement>(STOPS)].find((one) => one.matches(STOPS) && canBeSeen(one));

/** Returns the element that has taken the place of a removed element, or an element next to this place. */
const nextTo = (way: Way): HTMLElement | undefined => {
  for (const { holder, index } of way) {
    if (!holder.isConnected || holder === document.body) continue;
    const children = [...holder.children];
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
      const stop = stopIn(child);
      if (stop) return stop;
    }
    // The page has no focusable element left, so the page itself gets the focus.
    if (holder.id === 'pane') return holder as HTMLElement;
  }
  return undefined;
};

/**
 * Keeps the focus for keyboard users: if the focused element is removed or disabled, an element next to it gets the
 * focus.
 */
export const useFocusKept = (): void =>
  useEffect(() => {
    let last: Held | undefined;
    /** The last element outside of overlays that had the focus. */
    let beneath: Held | undefined;
    let byKeys = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bringBack = () => {
      timer = undefined;
      const lost = last && isLost(last) ? last : undefined;
      // Continues if the focus is still on the lost element: a disabled element keeps the focus until the next frame.
      if (document.activeElement !== document.body && document.activeElement !== lost?.element) return;
      // Leaves out toasts. They also have the role alertdialog, but the page stays usable under them.
      const isOver = document.querySelector(`:is(${OVER}):not(.toast)`) !== null;
      const to = lost && (isOver || lost === beneath) ? nextTo(lost.way) : beneath && nextTo(beneath.way);
      to?.focus({ preventScroll: true });
      to?.scrollIntoView({ block: 'nearest' });
    };
    const look = () => {
      if (!byKeys || !last || !isLost(last)) return;
      timer ??= setTimeout(bringBack, SETTLES_MS);
    };
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element) || target === document.body) return;
      last = { element: target, way: wayTo(target) };
      if (!target.closest(OVER)) beneath = last;
    };
    const hearKey = () => {
      byKeys = true;
    };
    const hearPointer = () => {
      byKeys = false;
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', follow);
    addEventListener('keydown', hearKey, { capture: true });
    addEventListener('pointerdown', hearPointer, { capture: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      document.removeEventListener('focusin', follow);
      removeEventListener('keydown', hearKey, { capture: true });
      removeEventListener('pointerdown', hearPointer, { capture: true });
    };
  }, []);
