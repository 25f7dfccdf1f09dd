/**
 * Embeds glyphs of a WOFF2 font. fontkit 2 copies glyphs from TrueType bytes, which a WOFF2 file does not contain, so
 * the resulting PDF cannot be read. This module writes each glyph from its outline in TrueType format.
 */

/** Path commands of fontkit, in units of the font. */
interface Outline {
  readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[];
}
interface Glyph {
  readonly path: Outline;
  readonly advanceWidth: number;
  _getMetrics(): { readonly leftBearing: number };
}
interface Font {
  readonly characterSet: readonly number[];
  getGlyph(id: number): Glyph;
  glyphForCodePoint(code: number): Glyph;
}
interface Subset {
  font: Font;
  offset: number;
  readonly glyf: Uint8Array[];
  readonly loca: { readonly offsets: number[] };
  readonly hmtx: { readonly metrics: { advance: number; bearing: number }[] };
  _addGlyph(id: number): number;
}
/** Members of an open font in pdfkit. */
export interface OpenFont {
  readonly font: Font;
  readonly subset: Subset;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

/** Format of the `loca` table: 32-bit offsets of glyphs. */
const LONG_OFFSETS = 1;

export const embedByOutline = ({ font, subset }: OpenFont): void => {
  // fontkit remembers the first character that requested a glyph. If ü requested the glyph of its u first, nobody could
  // search for or copy a u. So all characters are mapped to their glyphs first.
  for (const code of font.characterSet) font.glyphForCodePoint(code);
  subset.font = Object.create(font, { loca: { value: { version: LONG_OFFSETS } } }) as Font;
  subset._addGlyph = (id) => {
    const glyph = font.getGlyph(id);
    const bytes = encodeGlyph(glyph.path);
    subset.loca.offsets.push(subset.offset);
    subset.hmtx.metrics.push({ advance: glyph.advanceWidth, bearing: glyph._getMetrics().leftBearing });
    subset.offset += bytes.length;
    return subset.glyf.push(bytes) - 1;
  };
};

const contoursOf = ({ commands }: Outline): Point[][] => {
  const contours: Point[][] = [];
  for (const { command, args } of commands) {
    if (command === 'moveTo') contours.push([]);
    for (let i = 0; i < args.length; i += 2)
      contours.at(-1)!.push({
        x: Math.round(args[i]!),
        y: Math.round(args[i + 1]!),
        // A quadratic curve has two points. The first point controls the curve and is not on it.
        isOn: !(command === 'quadraticCurveTo' && i === 0),
      });
  }
  for (const points of contours) {
    const [first, last] = [points[0], points.at(-1)];
    // A contour closes automatically, so a repeated first point is removed.
    if (points.length > 1 && first && last?.isOn && first.x === last.x && first.y === last.y) points.pop();
  }
  return contours.filter((points) => points.length > 0);
};

/**
 * Encodes a simple glyph of the table `glyf`: no instructions, all differences in 16 bits. Returns no bytes for a
 * space.
 */
export const encodeGlyph = (path: Outline): Uint8Array => {
  const contours = contoursOf(path);
  const points = contours.flat();
  if (points.length === 0) return new Uint8Array();
  const size = 10 + 2 * contours.length + 2 + 5 * points.length;
  const view = new DataView(new ArrayBuffer(Math.ceil(size / 4) * 4));
  let at = 0;
  const int16 = (value: number) => {
    view.setInt16(at, value);
    at += 2;
  };
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  for (const value of [contours.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)])
    int16(value);
  let end = -1;
  for (const contour of contours) int16((end += contour.length));
  int16(0);
  for (const { isOn } of points) view.setUint8(at++, isOn ? 1 : 0);
  for (const values of [xs, ys]) for (const [i, value] of values.entries()) int16(value - (values[i - 1] ?? 0));
  return new Uint8Array(view.buffer);
};
