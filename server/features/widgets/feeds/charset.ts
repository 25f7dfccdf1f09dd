/**
 * Chooses the character set of a feed and decodes it. Labels are often wrong, so each label is checked against the
 * bytes.
 */

/** Number of bytes in which the XML declaration is searched. The encoding may follow other attributes. */
const DECLARATION_BYTES = 300;
const DECLARED = /^\s{0,20}<\?xml[^>]{0,250}?\bencoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})["']/i;
const IN_HEADER = /;\s{0,20}charset\s{0,10}=\s{0,10}["']?([\w.:-]{1,40})/i;

/**
 * Returns the text of a feed. Order: byte order mark, bytes that can only be UTF-16, `charset` of the HTTP header,
 * `encoding` of the XML declaration, UTF-8, Windows-1252. A label that contradicts the bytes is skipped.
 * @param contentType value of the HTTP header; undefined when it is absent
 */
export const decodeFeed = (bytes: Uint8Array, contentType?: string): string => {
  const certain = markOf(bytes) ?? utf16Of(bytes);
  if (certain) return decode(certain, bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const labels = [IN_HEADER.exec((contentType ?? '').slice(0, 500))?.[1], DECLARED.exec(head)?.[1], 'utf-8'];
  for (const label of labels) {
    const encoding = label === undefined ? undefined : encodingOf(label);
    // Skips a label of UTF-16: without a byte order mark or zero bytes, the file is not UTF-16.
    if (!encoding || encoding.startsWith('utf-16')) continue;
    // Latin-1 text is hardly ever valid UTF-8 by accident, so a Latin-1 label of valid UTF-8 is a wrong default of the
    // web server.
    if (encoding === 'windows-1252' && isUtf8WithMore(bytes)) return decode('utf-8', bytes);
    if (encoding === 'utf-8' && !isMostlyUtf8(bytes)) continue;
    return decode(encoding, bytes);
  }
  return decode('windows-1252', bytes);
};

const decode = (encoding: string, bytes: Uint8Array): string => new TextDecoder(encoding).decode(bytes);

/** Returns the Encoding Standard name of a label; undefined for unknown labels. */
const encodingOf = (label: string): string | undefined => {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
};

const markOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
};

/** Detects UTF-16: a feed starts with ASCII, which has a zero byte beside each letter only in UTF-16. */
const utf16Of = ([first, second, third, fourth]: Uint8Array): string | undefined => {
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : undefined;
};

const isUtf8WithMore = (bytes: Uint8Array): boolean => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).length < bytes.length;
  } catch {
    return false;
  }
};

/**
 * Returns whether bytes are UTF-8. Invalid characters are accepted if at least as many valid ones are beyond ASCII, for
 * example when a summary was cut within a character.
 */
const isMostlyUtf8 = (bytes: Uint8Array): boolean => {
  const text = decode('utf-8', bytes);
  let [wrong, right] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) wrong++;
    else if (code > 0x7f) right++;
  }
  return wrong <= right;
};
