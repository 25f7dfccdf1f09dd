/** Pictures that a drawing (SVG) takes from outside of itself. Browsers load none of them in a picture. */

/** Elements whose `href` is drawn. A link (`a`) and a font only change what is there. */
const DRAWN = /<(?:[\w-]+:)?(image|feImage|use)\b([^>]*)>/gi;
const HREF = /(?:^|\s)(?:[\w-]+:)?href\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** Returns the first address of another file that the drawing shows, or undefined when it is complete by itself. */
export const outsidePicture = (drawing: string): string | undefined => {
  // What stands in comments is not drawn.
  const text = drawing.replace(/<!--[\s\S]*?-->/g, '');
  for (const [, , attributes] of text.matchAll(DRAWN)) {
    const found = HREF.exec(attributes!);
    const address = (found?.[1] ?? found?.[2] ?? '').trim();
    if (address !== '' && !address.startsWith('#') && !/^data:/i.test(address)) return address;
  }
  return undefined;
};

/** How the bytes of an XML file are letters: by its byte order mark, or by the zeros that UTF-16 puts between letters. */
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

/** Returns the drawing in UTF-8. The decoder of thumbnails does not know one in UTF-16. */
export const drawingInUtf8 = (bytes: Buffer): Buffer =>
  encodingOf(bytes) === 'utf8'
    ? bytes
    : Buffer.from(xmlText(bytes).replace(/^<\?xml[^>]*\?>/, '<?xml version="1.0"?>'));
