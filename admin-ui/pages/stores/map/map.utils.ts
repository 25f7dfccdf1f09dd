/** Geometry of the stores map: projection, clusters of near stores, and the visible part. Pure functions. */
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { toneOfTrouble } from '../stores.utils.ts';
import type { Place } from './place.utils.ts';

/** States of marks, the worst state first. */
export const MARK_STATES = ['bad', 'warn', 'new', 'up', 'left'] as const;
export type MarkState = (typeof MARK_STATES)[number];
export const stateOf = ({ trouble, line }: Pick<StorePlace, 'trouble' | 'line'>): MarkState => {
  if (trouble !== null) return toneOfTrouble[trouble];
  return line === 'down' ? 'bad' : line;
};

/** A point of the map in degrees of latitude; x grows to the east, y to the south. */
export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };
/** The visible part of the map: its centre, and the pixels per degree of latitude. */
export type View = Point & { readonly scale: number };
export type Scales = { readonly min: number; readonly max: number };

/**
 * The projection: a degree of longitude is multiplied by `squeeze`, so that distances are equal in both directions
 * at the middle latitude. `meridian` is the middle longitude of the stores.
 */
export type Plane = { readonly meridian: number; readonly squeeze: number };

/** Brings a longitude into the range -180 to 180. */
const turned = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

export const planeOf = (places: readonly Place[]): Plane => {
  if (places.length === 0) return { meridian: 0, squeeze: 1 };
  let [south, north] = [90, -90];
  for (const { latitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  // The meridian is opposite the middle of the widest gap between stores, so that the map leaves this gap out.
  const around = places.map(({ longitude }) => turned(longitude)).sort((a, b) => a - b);
  let widest = { gap: around[0]! + 360 - around.at(-1)!, east: around[0]! };
  for (let i = 1; i < around.length; i++) {
    const gap = around[i]! - around[i - 1]!;
    if (gap > widest.gap) widest = { gap, east: around[i]! };
  }
  return {
    meridian: turned(widest.east + (360 - widest.gap) / 2),
    // A minimum, since near a pole all stores would be on one vertical line.
    squeeze: Math.max(0.1, Math.cos(((south + north) / 2) * (Math.PI / 180))),
  };
};

export const onPlane = ({ meridian, squeeze }: Plane, { latitude, longitude }: Place): Point => ({
  x: turned(longitude - meridian) * squeeze,
  y: -latitude,
});

/** Maximum scale in pixels per degree. A house is as wide as a hand then. */
const CLOSEST = 200_000;
/** Scale in pixels per degree for a single place. It shows a town. */
const TOWN = 1_500;

/** Returns the view that shows all points, with a margin. */
export const viewOf = (points: readonly Point[], { width, height }: Size, room = 56): View => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (points.length === 0) return { x: 0, y: 0, scale: 1 };
  const across = Math.max(1, width - 2 * room) / (right - left);
  const down = Math.max(1, height - 2 * room) / (bottom - top);
  const scale = Math.min(across, down, CLOSEST);
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    scale: Number.isFinite(scale) && right - left + bottom - top > 0 ? scale : TOWN,
  };
};

/** Returns the limits of the zoom for a view that shows all points. */
export const scalesOf = ({ scale }: View): Scales => ({ min: scale / 3, max: Math.max(CLOSEST, scale) });

/** Returns the view zoomed around a point of the map pane, which stays in place. @param at from the middle, pixels */
export const zoomed = (view: View, by: number, at: Point, { min, max }: Scales): View => {
  const scale = Math.min(max, Math.max(min, view.scale * by));
  const way = 1 / view.scale - 1 / scale;
  return { x: view.x + at.x * way, y: view.y + at.y * way, scale };
};

export const moved = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x - dx / view.scale,
  y: view.y - dy / view.scale,
});

/** Returns a view between two views, for an animation whose visible speed is constant. @param part 0 to 1 */
export const between = (from: View, to: View, part: number): View => {
  const scale = from.scale * (to.scale / from.scale) ** part;
  // A point that both views show in the same place stays there during the animation. With equal scales, the movement
  // is linear.
  const gone =
    Math.abs(to.scale / from.scale - 1) < 1e-6 ? part : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return { x: from.x + (to.x - from.x) * gone, y: from.y + (to.y - from.y) * gone, scale };
};

/** Returns the position of a point in the view, in pixels from the middle of the map pane. */
export const inWindow = (view: View, { x, y }: Point): Point => ({
  x: (x - view.x) * view.scale,
  y: (y - view.y) * view.scale,
});

