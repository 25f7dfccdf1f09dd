/**
 * Checks for the forms before sign-in. The server decides; these checks answer at once and in the user's language.
 */

const ADDRESS = /^[^\s@]+@[^\s@]+$/;
export const looksLikeEmail = (text: string): boolean => ADDRESS.test(text.trim());

/** Returns whether a password has enough characters. Counts Unicode characters, like the server. */
export const longEnough = (password: string): boolean => [...password].length >= 8;

/** Returns whether a server name fits: DNS-SD instance names have at most 63 bytes. */
export const fitsServerName = (name: string): boolean => new TextEncoder().encode(name.trim()).length <= 63;

/** Removes the spaces of a code. Authenticator apps show "123 456", and users type the space, too. */
export const normalizeCode = (code: string): string => code.replace(/\s/g, '');
