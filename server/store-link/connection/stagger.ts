/** Delays an action as headquarters requests, so that thousands of stores do not send requests at once. */
export interface Stagger {
  /**
   * Runs the action after the delay; at once when the delay is 0. A pending delay stays: repeated calls do not postpone
   * the action, which then uses the newest state.
   * @param ms as `after_ms` of DownlinkLine
   */
  readonly give: (ms: number) => void;
  /** Cancels a pending action. */
  readonly cancel: () => void;
}

export const createStagger = (act: () => void): Stagger => {
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