export interface Cluster extends Point {
  /** Id of the first store of the cluster, so that React keeps the mark while this store is in it. */
  readonly key: string;
  /** Indices in the list of stores. */
  readonly members: readonly number[];
  readonly state: MarkState;
  /** Number of stores with problems. */
  readonly troubled: number;
}

/** Distance in pixels below which two marks are merged. */
const NEAR = 56;
/** Maximum number of merging rounds: a merged mark moves, and may come near other marks. */
const ROUNDS = 8;
type Group = { x: number; y: number; members: number[] };

/** Returns the hash of a grid cell. Collisions are harmless, since the distance of marks is checked afterwards. */
const cellOf = (column: number, row: number): number =>
  (Math.imul(column, 73_856_093) ^ Math.imul(row, 19_349_663)) & 0x3fff_ffff;

const joined = (groups: readonly Group[], radius: number): Group[] => {
  const cells = new Map<number, Group[]>();
  const at = (degrees: number) => Math.floor(degrees / radius);
  for (const group of groups) {
    const cell = cellOf(at(group.x), at(group.y));
    const there = cells.get(cell);
    if (there) there.push(group);
    else cells.set(cell, [group]);
  }
  const taken = new Set<Group>();
  const found: Group[] = [];
  for (const group of groups) {
    if (taken.has(group)) continue;
    taken.add(group);
    const near = [group];
    const [column, row] = [at(group.x), at(group.y)];
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++) {
        const cell = cellOf(column + i, row + j);
        const there = cells.get(cell);
        if (!there) continue;
        let left = 0;
        for (const one of there) {
          if (taken.has(one)) continue;
          const [dx, dy] = [one.x - group.x, one.y - group.y];
          if (dx * dx + dy * dy < radius * radius) {
            taken.add(one);
            near.push(one);
          } else there[left++] = one;
        }
        if (left === 0) cells.delete(cell);
        else there.length = left;
      }
    found.push(near.length === 1 ? group : gathered(near));
  }
  return found;
};

const gathered = (groups: readonly Group[]): Group => {
  let [x, y, count] = [0, 0, 0];
  for (const group of groups) {
    const weight = group.members.length;
    x += group.x * weight;
    y += group.y * weight;
    count += weight;
  }
  return { x: x / count, y: y / count, members: groups.flatMap(({ members }) => members) };
};

/**
 * Rounds the scale down to a step. Between two steps, marks only move apart, so that zooming does not change all
 * marks at once.
 */
export const stepOf = (scale: number): number => 2 ** (Math.floor(Math.log2(scale) * 2) / 2);

/**
 * Returns the marks for all given stores, whichever part of the map is visible.
 * @param points of the stores, in their order
 */
export const clustersOf = (
  stores: readonly Pick<StorePlace, 'id' | 'trouble' | 'line'>[],
  points: readonly Point[],
  scale: number,
): Cluster[] => {
  let groups: Group[] = points.map(({ x, y }, i) => ({ x, y, members: [i] }));
  for (let round = 0; round < ROUNDS; round++) {
    const before = groups.length;
    groups = joined(groups, NEAR / scale);
    if (groups.length === before) break;
  }
  return groups.map(({ x, y, members }) => {
    let [worst, troubled] = [MARK_STATES.length - 1, 0];
    for (const member of members) {
      const store = stores[member]!;
      worst = Math.min(worst, MARK_STATES.indexOf(stateOf(store)));
      if (store.trouble !== null) troubled++;
    }
    return { x, y, members, key: stores[members[0]!]!.id, state: MARK_STATES[worst]!, troubled };
  });
};

/** Returns whether the stores are so near to each other that zooming in cannot separate them. */
export const isPile = (points: readonly Point[]): boolean => {
  const [first = { x: 0, y: 0 }] = points;
  return points.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) * CLOSEST < NEAR);
};

/** Pixels beyond the edge of the map within which marks are rendered, so that keys and drags reach them. */
const BEYOND = 300;
export const isNear = ({ x, y }: Point, { width, height }: Size): boolean =>
  Math.abs(x) < width / 2 + BEYOND && Math.abs(y) < height / 2 + BEYOND;

/** Returns the movement of the map that makes a mark visible. @param at from the middle, pixels */
export const wayIntoView = ({ x, y }: Point, { width, height }: Size, room = 48): Point => {
  const way = (at: number, half: number) => (at > half ? half - at : at < -half ? -half - at : 0);
  return { x: way(x, Math.max(0, width / 2 - room)), y: way(y, Math.max(0, height / 2 - room)) };
};

