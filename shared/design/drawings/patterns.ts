/** Background patterns, our own drawings. Each is a tile of 160 × 160 that repeats without a seam. Pure. */

/** Shapes of each tile. `C` stands for the colour. */
const TILES: Readonly<Record<string, string>> = {
  dots: '<circle cx="40" cy="40" r="10" fill="C"/><circle cx="120" cy="120" r="10" fill="C"/>',
  grid: '<path d="M0 80h160M80 0v160" stroke="C" stroke-width="4"/>',
  stripes:
    '<path d="M-40 40 40-40M-40 120 120-40M-40 200 200-40M40 200 200 40M120 200l80-80" stroke="C" stroke-width="22"/>',
  waves: '<path d="M0 40q40-40 80 0t80 0M0 120q40-40 80 0t80 0" fill="none" stroke="C" stroke-width="10"/>',
  confetti:
    '<path d="m20 30 18-10M110 18l8 20M60 90l-16 12M130 84l20 6M30 140l10-18M96 136l22 4" stroke="C" stroke-width="9" stroke-linecap="round"/>',
  leaves:
    '<path d="M40 20q40 20 0 60-40-40 0-60zM120 90q40 20 0 60-40-40 0-60z" fill="C"/><path d="M120 10q26 14 0 40-26-26 0-40zM40 104q26 14 0 40-26-26 0-40z" fill="C" opacity=".5"/>',
  snow: '<path d="M40 16v48M19 28l42 24M61 28 19 52M120 96v48M99 108l42 24M141 108l-42 24" stroke="C" stroke-width="6" stroke-linecap="round"/>',
  tiles: '<path d="M0 0h80v80H0zM80 80h80v80H80z" fill="C"/>',
  rings:
    '<circle cx="80" cy="80" r="56" fill="none" stroke="C" stroke-width="8"/><circle cx="80" cy="80" r="28" fill="none" stroke="C" stroke-width="8"/>',
  hearts: '<path d="M40 62C4 38 18 14 40 30c22-16 36 8 0 32zM120 142c-36-24-22-48 0-32 22-16 36 8 0 32z" fill="C"/>',
};
export const PATTERNS = Object.keys(TILES);

/** Side of a tile in units (page-formats.ts). */
export const TILE = 160;

/** Returns the shapes of a tile as SVG; undefined for an unknown name. @param color hex */
export const tileOf = (name: string, color: string): string | undefined =>
  Object.hasOwn(TILES, name) ? TILES[name]!.replaceAll('"C"', `"${color}"`) : undefined;

/** Returns a CSS image of a pattern; `none` for an unknown name. @param color hex */
export const patternOf = (name: string, color: string): string => {
  const tile = tileOf(name, color);
  if (tile === undefined) return 'none';
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${TILE} ${TILE}">${tile}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`;
};
