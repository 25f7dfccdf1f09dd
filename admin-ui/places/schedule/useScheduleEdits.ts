import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createSchedule,
  deleteSchedule,
  type NewSchedule,
  type Schedule,
  updateSchedule,
} from '../../../shared/contract/schedules.ts';
import { dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { ownEdits } from '../../data/ownEdits.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useProblem } from '../../data/useProblem.ts';
import { removals } from '../../data/useRemovals.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import type { Times } from './calendar.utils.ts';
import type { Overlay } from './useScheduleData.ts';

type Moved = { readonly before: Schedule; readonly times: Times; readonly name: string; readonly undoing?: boolean };

const NUDGES_END_MS = 700;

/** Changes of the plan. What was moved stays where it was put while the server takes note. */
export const useScheduleEdits = (updatedAt: number) => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const queries = useQueryClient();
  const tell = useProblem();
  const [moved, setMoved] = useState<ReadonlyMap<string, { schedule: Schedule; settledAt: number | null }>>(new Map());
  const put = (schedule: Schedule, settledAt: number | null) =>
    setMoved((now) => new Map(now).set(schedule.id, { schedule, settledAt }));
  const drop = (id: string) => setMoved((now) => new Map([...now].filter(([key]) => key !== id)));

  const when = ({ start_time, end_time }: Times): string => {
    const start = parseLocal(start_time);
    return `${writeDay(locale, dayOf(start), { weekday: 'short', day: 'numeric', month: 'short' })}, ${writeTime(locale, start)} – ${writeTime(locale, parseLocal(end_time))}`;
  };

  const send = useEdit<Moved, Schedule>({
    topics: ['schedules'],
    run: ({ before, times }) => client.call(updateSchedule, { params: { id: before.id }, body: times }),
    done: (schedule, { before, times, name, undoing }) => {
      put(schedule, Date.now());
      if (undoing) return void toast({ tone: 'done', text: t('schedule.undone') });
      const back: Times = { start_time: before.start_time, end_time: before.end_time, recurrence: before.recurrence };
      const undo = () => move({ before: schedule, times: back, name, undoing: true });
      toast({
        tone: 'done',
        text: t('schedule.moved', { name, when: when(times) }),
        detail: before.recurrence === null ? undefined : t('schedule.movedSeries'),
        action: { label: t('common.undo'), run: undo },
      });
    },
    failed: (_, { before }) => {
      drop(before.id);
      return false;
    },
  });
  const move = (change: Moved) => {
    put({ ...change.before, ...change.times }, null);
    send.mutate(change);
  };

  /** Arrow keys come in bursts: one change, and one way back, for all of them. */
  const nudging = useRef(new Map<string, { before: Schedule; timer: ReturnType<typeof setTimeout> }>());
  const nudge = (schedule: Schedule, times: Times, name: string) => {
    const running = nudging.current.get(schedule.id);
    clearTimeout(running?.timer);
    const before = running?.before ?? schedule;
    put({ ...schedule, ...times }, null);
    const timer = setTimeout(() => {
      nudging.current.delete(schedule.id);
      move({ before, times, name });
    }, NUDGES_END_MS);
    nudging.current.set(schedule.id, { before, timer });
  };

  const save = useEdit<{ id: string | null; body: NewSchedule; name: string; done: () => void }, Schedule>({
    topics: ['schedules'],
    run: ({ id, body }) =>
      id === null ? client.call(createSchedule, { body }) : client.call(updateSchedule, { params: { id }, body }),
    done: (_, { id, name, done }) => {
      if (id !== null) drop(id);
      toast({ tone: 'done', text: id === null ? t('schedule.created', { name }) : t('schedule.saved') });
      done();
    },
  });

  const remove = (schedule: Schedule, name: string) => {
    const { commit, undo } = removals.begin(`schedule:${schedule.id}`, async () => {
      const end = ownEdits.begin(['schedules']);
      try {
        await client.call(deleteSchedule, { params: { id: schedule.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await queries.invalidateQueries({ queryKey: ['schedules'] });
      }
    });
    toast(
      { tone: 'done', text: t('common.deleted', { name }), action: { label: t('common.undo'), run: undo } },
      { onClose: commit },
    );
  };

  /** Until a fetch that is younger than the answer says the same. */
  const overlay: Overlay = useMemo(
    () =>
      new Map(
        [...moved].flatMap(([id, { schedule, settledAt }]) =>
          settledAt === null || updatedAt <= settledAt ? [[id, schedule] as const] : [],
        ),
      ),
    [moved, updatedAt],
  );
  return { move, nudge, save, remove, overlay };
};
export type ScheduleEdits = ReturnType<typeof useScheduleEdits>;
