import { randomHex } from './random.ts';

/** Identifies this window to the server. The id changes when the page is reloaded. */
export const windowId = randomHex(9);
