/** Where things lie to each other: what an arrow key means among things that are no rows and columns. */
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
/** The same seen from its left: what is ahead lies to the right. */
const turned = ({ left, top, right, bottom }: Place, key: ArrowKey): Place => {
  if (key === 'ArrowRight') return { left, top, right, bottom };
  if (key === 'ArrowLeft') return { left: -right, top, right: -left, bottom };
  if (key === 'ArrowDown') return { left: top, top: left, right: bottom, bottom: right };
  return { left: -bottom, top: left, right: -top, bottom: right };
};

/** What lies beside counts so many times what lies ahead. */
const BESIDE = 3;

/** What runs along one line is followed; from one line to the next it goes to what is nearest. */
export type Lines = 'columns' | 'rows';

/**
 * The nearest of some places in the direction of a key: its index. Along a line only what is on the same one, across
 * also what is a little beside. Undefined: there is nothing.
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
