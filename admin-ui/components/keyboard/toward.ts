/** Finds the item to which an arrow key leads, among items that form no regular grid. */
export type Place = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};
export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;
export type ArrowKey = (typeof ARROWS)[number];

const gap = (low: number, high: number, otherLow: number, otherHigh: number): number =>
  Math.max(0, otherLow - high, low - otherHigh);
/** Rotates a rectangle so that the direction of the key points to the right. */
const turned = ({ left, top, right, bottom }: Place, key: ArrowKey): Place => {
  if (key === 'ArrowRight') return { left, top, right, bottom };
  if (key === 'ArrowLeft') return { left: -right, top, right: -left, bottom };
  if (key === 'ArrowDown') return { left: top, top: left, right: bottom, bottom: right };
  return { left: -bottom, top: left, right: -top, bottom: right };
};

/**
 * Factor for the distance across the direction of the key. Items straight ahead are preferred to items beside the
 * direction.
 */
const BESIDE = 3;

/**
 * Whether the items form columns or rows. A key along a column or row stays inside. A key across leads to the nearest
 * item of another column or row.
 */
export type Lines = 'columns' | 'rows';

/**
 * Returns the index of the nearest item in the direction of a key; undefined if there is none. Along a column or
 * row, only its own items count; across, items that are slightly displaced count, too.
 */
export const nearestToward = (
  from: Place,
  places: readonly Place[],
  key: ArrowKey,
  lines: Lines = 'columns',
): number | undefined => {
  const here = turned(from, key);
  const isAlong = (key === 'ArrowUp' || key === 'ArrowDown') === (lines === 'columns');
  let best: { index: number; far: number } | undefined;
  for (const [index, place] of places.entries()) {
    const there = turned(place, key);
    const isAhead = there.left + there.right > here.left + here.right && there.left > here.left;
    const beside = gap(here.top, here.bottom, there.top, there.bottom);
    if (!isAhead || (isAlong && beside > 0)) continue;
    const far =
      Math.max(0, there.left - here.right) +
      BESIDE * beside +
      Math.abs(there.left - here.left) / 100 +
      Math.abs(there.top - here.top) / 1000;
    if (!best || far < best.far) best = { index, far };
  }
  return best?.index;
};
