/**
 * Rules of the forms before one is in. The server has the last word; these answer at once and in the person's language.
 */

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
export const looksLikeEmail = (text: string): boolean => ADDRESS.test(text.trim());

/** Characters as people count them, like the server does. */
export const longEnough = (password: string): boolean => [...password].length >= 8;

/** DNS-SD instance names end at 63 bytes. */
export const fitsServerName = (name: string): boolean => new TextEncoder().encode(name.trim()).length <= 63;

/** What an authenticator shows as "123 456" is typed so. */
export const normalizeCode = (code: string): string => code.replace(/\s/g, '');
