import { createContext, useContext, useEffect } from 'react';

/** Id of the plan that was just created, which the calendar highlights. */
export const FreshPlan = createContext<string | undefined>(undefined);

/** Returns the CSS class that highlights the plan that was just created; empty for other plans. */
export const useFreshClass = (planId: string | null): string =>
  useContext(FreshPlan) === planId && planId !== null ? ' fresh' : '';

/** Maximum time in milliseconds to wait until the calendar has loaded the rows of a new plan. */
const PATIENCE_MS = 10_000;

/** Scrolls to a new plan as soon as the calendar has rendered it. */
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
