/** Renders the page of a design as a self-contained document that players store (widgets/pages/document.ts). */
import type { Brand } from '../../../shared/design/brand.ts';
import { paletteOf } from '../../../shared/design/brand.ts';
import type { Design } from '../../../shared/design/design.ts';
import type { DrawnNode } from '../../../shared/design/draw/context.ts';
import { iconOf } from '../../../shared/design/drawings/icons.ts';
import { type FontFile, stacksOf } from '../../../shared/design/fonts.ts';
import { qrRows } from '../../media/designs/qr-rows.ts';
import { type PageDocument, pageKind, renderPage } from '../widgets/pages/document.ts';

const kind = pageKind('design', { files: true });

/** Everything that the script of the page needs (pages/design.page.ts). */
export interface DesignSettings {
  readonly design: Design;
  readonly brand: Brand;
  /** BCP 47; null: the language of the browser. */
  readonly locale: string | null;
  /** CSS families by role. */
  readonly fonts: { readonly heading: string; readonly body: string };
  /** Font files that the player lends to the page. */
  readonly faces: readonly Omit<FontFile, 'source'>[];
  readonly icons: Readonly<Record<string, readonly DrawnNode[]>>;
  /** Modules of each QR code by its text: rows of `0` and `1`. */
  readonly codes: Readonly<Record<string, readonly string[]>>;
  /** Ids of all contents that the design and the brand show, and of those that are clips. */
  readonly media: readonly string[];
  readonly videos: readonly string[];
  /** Duration in milliseconds of a page without a duration of its own. */
  readonly page_ms: number;
}

/** Duration of a page of a design with several pages. */
const PAGE_MS = 10_000;

/** Returns the found values by their key, each key once. */
const tableOf = <T>(keys: readonly string[], find: (key: string) => T | undefined): Record<string, T> =>
  Object.fromEntries(
    [...new Set(keys)].flatMap((key) => {
      const value = find(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );

export interface DesignPageInput {
  readonly title: string;
  readonly design: Design;
  readonly brand: Brand;
  readonly locale: string | null;
  readonly media: readonly string[];
  readonly videos: readonly string[];
  readonly faces: DesignSettings['faces'];
}

/** Returns the same bytes for the same input. */
export const designPage = ({ title, design, brand, locale, media, videos, faces }: DesignPageInput): PageDocument => {
  const elements = design.pages.flatMap((page) => page.elements);
  const values = elements.flatMap((element) => (element.type === 'qr' && element.value !== '' ? [element.value] : []));
  const names = elements.flatMap((element) => (element.type === 'icon' ? [element.icon] : []));
  const palette = paletteOf(brand);
  const settings: DesignSettings = {
    ...{ design, brand, locale, media, videos, faces },
    codes: tableOf(values, qrRows),
    fonts: stacksOf(brand),
    icons: tableOf(names, iconOf),
    page_ms: PAGE_MS,
  };
  return renderPage({
    kind: kind(),
    title,
    locale,
    theme: brand.tone,
    colors: { background: palette.paper, color: palette.ink },
    settings,
  });
};
