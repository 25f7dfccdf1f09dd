/**
 * Rank of a campaign of headquarters on a screen (chain.md, On the screen). In a program each rank is a position that
 * every player version supports: a target and a priority outside of the range of the store's own schedules. Order:
 * safety > must > the store's schedules > the store's own playlist > default > offer.
 */
import type { ProgramSchedule } from './program.ts';

export const RANKS = ['safety', 'must', 'default', 'offer'] as const;
export type Rank = (typeof RANKS)[number];

/** Highest priority of a store's own schedule. Priorities are between -{@link MAX_PRIORITY} and this value. */
export const MAX_PRIORITY = 1_000;

/** An offer is only in the library; the store decides about it. */
export type PlannedRank = Exclude<Rank, 'offer'>;
export const PLACE_OF_RANK: Readonly<Record<PlannedRank, Pick<ProgramSchedule, 'target' | 'priority'>>> = {
  safety: { target: 'device', priority: 3_000_000 },
  must: { target: 'device', priority: 2_000_000 },
  // A campaign of this rank is not planned at all if the store has a playlist for the screen
  // (server/programs/assignment.ts).
  default: { target: 'group', priority: -2_000_000 },
};

/** Returns the rank if the schedule is a campaign of headquarters; null: it is the store's own schedule. */
export const rankOf = ({ priority }: Pick<ProgramSchedule, 'priority'>): PlannedRank | null => {
  const ranks = Object.keys(PLACE_OF_RANK) as PlannedRank[];
  return ranks.find((rank) => PLACE_OF_RANK[rank].priority === priority) ?? null;
};
