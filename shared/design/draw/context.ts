/** Everything that drawing needs beside the document. The host (player page, admin window, thumbnail) provides it. */
import type { Brand, Palette } from '../brand.ts';

/** A part of a drawing: name of an SVG element, and its attributes. */
export type DrawnNode = readonly [tag: string, attributes: Readonly<Record<string, string>>];

export interface DrawContext {
  readonly brand: Brand;
  readonly palette: Palette;
  /** CSS font families by role, most specific first. */
  readonly fonts: { readonly heading: string; readonly body: string };
  /** BCP 47, for numbers, prices and dates. */
  readonly locale: string;
  /** IANA time zone of the screen; undefined: the zone of this machine. */
  readonly timezone: string | undefined;
  /** Address of a picture or clip of the library; undefined: not available, a placeholder is drawn. */
  media(contentId: string): { readonly url: string; readonly isVideo: boolean } | undefined;
  /** Nodes of a lucide icon; undefined: unknown, nothing is drawn. */
  icon(name: string): readonly DrawnNode[] | undefined;
  /** Dark modules of a QR code, row by row; undefined: the text is too long. */
  qr(text: string): { readonly size: number; readonly dark: (x: number, y: number) => boolean } | undefined;
  /** Epoch milliseconds of the shared clock. */
  now(): number;
  /** Whether entries, exits and slow zooms run. */
  readonly isAnimated: boolean;
}
