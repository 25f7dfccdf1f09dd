import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Plan } from '../../../../shared/contract/screens/plans.ts';
import { canChangeDay, movedBy, stretchedBy, type Times } from '../calendar/calendar.utils.ts';
import { added, DAY_MIN, type Shift } from '../calendar/rows.utils.ts';
import { NUDGES_END_MS, type Retime } from './useRetime.ts';

/** The new times of a moved or resized plan; null if this would need another rule. */
const shiftedTimes = (plan: Plan, { start, end }: Shift): Times | null => {
  const days = Math.trunc(start / DAY_MIN);
  if (days !== 0 && !canChangeDay(plan)) return null;
  return stretchedBy(movedBy(plan, { days, minutes: start - days * DAY_MIN }), 'end', end - start);
};

/** Moves plans in the rows. `shifts` are the offsets of moved plans from their stored positions. */
export const usePlanShifts = (retime: Retime) => {
  const queries = useQueryClient();
  const [shifts, setShifts] = useState<ReadonlyMap<string, Shift>>(new Map());
  const draw = (planId: string, by: Shift) =>
    setShifts((now) => {
      const sum = added(now.get(planId), by);
      const next = new Map(now);
      if (sum.start === 0 && sum.end === 0) next.delete(planId);
      else next.set(planId, sum);
      return next;
    });
  const unsent = useRef(new Map<string, { shift: Shift; timer: ReturnType<typeof setTimeout> }>());
  /** @param soon false if more changes may follow at once, as with arrow keys */
  const shift = (planId: string, by: Shift, soon: boolean) => {
    const before = unsent.current.get(planId);
    clearTimeout(before?.timer);
    const sum = added(before?.shift, by);
    draw(planId, by);
    const send = () => {
      unsent.current.delete(planId);
      retime({
        planId,
        times: (plan) => shiftedTimes(plan, sum),
        // The data under the offset are fetched first.
        settled: () =>
          void queries
            .invalidateQueries({ queryKey: ['plans'] })
            .then(() => draw(planId, { start: -sum.start, end: -sum.end })),
      });
    };
    unsent.current.set(planId, { shift: sum, timer: setTimeout(send, soon ? 0 : NUDGES_END_MS) });
  };
  return { shifts, shift };
};
