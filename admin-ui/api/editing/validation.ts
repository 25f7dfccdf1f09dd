/** Rules for the forms before sign-in. The server decides; these checks answer at once and in the user's language. */

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
export const looksLikeEmail = (text: string): boolean => ADDRESS.test(text.trim());

/** Counts characters as people and the server do. */
export const longEnough = (password: string): boolean => [...password].length >= 8;

/** DNS-SD instance names have at most 63 bytes. */
export const fitsServerName = (name: string): boolean => new TextEncoder().encode(name.trim()).length <= 63;

/** Authenticator apps show "123 456", and users type the space, too. */
export const normalizeCode = (code: string): string => code.replace(/\s/g, '');
