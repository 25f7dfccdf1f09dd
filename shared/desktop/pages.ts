/** Decides which addresses a window of the desktop program may open. */

/**
 * Returns whether an address belongs to the origin, as a browser decides. False for addresses with a user name or
 * password.
 */
export const isOf = (origin: string, address: string): boolean => {
  const url = URL.parse(address);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.origin === origin &&
    url.username === '' &&
    url.password === ''
  );
};
