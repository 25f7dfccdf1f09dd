import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schedule } from '../../../shared/contract/schedules.ts';
import { groupMembersQuery, groupsQuery } from '../../data/groups.ts';
import { layoutsQuery } from '../../data/layouts.ts';
import { useCanWrite } from '../../data/me.ts';
import { schedulesQuery, weekQuery } from '../../data/schedules.ts';
import { screensQuery } from '../../data/screens.ts';
import type { Target } from '../../data/targets.ts';
import { useHidden } from '../../data/useRemovals.ts';
import { useSubjectNames } from '../../parts/useSubjectNames.ts';
import { type Occurring, occurrencesOf, piecesOf, serverWeeks, spanOf } from './calendar.utils.ts';
import { overruledIn } from './overruled.utils.ts';

const NO_TARGET: Target = { kind: 'screen', id: '' };
const NOBODY: readonly never[] = [];

/** Screens and groups that can be planned for, by name. */
export const useTargets = () => {
  const screens = useQuery(screensQuery);
  const groups = useQuery(groupsQuery);
  return {
    screens: screens.data ?? NOBODY,
    groups: groups.data ?? NOBODY,
    isReady: screens.isSuccess && groups.isSuccess,
    query: screens.isError ? screens : groups,
  };
};
export type Targets = ReturnType<typeof useTargets>;

/**
 * The zone by which a target's week is read: the screen's, for a group that of its first screen, else this browser's.
 */
const useZone = (target: Target | undefined, targets: Targets): string => {
  const isGroup = target?.kind === 'group';
  const members = useQuery({ ...groupMembersQuery(target?.id ?? ''), enabled: isGroup }).data;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!isGroup) return targets.screens.find((s) => s.id === target?.id)?.timezone ?? own;
  return members?.[0]?.timezone ?? own;
};

/** Plans laid over what was fetched: what is being dragged, or was and is not yet stored. */
export type Overlay = ReadonlyMap<string, Schedule>;

/** @param first day number of the first column */
export const useScheduleData = (target: Target | undefined, first: number, columns: number) => {
  const canWrite = useCanWrite();
  const targets = useTargets();
  const zone = useZone(target, targets);
  const isScreen = target?.kind === 'screen';
  const weeks = useQueries({ queries: isScreen ? serverWeeks(first).map((date) => weekQuery(target.id, date)) : [] });
  const own = useQuery({ ...schedulesQuery(target ?? NO_TARGET), enabled: target !== undefined });
  const layouts = useQuery(layoutsQuery).data ?? NOBODY;
  const weekly = weeks.map((week) => week.data);
  const baseLayoutId = targets.screens.find((s) => s.id === target?.id)?.layout_id ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers of the weeks, however many there are, one by one
  const fetched = useMemo((): Occurring[] => {
    const { from, to } = spanOf(first, columns, zone);
    const here = (o: Occurring) => o.end > from && o.start < to;
    if (!isScreen) return (own.data ?? []).flatMap((s) => occurrencesOf(s, from, to));
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
  }, [isScreen, own.data, first, columns, zone, ...weekly]);

  const updatedAt = Math.min(...weeks.map((week) => week.dataUpdatedAt), own.dataUpdatedAt);
  const names = useSubjectNames(fetched.map((o) => o.schedule));
  const failed = [...weeks, own].find((query) => query.isError && !query.data);

  return {
    canWrite,
    targets,
    zone,
    updatedAt,
    fetched,
    layouts,
    baseLayoutId,
    nameOf: (schedule: Schedule): string => schedule.title || names(schedule),
    find: (id: string): Schedule | undefined =>
      fetched.find((o) => o.schedule.id === id)?.schedule ?? own.data?.find((s) => s.id === id),
    isPending: target !== undefined && (own.isPending || weeks.some((week) => week.isPending)),
    failed,
    retry: () => void Promise.all([...weeks, own].map((query) => query.refetch())),
  };
};
export type ScheduleData = ReturnType<typeof useScheduleData>;

/** What is drawn: what was fetched, with what was moved laid over it, and who gives way to whom. */
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
      (o) => !hidden.has(`schedule:${o.schedule.id}`),
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
       * While something is dragged, at each move of the pointer: without asking anew who wins, which takes longer than
       * a frame.
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