/**
 * Sizes in pixels: from the middle of a mark to its name, width of a letter, half the height of a name, size of a
 * mark.
 */
const NAME = { from: 14, letter: 7.5, half: 11, mark: 18 };
/** Maximum number of marks for which names are shown. With more marks, no mark has a name. */
const NAMED = 60;
/**
 * Returns the keys of marks that have room for a name beside them.
 * @param marks in pixels; marks without a name are clusters
 */
export const namedOf = (marks: readonly (Point & { key: string; name: string | undefined })[]): Set<string> => {
  const named = new Set<string>();
  if (marks.length > NAMED) return named;
  type Box = { left: number; right: number; top: number; bottom: number };
  const boxes = new Map<string, Box>(
    marks.map(({ key, x, y }) => [
      key,
      { left: x - NAME.mark, right: x + NAME.mark, top: y - NAME.mark, bottom: y + NAME.mark },
    ]),
  );
  const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  for (const { key, name, x, y } of marks) {
    if (name === undefined) continue;
    const left = x + NAME.from;
    const box = { left, right: left + name.length * NAME.letter, top: y - NAME.half, bottom: y + NAME.half };
    if ([...boxes].some(([other, taken]) => other !== key && meet(box, taken))) continue;
    named.add(key);
    boxes.set(`name of ${key}`, box);
  }
  return named;
};

export interface GridLine {
  readonly axis: 'latitude' | 'longitude';
  readonly degrees: number;
  /** Distance from the left or the top edge in pixels. */
  readonly at: number;
}

const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
/** Minimum distance of grid lines in pixels. */
const APART = 110;

/** Returns the grid lines in view, at round degrees. */
export const gridOf = ({ meridian, squeeze }: Plane, view: View, { width, height }: Size): GridLine[] => {
  const stepFor = (scale: number) => STEPS.findLast((step) => step * scale >= APART) ?? STEPS[0]!;
  const lines: GridLine[] = [];
  const add = (axis: GridLine['axis'], middle: number, scale: number, length: number, most: number) => {
    const step = stepFor(scale);
    const half = length / 2 / scale;
    const first = Math.ceil((middle - half) / step);
    for (let i = first; i * step <= middle + half; i++) {
      const degrees = i * step;
      const isOnEarth = Math.abs(axis === 'longitude' ? degrees - meridian : degrees) <= most;
      if (!isOnEarth) continue;
      const off = (degrees - middle) * scale;
      lines.push({
        axis,
        degrees: Number((axis === 'longitude' ? turned(degrees) : degrees).toFixed(4)) + 0,
        at: length / 2 + (axis === 'latitude' ? -off : off),
      });
    }
  };
  add('latitude', -view.y, view.scale, height, 90);
  add('longitude', view.x / squeeze + meridian, view.scale * squeeze, width, 180);
  return lines;
};

const KM_OF_DEGREE = 111.2;
/** Returns a round distance in metres, and its length in pixels, for the scale bar. */
export const rulerOf = ({ scale }: View, most = 120): { metres: number; width: number } => {
  const pixels = scale / (KM_OF_DEGREE * 1000);
  const ten = 10 ** Math.floor(Math.log10(most / pixels));
  const metres = ([5, 2, 1].find((one) => one * ten * pixels <= most) ?? 1) * ten;
  return { metres, width: metres * pixels };
};

/** Distances in pixels: between a mark and its card, and between a card and the edge of the map. */
const CARD = { gap: 22, edge: 8 };
export type CardPlace = {
  readonly left?: number;
  readonly right?: number;
  readonly top?: number;
  readonly bottom?: number;
};
/** Returns the position of a card: beside its mark, on the side with more room. */
export const cardPlaceOf = (view: View, { width, height }: Size, point: Point): CardPlace => {
  const within = (at: number, length: number) => Math.min(Math.max(at + length / 2, 0), length);
  const at = inWindow(view, point);
  const [x, y] = [within(at.x, width), within(at.y, height)];
  return {
    ...(at.x > 0 ? { right: width - x + CARD.gap } : { left: x + CARD.gap }),
    ...(at.y > 0 ? { bottom: Math.max(CARD.edge, height - y - CARD.gap) } : { top: Math.max(CARD.edge, y - CARD.gap) }),
  };
};
