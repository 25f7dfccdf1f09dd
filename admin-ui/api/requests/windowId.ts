import { randomHex } from './random.ts';

/** Identifies this window to the server until it is closed or reloaded. */
export const windowId = randomHex(9);
