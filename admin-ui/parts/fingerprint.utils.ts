/** 64 hex digits as people compare them: in fours. */
export const readableFingerprint = (hex: string): string => hex.replace(/(.{4})(?=.)/g, '$1 ');
