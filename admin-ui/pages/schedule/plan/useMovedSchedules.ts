import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../../shared/contract/errors.ts';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { isMoved, type Times } from '../calendar/calendar.utils.ts';
import type { Overlay } from '../useScheduleData.ts';
import { NUDGES_END_MS, type Retime } from './useRetime.ts';

/**
 * Moves schedules in one screen's week. `overlay` has the schedules at their new positions.
 *
 * @param updatedAt when the schedules were fetched, in epoch milliseconds
 */
export const useMovedSchedules = (retime: Retime, updatedAt: number) => {
  const { t } = useTranslation();
  const [moved, setMoved] = useState<ReadonlyMap<string, { schedule: Schedule; settledAt: number | null }>>(new Map());
  const put = (schedule: Schedule) => {
    const there = { schedule, settledAt: null };
    setMoved((now) => new Map(now).set(schedule.id, there));
    return there;
  };
  const move = (before: Schedule, times: Times) => {
    const there = put({ ...before, ...times });
    retime({
      planId: before.plan_id ?? before.id,
      times: (plan) => {
        // The plan was dragged from its visible position. If another user has moved it meanwhile, nobody has seen that
        // position.
        if (isMoved(plan, before)) throw new ApiError(412, t('problem.changedByOther'));
        return times;
      },
      settled: (failure) =>
        setMoved((now) => {
          // The plan was moved again meanwhile, so the later move decides its position.
          if (now.get(before.id) !== there) return now;
          const next = new Map(now);
          if (failure) next.delete(before.id);
          else next.set(before.id, { ...there, settledAt: Date.now() });
          return next;
        }),
    });
  };
  const nudging = useRef(new Map<string, { before: Schedule; timer: ReturnType<typeof setTimeout> }>());
  const nudge = (schedule: Schedule, times: Times) => {
    const running = nudging.current.get(schedule.id);
    clearTimeout(running?.timer);
    const before = running?.before ?? schedule;
    put({ ...schedule, ...times });
    const timer = setTimeout(() => {
      nudging.current.delete(schedule.id);
      move(before, times);
    }, NUDGES_END_MS);
    nudging.current.set(schedule.id, { before, timer });
  };

  /** Until a fetch that is newer than the answer confirms it. */
  const overlay: Overlay = useMemo(
    () =>
      new Map(
        [...moved].flatMap(([id, { schedule, settledAt }]) =>
          settledAt === null || updatedAt <= settledAt ? [[id, schedule] as const] : [],
        ),
      ),
    [moved, updatedAt],
  );
  return { move, nudge, overlay };
};
