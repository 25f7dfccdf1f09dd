import { randomHex } from './random.ts';

/** Identifies this browser window to the server until the window is closed or reloaded. */
export const windowId = randomHex(9);
