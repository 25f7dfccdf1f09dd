/** Computes which plan wins where plans overlap, with the players' own code (shared/program/precedence.ts). */
import type { Layout } from '../../../../shared/contract/content/layouts.ts';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { toProgramLayout, toProgramSchedule } from '../../../../shared/program/from-records.ts';
import { PLAIN_ITEM } from '../../../../shared/program/plain-item.ts';
import { createPlanner } from '../../../../shared/program/precedence.ts';
import type { LosingRule } from '../../../../shared/program/program.ts';

/** Period in epoch milliseconds in which a schedule is displaced, and the schedule that displaces it. */
export interface Overruled {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly because: LosingRule['because'];
}

type Plans = {
  readonly schedules: readonly Schedule[];
  readonly layouts: readonly Layout[];
  readonly baseLayoutId: string | null;
};

/** Maximum number of changes that are examined. Nobody could look at more in a week. */
const MAX_STEPS = 5000;

/** Returns the periods in which schedules are displaced between `from` and `to`, by schedule id. */
export const overruledIn = (
  { schedules, layouts, baseLayoutId }: Plans,
  from: number,
  to: number,
): Map<string, Overruled[]> => {
  const planAt = createPlanner(
    {
      format: 1,
      base: { layout_id: baseLayoutId, playlist_id: null, item: null, source: null },
      fallback: null,
      layouts: layouts.map((layout) => toProgramLayout(layout)),
      playlists: [],
      schedules: schedules
        .filter((s) => s.enabled === 1)
        .map((s) => toProgramSchedule(s, s.content_id || s.widget_id ? PLAIN_ITEM : null)),
      assets: [],
    },
    'UTC',
  );
  const found = new Map<string, Overruled[]>();
  for (let at = from, steps = 0; at < to && steps < MAX_STEPS; steps++) {
    const plan = planAt(at);
    const end = Math.min(plan.until, to);
    for (const { schedule_id, lost_to, because } of plan.losing) {
      const list = found.get(schedule_id) ?? [];
      found.set(schedule_id, list);
      const last = list.at(-1);
      if (last && last.to === at && last.by === lost_to) list[list.length - 1] = { ...last, to: end };
      else list.push({ from: at, to: end, by: lost_to, because });
    }
    at = end;
  }
  return found;
};
