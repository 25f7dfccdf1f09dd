import { announce, clearAnnouncer } from 'react-aria/private/live-announcer/LiveAnnouncer';

/** Keys come in bursts: what is said is how it is in the end. */
const SETTLES_MS = 350;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells screen readers, politely and once, what has become of what somebody moves by keys. */
export const say = (text: string): void => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    clearAnnouncer('polite');
    announce(text, 'polite');
  }, SETTLES_MS);
};
