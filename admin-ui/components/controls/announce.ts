import { announce as announceNow, clearAnnouncer } from 'react-aria/private/live-announcer/LiveAnnouncer';

/** Delay in milliseconds. Keys are often pressed repeatedly, so only the final state is announced. */
const SETTLES_MS = 350;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces the result of keyboard actions to screen readers, politely and once. */
export const announce = (text: string): void => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    clearAnnouncer('polite');
    announceNow(text, 'polite');
  }, SETTLES_MS);
};
