/** The moment that headquarters gave a store, so that thousands do not ask at once. */
export interface OwnMoment {
  /**
   * Acts so much later; at once with 0. A moment that was given before holds: what is newest by then is done, and a
   * store that is told again and again does not wait ever longer. @param ms as `after_ms` of ToldLine
   */
  readonly give: (ms: number) => void;
  /** Whatever was given. */
  readonly cancel: () => void;
}

export const createOwnMoment = (act: () => void): OwnMoment => {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const come = () => {
    cancel();
    act();
  };
  return {
    give: (ms) => {
      if (ms === 0) come();
      else timer ??= setTimeout(come, ms).unref();
    },
    cancel,
  };
};
