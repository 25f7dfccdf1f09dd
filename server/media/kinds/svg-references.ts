/** Finds external pictures in an SVG. Browsers do not load them when the SVG is shown as an image. */

/**
 * Elements whose `href` is loaded and drawn. Other elements are ignored: links (`a`) and fonts only change existing
 * elements.
 */
const DRAWN = /<(?:[\w-]+:)?(image|feImage|use)\b([^>]*)>/gi;
const HREF = /(?:^|\s)(?:[\w-]+:)?href\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** Returns the first external address that the SVG draws; undefined when there is none. */
export const outsidePicture = (drawing: string): string | undefined => {
  // Comments in the SVG are not drawn, so they are removed first.
  const text = drawing.replace(/<!--[\s\S]*?-->/g, '');
  for (const [, , attributes] of text.matchAll(DRAWN)) {
    const found = HREF.exec(attributes!);
    const address = (found?.[1] ?? found?.[2] ?? '').trim();
    if (address !== '' && !address.startsWith('#') && !/^data:/i.test(address)) return address;
  }
  return undefined;
};

/** Detects the encoding of an XML file by its byte order mark, or by the zero bytes of UTF-16. */
const encodingOf = (bytes: Buffer): 'utf8' | 'utf16le' | 'utf16be' => {
  const [a, b] = [bytes[0], bytes[1]];
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c) ? 'utf16be' : 'utf8';
};

/** Returns the text of an XML file in UTF-8 or UTF-16, without its byte order mark. */
export const xmlText = (bytes: Buffer): string => {
  const encoding = encodingOf(bytes);
  const little = encoding === 'utf16be' ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes;
  return little.toString(encoding === 'utf8' ? 'utf8' : 'utf16le').replace(/^\uFEFF/, '');
};

/** Returns the SVG in UTF-8, because the thumbnail decoder does not accept UTF-16. */
export const drawingInUtf8 = (bytes: Buffer): Buffer =>
  encodingOf(bytes) === 'utf8'
    ? bytes
    : Buffer.from(xmlText(bytes).replace(/^<\?xml[^>]*\?>/, '<?xml version="1.0"?>'));
