/** Builds the text and numbers of an alert about items that a screen cannot show. Pure. */
import type { Program, ProgramItem } from '../../../shared/program/program.ts';
import type { FaultSubject } from '../../../shared/protocol/fault-subject.ts';
import type { OpenFault } from '../../realtime/state/open-faults.ts';
import type { Facts } from './judge.ts';

const itemIdOf = ({ subject }: OpenFault): number | null => (typeof subject === 'object' ? subject.item_id : null);

/**
 * Returns the facts of an alert. `message`: text of the newest fault with the highest level; `level`: the highest
 * level; `count`: number of open faults; `items`: ids of the failing playlist items, separated by commas.
 * @param open faults of one screen, at least one, the newest last
 */
export const faultFacts = (open: readonly OpenFault[]): Facts => {
  const worst = open.findLast(({ level }) => level === 'error') ?? open.at(-1)!;
  const items = open.map(itemIdOf).filter((id) => id !== null);
  return {
    message: worst.message,
    level: worst.level,
    count: open.length,
    ...(items.length > 0 && { items: items.join(', ') }),
  };
};

/** Returns the ids of the failing playlist items; empty for an alert of an older version. */
export const failingItems = (facts: Facts): number[] =>
  typeof facts['items'] === 'string' ? facts['items'].split(', ').map(Number).filter(Number.isInteger) : [];

interface Shown {
  readonly ids: ReadonlySet<number>;
  readonly assets: ReadonlySet<string>;
}
/** Cache of shown items and assets by program. Programs never change, and many screens share a program. */
const known = new WeakMap<Program, Shown>();

const itemsOf = (program: Program): (ProgramItem | null | undefined)[] => [
  program.base.item,
  program.fallback,
  ...(program.fallbacks ?? []),
  ...program.playlists.flatMap(({ items }) => items),
  ...program.schedules.map(({ item }) => item),
  ...program.layouts.flatMap(({ zones }) => zones.map(({ fill }) => fill?.item)),
];

const readShown = (program: Program): Shown => {
  const items = itemsOf(program).filter((item) => item !== null && item !== undefined);
  return {
    ids: new Set(items.map(({ item_id }) => item_id).filter((id) => id !== null)),
    assets: new Set(items.map(({ asset }) => asset).filter((asset) => asset !== null)),
  };
};

/** Returns whether a program ever shows an item. */
export const shownBy = (program: Program): ((item: FaultSubject) => boolean) => {
  let shown = known.get(program);
  if (!shown) known.set(program, (shown = readShown(program)));
  const { ids, assets } = shown;
  return ({ item_id, asset }) => (item_id === null ? asset !== null && assets.has(asset) : ids.has(item_id));
};
