/** Allowed addresses in a window of the desktop program. */

/**
 * Returns whether an address belongs to the origin, as a browser sees it; false for addresses with a name or password.
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
