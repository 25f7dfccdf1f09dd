/** Geometry of the stores map: projection, clusters of near stores, and the visible part. Pure. */
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { toneOfTrouble } from '../stores.utils.ts';
import type { Place } from './place.utils.ts';

/** Worst first. */
export const MARK_STATES = ['bad', 'warn', 'new', 'up', 'left'] as const;
export type MarkState = (typeof MARK_STATES)[number];
export const stateOf = ({ trouble, line }: Pick<StorePlace, 'trouble' | 'line'>): MarkState => {
  if (trouble !== null) return toneOfTrouble[trouble];
  return line === 'down' ? 'bad' : line;
};

/** In degrees of latitude, x eastwards, y southwards. */
export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };
/** The centre, and the pixels per degree of latitude. */
export type View = Point & { readonly scale: number };
export type Scales = { readonly min: number; readonly max: number };

/** Equal distances along both axes at the middle latitude. The meridian is in the middle of the stores. */
export type Plane = { readonly meridian: number; readonly squeeze: number };

/** -180 to 180 */
const turned = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

export const planeOf = (places: readonly Place[]): Plane => {
  if (places.length === 0) return { meridian: 0, squeeze: 1 };
  let [south, north] = [90, -90];
  for (const { latitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  // The widest gap around the earth is left out of the map.
  const around = places.map(({ longitude }) => turned(longitude)).sort((a, b) => a - b);
  let widest = { gap: around[0]! + 360 - around.at(-1)!, east: around[0]! };
  for (let i = 1; i < around.length; i++) {
    const gap = around[i]! - around[i - 1]!;
    if (gap > widest.gap) widest = { gap, east: around[i]! };
  }
  return {
    meridian: turned(widest.east + (360 - widest.gap) / 2),
    // Near a pole, everything would be one line.
    squeeze: Math.max(0.1, Math.cos(((south + north) / 2) * (Math.PI / 180))),
  };
};

export const onPlane = ({ meridian, squeeze }: Plane, { latitude, longitude }: Place): Point => ({
  x: turned(longitude - meridian) * squeeze,
  y: -latitude,
});

/** Pixels per degree at the highest zoom, where a house is as wide as a hand. */
const CLOSEST = 200_000;
/** Scale for a single place: shows a town. */
const TOWN = 1_500;

/** Shows all points, with a margin. */
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

/** Limits of the zoom around a view of everything. */
export const scalesOf = ({ scale }: View): Scales => ({ min: scale / 3, max: Math.max(CLOSEST, scale) });

/** Zooms around a point of the window, which stays in place. @param at from the middle, pixels */
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

/** A view between two others, for an animation with constant visible speed. @param part 0 to 1 */
export const between = (from: View, to: View, part: number): View => {
  const scale = from.scale * (to.scale / from.scale) ** part;
  // A point that both views show at the same place stays there. With equal scales, it is a straight line.
  const gone =
    Math.abs(to.scale / from.scale - 1) < 1e-6 ? part : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return { x: from.x + (to.x - from.x) * gone, y: from.y + (to.y - from.y) * gone, scale };
};

/** From the middle of the window, in pixels. */
export const inWindow = (view: View, { x, y }: Point): Point => ({
  x: (x - view.x) * view.scale,
  y: (y - view.y) * view.scale,
});

export interface Cluster extends Point {
  /** Id of its first store, so that the mark stays while that store is drawn. */
  readonly key: string;
  /** Indices in the list of stores. */
  readonly members: readonly number[];
  readonly state: MarkState;
  /** Number of stores with problems. */
  readonly troubled: number;
}

/** Marks nearer to each other than this, in pixels, are merged. */
const NEAR = 56;
/** Limit for repeated merging: a merged mark moves, and may come near others. */
const ROUNDS = 8;
type Group = { x: number; y: number; members: number[] };

/** Collisions are harmless, since the distance is checked afterwards. */
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

/** Scale in steps: between two steps, marks only move apart, so that zooming does not change all of them at once. */
export const stepOf = (scale: number): number => 2 ** (Math.floor(Math.log2(scale) * 2) / 2);

/** The marks of some stores, independent of the visible part. @param points of the stores, in their order */
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

/** Whether zooming in cannot separate the stores. */
export const isPile = (points: readonly Point[]): boolean => {
  const [first = { x: 0, y: 0 }] = points;
  return points.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) * CLOSEST < NEAR);
};

/** Pixels beyond the edge in which marks are drawn, so that keys and drags reach them. */
const BEYOND = 300;
export const isNear = ({ x, y }: Point, { width, height }: Size): boolean =>
  Math.abs(x) < width / 2 + BEYOND && Math.abs(y) < height / 2 + BEYOND;

/** The movement that makes a mark visible. @param at from the middle, pixels */
export const wayIntoView = ({ x, y }: Point, { width, height }: Size, room = 48): Point => {
  const way = (at: number, half: number) => (at > half ? half - at : at < -half ? -half - at : 0);
  return { x: way(x, Math.max(0, width / 2 - room)), y: way(y, Math.max(0, height / 2 - room)) };
};

/** Pixels from the middle of a mark to its name, of one letter, of half its height, and of the mark. */
const NAME = { from: 14, letter: 7.5, half: 11, mark: 18 };
/** More names are not useful. */
const NAMED = 60;
/** The stores with room for a name beside their mark. @param marks in pixels; marks without a name are clusters */
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
  /** From the left or the top, pixels. */
  readonly at: number;
}

const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
/** Minimum distance of grid lines in pixels. */
const APART = 110;

/** The grid lines in view, at round degrees. */
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
/** A round distance, and its length in pixels. */
export const rulerOf = ({ scale }: View, most = 120): { metres: number; width: number } => {
  const pixels = scale / (KM_OF_DEGREE * 1000);
  const ten = 10 ** Math.floor(Math.log10(most / pixels));
  const metres = ([5, 2, 1].find((one) => one * ten * pixels <= most) ?? 1) * ten;
  return { metres, width: metres * pixels };
};

/** Pixels between a mark and its card, and from the card to the edge. */
const CARD = { gap: 22, edge: 8 };
export type CardPlace = {
  readonly left?: number;
  readonly right?: number;
  readonly top?: number;
  readonly bottom?: number;
};
/** Position of a card: beside its mark, on the side with more room. */
export const cardPlaceOf = (view: View, { width, height }: Size, point: Point): CardPlace => {
  const within = (at: number, length: number) => Math.min(Math.max(at + length / 2, 0), length);
  const at = inWindow(view, point);
  const [x, y] = [within(at.x, width), within(at.y, height)];
  return {
    ...(at.x > 0 ? { right: width - x + CARD.gap } : { left: x + CARD.gap }),
    ...(at.y > 0 ? { bottom: Math.max(CARD.edge, height - y - CARD.gap) } : { top: Math.max(CARD.edge, y - CARD.gap) }),
  };
};
