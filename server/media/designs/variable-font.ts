/**
 * Opens variable WOFF2 fonts at one weight, and reads the outlines of their glyphs. fontkit 2 reads the tables of such a
 * font, but its `getVariation` supports only uncompressed fonts: this module applies the variation to the outlines that
 * fontkit has decoded from WOFF2. Depends on internals of fontkit, so its version is fixed in package.json.
 */
import { readFileSync } from 'node:fs';
import * as fontkit from 'fontkit';

interface Point {
  readonly onCurve: boolean;
  readonly endContour: boolean;
  x: number;
  y: number;
}
interface Component {
  dx: number;
  dy: number;
}
interface Decoded {
  readonly numberOfContours: number;
  readonly points?: readonly Point[];
  readonly components?: readonly Component[];
}
type PointClass = new (onCurve: boolean, endContour: boolean, x: number, y: number) => Point;

export interface FontGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly path: { readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[] };
  /** Layers of a colour glyph. */
  readonly layers?: readonly {
    readonly glyph: FontGlyph;
    readonly color: { red: number; green: number; blue: number; alpha: number };
  }[];
  _decode(): Decoded;
}

export interface OpenFont {
  readonly unitsPerEm: number;
  /** Distances from the baseline in units of the font; `descent` is negative. */
  readonly ascent: number;
  readonly descent: number;
  readonly glyphForCodePoint: (code: number) => FontGlyph;
  readonly hasGlyphForCodePoint: (code: number) => boolean;
  readonly layout: (
    text: string,
    features?: Readonly<Record<string, boolean>>,
  ) => {
    readonly glyphs: readonly FontGlyph[];
    readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
    readonly advanceWidth: number;
  };
}

/** Members of a font of fontkit that the variation needs. */
interface InternalFont extends OpenFont {
  readonly fvar?: {
    readonly axis: readonly {
      readonly axisTag: string;
      readonly minValue: number;
      readonly maxValue: number;
      readonly defaultValue: number;
    }[];
  } | null;
  readonly gvar?: unknown;
  readonly directory: { readonly tables: { readonly glyf?: { readonly transformed: boolean } } };
  readonly _transformedGlyphs?: readonly Decoded[];
  readonly _variationProcessor: { transformPoints(glyph: number, points: Point[]): void };
  getGlyph(id: number, characters?: readonly number[]): FontGlyph;
}

export const openFont = (path: string): OpenFont => fontkit.create(readFileSync(path)) as unknown as OpenFont;

/** Properties of a font that fontkit computes once and keeps on the object. Each weight needs values of its own. */
const KEPT = ['_variationProcessor', '_layoutEngine', '_cmapProcessor'] as const;

/** Returns the description of a property of the object's class or of one of its parents. */
const inherited = (object: object, name: string): PropertyDescriptor | undefined => {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found?.get) return found;
  }
  return undefined;
};

/**
 * Returns the font at a weight. A font without the axis, or with another encoding of outlines, is returned unchanged.
 * @param weight 1 to 1000; limited to the range of the font
 */
export const atWeight = (font: OpenFont, weight: number): OpenFont => {
  const base = font as InternalFont;
  if (!base.fvar || !base.gvar || !base.directory.tables.glyf?.transformed) return font;
  const coordinates = base.fvar.axis.map(({ axisTag, minValue, maxValue, defaultValue }) =>
    axisTag.trim() === 'wght' ? Math.min(Math.max(weight, minValue), maxValue) : defaultValue,
  );
  // Decodes all outlines without a variation. Later reads happen on the decoded copy.
  base.getGlyph(0);
  const outlines = base._transformedGlyphs;
  if (!outlines) return font;
  const PointOf = outlines.find(({ points }) => points?.length)?.points?.[0]?.constructor as PointClass | undefined;
  if (!PointOf) return font;
  const varied = Object.create(base, {
    variationCoords: { value: coordinates },
    _glyphs: { value: {} },
  }) as InternalFont;
  for (const name of KEPT) inherited(Object.getPrototypeOf(base) as object, name)?.get?.call(varied);

  const decode = (id: number): Decoded => {
    const found = outlines[id]!;
    const parts = found.components
      ? found.components.map(({ dx, dy }) => new PointOf(true, true, dx, dy))
      : (found.points ?? []).map(({ onCurve, endContour, x, y }) => new PointOf(onCurve, endContour, x, y));
    const count = parts.length;
    // Four phantom points follow the outline. Only metrics depend on them, which the font has in a table (HVAR).
    const points = [...parts, ...Array.from({ length: 4 }, () => new PointOf(false, true, 0, 0))];
    varied._variationProcessor.transformPoints(id, points);
    if (!found.components) return { ...found, points: points.slice(0, count) };
    return {
      ...found,
      components: found.components.map((component, i) =>
        Object.assign(Object.create(Object.getPrototypeOf(component) as object) as Component, component, {
          dx: points[i]!.x,
          dy: points[i]!.y,
        }),
      ),
    };
  };
  const known = new Map<number, FontGlyph>();
  Object.defineProperty(varied, 'getGlyph', {
    value: (id: number, characters: readonly number[] = []): FontGlyph => {
      const before = known.get(id);
      if (before) return before;
      const glyph = base.getGlyph.call(varied, id, characters);
      if (glyph && outlines[id]) {
        const decoded = decode(id);
        glyph._decode = () => decoded;
      }
      known.set(id, glyph);
      return glyph;
    },
  });
  return varied;
};
