/** Compares two tags in constant time, so that the duration does not reveal where they differ. */
export const sameTag = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
};
