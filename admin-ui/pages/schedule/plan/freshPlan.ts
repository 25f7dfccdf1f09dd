import { createContext, useContext, useEffect } from 'react';

/** Id of the new plan, which the calendar marks. */
export const FreshPlan = createContext<string | undefined>(undefined);

/** Returns the CSS class for elements of the new plan. */
export const useFreshClass = (planId: string | null): string =>
  useContext(FreshPlan) === planId && planId !== null ? ' fresh' : '';

/** Milliseconds in which the calendar may still be loading the rows of a new plan. */
const PATIENCE_MS = 10_000;

/** Scrolls to the new plan as soon as the calendar has drawn it. */
export const useScrollToFresh = (planId: string | undefined): void => {
  useEffect(() => {
    if (planId === undefined) return;
    const pane = document.getElementById('pane') ?? document.body;
    const look = () => {
      const drawn = pane.querySelector('.fresh');
      if (!drawn) return;
      watching.disconnect();
      drawn.scrollIntoView({ block: 'center', inline: 'center' });
    };
    const watching = new MutationObserver(look);
    watching.observe(pane, { childList: true, subtree: true, attributeFilter: ['class'] });
    look();
    const end = setTimeout(() => watching.disconnect(), PATIENCE_MS);
    return () => {
      clearTimeout(end);
      watching.disconnect();
    };
  }, [planId]);
};
