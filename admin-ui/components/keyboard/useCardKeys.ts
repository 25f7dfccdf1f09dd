import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { cardAfter, isMenuKey, leaveOne, openerOf, openMenuOf, stopsIn, tickBoxOf } from './cardKeys.ts';

type CardKeysProps = {
  /** Container of the cards. Each card has its index in `data-card` and its key in `data-key`. */
  readonly box: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly columns: number;
  /** Indices of the first and last card that are rendered. */
  readonly seen: { readonly first: number; readonly last: number };
  /** Scrolls to a card, so that it is rendered. */
  readonly reveal: (index: number) => void;
  /** Index of the card that must stay rendered, because it has or will get the focus. */
  readonly kept: RefObject<number | undefined>;
};

/** Selector of overlays. The focus returns to the page when an overlay closes. */
const OVER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const cardIn = (target: EventTarget): HTMLElement | null => (target as Element).closest<HTMLElement>('[data-card]');
const placeOf = (card: HTMLElement): number => Number(card.dataset['card']);

/**
 * Keyboard navigation in a list of cards of which only some are rendered. The list is one Tab stop. Arrow, Home, End
 * and page keys move between cards, Space selects a card, Shift+F10 opens its menu, F2 moves to its other controls.
 * A focused card keeps the focus when it is scrolled away or moved.
 */
export const useCardKeys = (props: CardKeysProps) => {
  const latest = useRef(props);
  latest.current = props;
  /** Index of the card that is the Tab stop. */
  const now = useRef(0);
  /** Index of the card that gets the focus once it is rendered. */
  const wanted = useRef<number>(undefined);
  /** Key of the focused card. */
  const held = useRef<string>(undefined);

  const settle = () => {
    const { box, count, seen } = latest.current;
    const grid = box.current;
    if (!grid || count === 0) return;
    const cardAt = (index: number) => grid.querySelector<HTMLElement>(`[data-card="${index}"]`);
    now.current = Math.min(now.current, count - 1);
    if (held.current !== undefined && wanted.current === undefined && document.activeElement === document.body) {
      // The focused card has left the document, because its record was moved or deleted. The card at its new place gets
      // the focus, or else the card at the same index.
      const again = grid.querySelector<HTMLElement>(`[data-key="${CSS.escape(held.current)}"]`);
      wanted.current = again ? placeOf(again) : now.current;
    }
    if (wanted.current !== undefined) {
      const card = cardAt(wanted.current);
      const opener = openerOf(card);
      if (card) {
        now.current = wanted.current;
        if (opener) wanted.current = undefined;
        // A card without content has the focus until its link is loaded.
        (opener ?? card).focus({ preventScroll: true });
        card.scrollIntoView({ block: 'nearest' });
      }
    }
    const active = grid.contains(document.activeElement) ? document.activeElement : null;
    if (!active && (now.current < seen.first || now.current > seen.last)) now.current = seen.first;
    leaveOne(stopsIn(grid), active ?? openerOf(cardAt(now.current)));
    keep();
  };
  const { box, kept } = props;
  const keep = () => {
    kept.current = held.current === undefined ? undefined : (wanted.current ?? now.current);
  };
  useLayoutEffect(settle);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads nothing that changes but what is latest
  useEffect(() => {
    const grid = box.current;
    if (!grid) return;
    // Watches the list, because cards may also be rendered when this component is not.
    const observer = new MutationObserver(settle);
    observer.observe(grid, { childList: true, subtree: true });
    const leave = ({ target }: Event) => {
      const to = target as Element;
      if (grid.contains(to) || to.closest(OVER)) return;
      held.current = undefined;
      kept.current = undefined;
    };
    document.addEventListener('focusin', leave);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', leave);
    };
  }, [box, kept]);

  const go = (to: number) => {
    wanted.current = to;
    settle();
    if (wanted.current === undefined) return;
    keep();
    latest.current.reveal(to);
  };
  return {
    onFocus: ({ target }: FocusEvent) => {
      const card = cardIn(target);
      if (!card) return;
      held.current = card.dataset['key'];
      if (wanted.current === undefined) now.current = placeOf(card);
      settle();
    },
    onBlur: ({ relatedTarget, target }: FocusEvent) => {
      // The focus moved to no element of this window: either the user clicked beside all controls, or another window
      // has the focus and this element keeps it.
      if (relatedTarget !== null || target === document.activeElement) return;
      held.current = undefined;
      keep();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const card = cardIn(event.target);
      if (!card || event.defaultPrevented || event.altKey || event.metaKey) return;
      const { count, columns } = latest.current;
      const stops = stopsIn(card);
      const opener = openerOf(card);
      const isInside = opener !== null && event.target !== opener;
      const at = stops.indexOf(event.target as HTMLElement);
      const goTo = (stop: HTMLElement | null | undefined) => {
        stop?.focus();
        return true;
      };
      const act = (): boolean => {
        if (isMenuKey(event)) return openMenuOf(card);
        if (event.key === ' ') return !isInside && tickBoxOf(card, event.shiftKey);
        if (event.key === 'F2') return goTo(isInside ? opener : (stops[at + 1] ?? stops[0]));
        if (event.key === 'Escape') return isInside && goTo(opener);
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by && (isInside || columns === 1)) return goTo(stops[at + by]);
        const height = card.parentElement?.offsetHeight || 1;
        const page = Math.max(1, Math.floor((document.getElementById('pane')?.clientHeight ?? 0) / height));
        const to = cardAfter(event.key, placeOf(card), { count, columns, page });
        if (to === undefined) return false;
        go(to);
        return true;
      };
      if (act()) event.preventDefault();
    },
  };
};
