import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { leaveOne, stopsIn } from './cardKeys.ts';
import { ARROWS, type Lines, nearestToward } from './toward.ts';

/** Selector of elements in which arrow keys move the text cursor. */
const TYPES = 'input:not([type=checkbox], [type=radio]), textarea, select';

/**
 * Makes all links and buttons of a container one Tab stop. Arrow keys move to the next element in their direction, Home
 * and End to the first and the last element. All elements must be rendered.
 */
export const useOneStop = <E extends HTMLElement>(
  lines?: Lines,
): {
  ref: RefObject<E | null>;
  onKeyDown: (event: KeyboardEvent) => void;
} => {
  const ref = useRef<E>(null);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    let stop: Element | undefined;
    const settle = () => {
      const stops = stopsIn(box);
      if (stop === undefined || !stops.includes(stop as HTMLElement)) stop = stops[0];
      leaveOne(stops, stop);
    };
    const follow = ({ target }: Event) => {
      stop = target as Element;
      settle();
    };
    settle();
    const observer = new MutationObserver(settle);
    observer.observe(box, { childList: true, subtree: true });
    box.addEventListener('focusin', follow);
    return () => {
      observer.disconnect();
      box.removeEventListener('focusin', follow);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const box = ref.current;
    const from = event.target as HTMLElement;
    const isChord = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (!box || isChord || event.defaultPrevented || from.matches(TYPES)) return;
    const stops = stopsIn(box);
    const at = stops.indexOf(from);
    if (at < 0) return;
    const toward = ARROWS.find((key) => key === event.key);
    const next = () => {
      if (event.key === 'Home') return stops[0];
      if (event.key === 'End') return stops.at(-1);
      if (!toward) return undefined;
      const near = nearestToward(
        from.getBoundingClientRect(),
        stops.map((stop) => stop.getBoundingClientRect()),
        toward,
        lines,
      );
      if (near !== undefined) return stops[near];
      // At the end of a row, the left and right keys continue in the next row.
      return { ArrowLeft: stops[at - 1], ArrowRight: stops[at + 1], ArrowUp: undefined, ArrowDown: undefined }[toward];
    };
    if (!toward && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    next()?.focus();
  };
  return { ref, onKeyDown };
};
