/** So many bytes that nobody can guess, as hexadecimal digits. (There is no randomUUID where a store has no HTTPS.) */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
