import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { Schedule } from '../../../shared/contract/screens/schedules.ts';
import { useHidden } from '../../api/editing/useRemovals.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { schedulesQuery, weekQuery } from '../../api/plans.ts';
import { useSubjectNames } from '../../domain/content/useSubjectNames.ts';
import { type Occurring, occurrencesOf, piecesOf, serverWeeks, spanOf } from './calendar/calendar.utils.ts';
import { overruledIn } from './plan/overruled.utils.ts';

const NOBODY: readonly never[] = [];

/** Schedules that replace the fetched schedules: schedules that are being dragged, or are not saved yet. */
export type Overlay = ReadonlyMap<string, Schedule>;

/**
 * Returns the plans of one screen on some days, by the screen's clock.
 * @param first day number of the first column
 */
export const useScheduleData = (screen: Device, first: number, columns: number) => {
  const zone = screen.timezone;
  const weeks = useQueries({ queries: serverWeeks(first).map((date) => weekQuery(screen.id, date)) });
  const own = useQuery(schedulesQuery({ kind: 'screen', id: screen.id }));
  const layouts = useQuery(layoutsQuery).data ?? NOBODY;
  const weekly = weeks.map((week) => week.data);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers of the weeks, however many there are, one by one
  const fetched = useMemo((): Occurring[] => {
    const { from, to } = spanOf(first, columns, zone);
    const here = (o: Occurring) => o.end > from && o.start < to;
    const found = new Map<string, Occurring>();
    for (const instance of weekly.flatMap((week) => week ?? [])) {
      const {
        instance_start: _a,
        instance_end: _b,
        instance_start_epoch: start,
        instance_end_epoch: end,
        ...schedule
      } = instance;
      found.set(`${schedule.id} ${start}`, { schedule, start: start * 1000, end: end * 1000 });
    }
    const off = (own.data ?? []).filter((s) => s.enabled === 0);
    return [...[...found.values()].filter(here), ...off.flatMap((s) => occurrencesOf(s, from, to))];
  }, [own.data, first, columns, zone, ...weekly]);

  const updatedAt = Math.min(...weeks.map((week) => week.dataUpdatedAt), own.dataUpdatedAt);
  const names = useSubjectNames(fetched.map((o) => o.schedule));
  const failed = [...weeks, own].find((query) => query.isError && !query.data);

  return {
    zone,
    updatedAt,
    fetched,
    layouts,
    baseLayoutId: screen.layout_id,
    nameOf: (schedule: Schedule): string => schedule.title || names(schedule),
    isPending: own.isPending || weeks.some((week) => week.isPending),
    failed,
    retry: () => void Promise.all([...weeks, own].map((query) => query.refetch())),
  };
};
export type ScheduleData = ReturnType<typeof useScheduleData>;

/** Returns the plans to draw: fetched plans with moved plans replaced, and displaced plans marked. */
export const useDrawn = (
  { fetched, zone, layouts, baseLayoutId }: ScheduleData,
  overlay: Overlay,
  first: number,
  columns: number,
) => {
  const hidden = useHidden();
  const occurring = useMemo(() => {
    const { from, to } = spanOf(first, columns, zone);
    const moved = [...overlay.values()].flatMap((s) => occurrencesOf(s, from, to));
    return [...fetched.filter((o) => !overlay.has(o.schedule.id)), ...moved].filter(
      (o) => !hidden.has(`plan:${o.schedule.plan_id ?? o.schedule.id}`),
    );
  }, [fetched, overlay, hidden, first, columns, zone]);
  return useMemo(() => {
    const { from, to } = spanOf(first, columns, zone);
    const schedules = [...new Map(occurring.map((o) => [o.schedule.id, o.schedule])).values()];
    return {
      schedules,
      pieces: piecesOf(occurring, zone, first, columns),
      overruled: overruledIn({ schedules, layouts, baseLayoutId }, from, to),
      /**
       * Returns the pieces to draw during a drag. Does not compute again which plan wins, since this takes longer
       * than a frame.
       */
      preview: (dragged: Schedule) =>
        piecesOf(
          [...occurring.filter((o) => o.schedule.id !== dragged.id), ...occurrencesOf(dragged, from, to)],
          zone,
          first,
          columns,
        ),
    };
  }, [occurring, zone, first, columns, layouts, baseLayoutId]);
};
export type Drawn = ReturnType<typeof useDrawn>;
