/** What names this window to the server until it is closed or loaded anew. */
export const windowId = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('');
