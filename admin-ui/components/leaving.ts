/** Set when the page goes away whatever is not saved on it: then nobody is asked. */
let leaving = false;
export const isLeaving = (): boolean => leaving;

/** Loads the window anew at an address of its own, and leaves nothing of what is on it. */
export const startOver = (address: string): void => {
  leaving = true;
  history.replaceState(null, '', `${location.pathname}#${address}`);
  location.reload();
};
