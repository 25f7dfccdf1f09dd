/**
 * Joins incidents of one kind into one sentence for people, so that a harmless incident never hides a serious one. The
 * count is part of the sentence, so it survives a restart, and headquarters of any version shows it.
 */
import type { Incident } from './wire.ts';

/** Time in seconds within which another incident of the same kind counts as the same incident. */
export const SAME_SECONDS = 3_600;

/**
 * Kinds of incidents that last, and that the store reports again and again. A new report replaces the sentence of the
 * earlier report and does not increase the count.
 */
export const STATES: ReadonlySet<string> = new Set<Incident>(['clock_apart', 'plays_given_up', 'campaign_refused']);

/** Several incidents of one kind, joined into one. */
export interface Joined {
  /** The sentence of the most serious incident; the first sentence if several incidents are equally serious. */
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
 * Returns whether an incident is shown again after a person has seen it: only if its sentence became more serious. A
 * higher count, an older report, or another sentence of a lasting kind of incident ({@link STATES}) does not show it
 * again.
 */
export const isMoreSerious = (kind: string, before: string, after: string): boolean => {
  const [was, is] = [joinedIn(before), joinedIn(after)];
  return !STATES.has(kind) && was.sentence !== is.sentence && is.count >= was.count;
};

/** Returns whether a changed incident should be written to the database. */
export const isWorthWriting = (before: Joined | undefined, after: Joined): boolean =>
  before?.sentence !== after.sentence || after.count <= EACH_UP_TO || after.count % EACH_UP_TO === 0;
