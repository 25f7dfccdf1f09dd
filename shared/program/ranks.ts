/**
 * How strong a campaign of headquarters is on a screen (chain.md, On the screen). In a program each rank is a place in
 * the order that every player knows: a target and a priority that nothing of the store's own reaches.
 *
 *     safety > must > the store's schedules > the store's own playlist > default > offer
 */
import type { ProgramSchedule } from './program.ts';

export const RANKS = ['safety', 'must', 'default', 'offer'] as const;
export type Rank = (typeof RANKS)[number];

/** The store's own lie between -{@link MAX_PRIORITY} and this. */
export const MAX_PRIORITY = 1_000;

/** An offer is in the library; the store decides. */
export type PlannedRank = Exclude<Rank, 'offer'>;
export const PLACE_OF_RANK: Readonly<Record<PlannedRank, Pick<ProgramSchedule, 'target' | 'priority'>>> = {
  safety: { target: 'device', priority: 3_000_000 },
  must: { target: 'device', priority: 2_000_000 },
  // Where the store has a playlist for the screen it is not planned at all (server/programs/assignment.ts).
  default: { target: 'group', priority: -2_000_000 },
};

/** Whether a schedule of a program is a campaign of headquarters, and how strong; null: it is the store's own. */
export const rankOf = ({ priority }: Pick<ProgramSchedule, 'priority'>): PlannedRank | null => {
  const ranks = Object.keys(PLACE_OF_RANK) as PlannedRank[];
  return ranks.find((rank) => PLACE_OF_RANK[rank].priority === priority) ?? null;
};
