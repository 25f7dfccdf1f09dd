/** Returns 64 hex digits in groups of four, so that people can compare them. */
export const readableFingerprint = (hex: string): string => hex.replace(/(.{4})(?=.)/g, '$1 ');
