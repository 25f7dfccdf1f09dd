import type { ActivityEntry } from '../../../shared/contract/server/activity.ts';

export type DayOfEntries = { day: string; entries: ActivityEntry[] };

/** Groups entries by day in the time zone of the browser. The order of entries stays. */
export const byDay = (entries: readonly ActivityEntry[], dayOf: (at: number) => string): DayOfEntries[] => {
  const days: DayOfEntries[] = [];
  for (const entry of entries) {
    const day = dayOf(entry.created_at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
};
