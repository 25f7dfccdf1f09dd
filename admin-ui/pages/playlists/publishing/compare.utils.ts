import type { Playlist, PlaylistItem } from '../../../../shared/contract/content/playlists.ts';
import type { Transition } from '../../../../shared/program/program.ts';

/** A difference between an item and its published version. */
export type Difference = 'duration' | 'zone' | 'times' | 'transition';
/** Change of the playlist's transition, which applies to items without their own transition. */
export interface TransitionChange {
  readonly before: Transition | null;
  readonly after: Transition | null;
}
export type Change =
  | { readonly kind: 'added' | 'removed' | 'moved'; readonly item: PlaylistItem }
  | {
      readonly kind: 'changed';
      readonly item: PlaylistItem;
      readonly before: PlaylistItem;
      readonly what: readonly Difference[];
    };

/**
 * Returns the positions of a longest increasing subsequence of `values`. Items in these positions have not been
 * moved.
 */
const steady = (values: readonly number[]): Set<number> => {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    let place = tails.findIndex((tail) => values[tail]! >= value);
    if (place < 0) place = tails.length;
    before[at] = place > 0 ? tails[place - 1]! : -1;
    tails[place] = at;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) kept.add(at);
  return kept;
};

const isSame = (a: Transition | null, b: Transition | null): boolean => a?.kind === b?.kind && a?.ms === b?.ms;

/** Returns the change of the playlist's transition since the last publish; null if there is none. */
export const transitionChange = ({
  transition: after,
  published_transition: before,
}: Pick<Playlist, 'transition' | 'published_transition'>): TransitionChange | null =>
  isSame(before, after) ? null : { before, after };

const timesOf = ({ schedules, valid_from, valid_until }: PlaylistItem): string =>
  JSON.stringify([schedules, valid_from, valid_until]);

const differences = (a: PlaylistItem, b: PlaylistItem): Difference[] => [
  ...(a.duration_sec === b.duration_sec ? [] : (['duration'] as const)),
  ...((a.zone_id ?? null) === (b.zone_id ?? null) ? [] : (['zone'] as const)),
  ...(timesOf(a) === timesOf(b) ? [] : (['times'] as const)),
  ...(isSame(a.transition, b.transition) ? [] : (['transition'] as const)),
];

/**
 * Returns the changes of a publish, in the order of the draft, removed items last. Items are compared by id. The number
 * of moved items is minimal: dragging one item to the front moves one, not all others.
 */
export const compare = (published: readonly PlaylistItem[], draft: readonly PlaylistItem[]): Change[] => {
  const places = new Map(published.map((item, at) => [item.id, at]));
  const kept = draft.filter((item) => places.has(item.id));
  const still = steady(kept.map((item) => places.get(item.id)!));
  const moved = new Set(kept.filter((_, at) => !still.has(at)).map((item) => item.id));
  const stays = new Set(draft.map((item) => item.id));
  const inDraft = draft.flatMap((item): Change[] => {
    const before = published[places.get(item.id) ?? -1];
    if (!before) return [{ kind: 'added', item }];
    const what = differences(before, item);
    return [
      ...(moved.has(item.id) ? [{ kind: 'moved', item } as const] : []),
      ...(what.length > 0 ? [{ kind: 'changed', item, before, what } as const] : []),
    ];
  });
  return [
    ...inDraft,
    ...published.filter((item) => !stays.has(item.id)).map((item): Change => ({ kind: 'removed', item })),
  ];
};

export const countChanges = (changes: readonly Change[]): Record<Change['kind'], number> => {
  const counts = { added: 0, removed: 0, moved: 0, changed: 0 };
  for (const { kind } of changes) counts[kind]++;
  return counts;
};
