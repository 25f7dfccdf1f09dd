/** Writes the parts of DER (X.690) that a certificate needs. Contains no reader. */

const length = (n: number): Buffer => {
  if (n < 0x80) return Buffer.from([n]);
  const bytes: number[] = [];
  for (let rest = n; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
};

const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(value.length), value]);
};

export const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tlv(0x31, ...parts);
export const octets = (bytes: Buffer): Buffer => tlv(0x04, bytes);
/** Writes the value true. False is the default everywhere here, so it is never written. */
export const yes = (): Buffer => tlv(0x01, Buffer.from([0xff]));
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
/** @param unused number of unused bits at the end */
export const bits = (bytes: Buffer, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes);

/** Writes a non-negative integer of any length, given as bytes. */
export const integer = (bytes: Buffer): Buffer => {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  return tlv(0x02, ...((short[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []), short);
};

/** @param dotted for example 2.5.29.17 */
export const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return tlv(0x06, Buffer.from(bytes));
};

/** Writes a time in whole seconds. Certificates use two-digit years until 2049 (RFC 5280, 4.1.2.5). */
export const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return new Date(ms).getUTCFullYear() < 2050
    ? tlv(0x17, Buffer.from(digits.slice(2)))
    : tlv(0x18, Buffer.from(digits));
};

/** Returns a DER value with the explicit tag `[n]` around whole values. */
export const explicit = (n: number, ...parts: readonly Buffer[]): Buffer => tlv(0xa0 | n, ...parts);
/** Replaces the tag of a primitive value by `[n]`. */
export const implicit = (n: number, bytes: Buffer): Buffer => tlv(0x80 | n, bytes);
