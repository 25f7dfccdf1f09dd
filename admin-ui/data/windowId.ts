import { randomHex } from './random.ts';

/** What names this window to the server until it is closed or loaded anew. */
export const windowId = randomHex(9);
