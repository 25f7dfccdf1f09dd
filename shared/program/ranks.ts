/**
 * Rank of a campaign of headquarters on a screen (chain.md, On the screen). In a program, a rank is expressed by a
 * target and a priority beyond the priorities of the store's own schedules, so that every player version supports it.
 * Order: safety > must > the store's schedules > the store's own playlist > default > offer.
 */
import type { ProgramSchedule } from './program.ts';

export const RANKS = ['safety', 'must', 'default', 'offer'] as const;
export type Rank = (typeof RANKS)[number];

/** Highest priority of a store's own schedule. Priorities are between -{@link MAX_PRIORITY} and this value. */
export const MAX_PRIORITY = 1_000;

/**
 * Ranks that a program can contain. A campaign with the rank `offer` only adds content to the store's library, and the
 * store decides whether to show it.
 */
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
