/** Whether the page is being left on purpose, so that LeaveGuard must not ask about unsaved changes. */
let leaving = false;
export const isLeaving = (): boolean => leaving;

/** Reloads the window at an address, and discards everything on the page. */
export const startOver = (address: string): void => {
  leaving = true;
  history.replaceState(null, '', `${location.pathname}#${address}`);
  location.reload();
};
