/** Which addresses a window of the desktop program may be at. */

/** An address of this very origin, as a browser would see it; nothing with a name or password in it. */
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
