/**
 * Joins incidents of one kind into one sentence for people, so that a harmless incident never hides a serious one. The
 * count is part of the sentence, so it survives a restart, and headquarters of any version shows it.
 */
import type { Incident } from './wire.ts';

/** Time in seconds within which another incident of the same kind counts as the same incident. */
export const SAME_SECONDS = 3_600;

/**
 * Kinds of incidents that are states and are reported again and again. The newest sentence replaces the earlier
 * sentence, and repetitions are not counted.
 */
export const STATES: ReadonlySet<string> = new Set<Incident>(['clock_apart', 'plays_given_up', 'campaign_refused']);

/** Several incidents of one kind, joined into one. */
export interface Joined {
  /** The most serious sentence; the first one if several are equally serious. */
  readonly sentence: string;
  /** Severity: a higher rank is more serious. */
  readonly rank: number;
  readonly count: number;
}

/** Maximum count up to which each incident is stored. Beyond it, only every hundredth incident is stored. */
const EACH_UP_TO = 100;

const COUNT = / This happened (\d+) times\.$/;

export const joinIncident = (before: Joined | undefined, sentence: string, rank: number): Joined => {
  if (!before) return { sentence, rank, count: 1 };
  const worse = rank > before.rank ? { sentence, rank } : before;
  return { sentence: worse.sentence, rank: worse.rank, count: before.count + 1 };
};

export const incidentText = ({ sentence, count }: Joined): string =>
  count === 1 ? sentence : `${sentence} This happened ${count} times.`;

/** Parses the output of {@link incidentText}. The rank is not part of the text. */
export const joinedIn = (details: string): Joined => ({
  sentence: details.replace(COUNT, ''),
  rank: 0,
  count: Number(COUNT.exec(details)?.[1] ?? 1),
});

/**
 * Returns whether an incident that a person has seen is shown again, because its sentence became more serious. A higher
 * count, an older report or another sentence of a state does not show it again.
 */
export const isMoreSerious = (kind: string, before: string, after: string): boolean => {
  const [was, is] = [joinedIn(before), joinedIn(after)];
  return !STATES.has(kind) && was.sentence !== is.sentence && is.count >= was.count;
};

/** Returns whether a change should be stored. */
export const isWorthWriting = (before: Joined | undefined, after: Joined): boolean =>
  before?.sentence !== after.sentence || after.count <= EACH_UP_TO || after.count % EACH_UP_TO === 0;
