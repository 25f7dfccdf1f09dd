import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../../shared/contract/errors.ts';
import {
  createPlan,
  deletePlan,
  getPlan,
  type NewPlan,
  type Plan,
  type PlanChange,
  updatePlan,
} from '../../../../shared/contract/screens/plans.ts';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { dayOf, parseLocal } from '../../../../shared/program/civil.ts';
import type { Topic } from '../../../../shared/protocol/live.ts';
import { ownEdits } from '../../../api/editing/ownEdits.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { removals } from '../../../api/editing/useRemovals.ts';
import { planQuery } from '../../../api/plans.ts';
import { client } from '../../../api/requests/client.ts';
import { hitQuery } from '../../../api/requests/search.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { toast } from '../../../components/controls/toasts.ts';
import { writeDay, writeTime } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { canChangeDay, isMoved, movedBy, stretchedBy, type Times } from '../calendar/calendar.utils.ts';
import { added, DAY_MIN, type Shift } from '../calendar/rows.utils.ts';
import type { Overlay } from '../useScheduleData.ts';

/** Milliseconds. Repeated arrow keys within this time are one change with one undo. */
const NUDGES_END_MS = 700;

const TOPICS: readonly Topic[] = ['plans', 'schedules'];

const timesIn = ({ start_time, end_time, recurrence }: Times): Times => ({ start_time, end_time, recurrence });

/** The new times of a moved or resized plan; null if this would need another rule. */
const shiftedTimes = (plan: Plan, { start, end }: Shift): Times | null => {
  const days = Math.trunc(start / DAY_MIN);
  if (days !== 0 && !canChangeDay(plan)) return null;
  return stretchedBy(movedBy(plan, { days, minutes: start - days * DAY_MIN }), 'end', end - start);
};

type Retimed = {
  readonly planId: string;
  /** Computes the times from the server's present version; null changes nothing. */
  readonly times: (plan: Plan) => Times | null;
  readonly undoing?: boolean;
  /** Called when it is stored, or with the error when it is refused. */
  readonly settled?: (failure?: Error) => void;
};

/** Edits of plans. A moved plan stays at its new position while the server stores it. */
export const usePlanEdits = (updatedAt: number) => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const queries = useQueryClient();
  const tell = useProblem();
  /** The new plan. The calendar scrolls to it and marks it. */
  const [fresh, setFresh] = useState<Plan>();

  const when = ({ start_time, end_time }: Times): string => {
    const start = parseLocal(start_time);
    return `${writeDay(locale, dayOf(start), { weekday: 'short', day: 'numeric', month: 'short' })}, ${writeTime(locale, start)} – ${writeTime(locale, parseLocal(end_time))}`;
  };
  /** The plan's own name, or that of its content. */
  const nameOf = async ({ id, title }: Pick<Plan, 'id' | 'title'>): Promise<string> =>
    title || (await queries.fetchQuery(hitQuery('plan', id)).catch(() => null))?.name || t('schedule.untitled');

  const retime = useEdit<Retimed, { before: Plan; after: Plan | null; name?: string }>({
    topics: TOPICS,
    oneAtATime: 'plans-retimed',
    run: async ({ planId, times }) => {
      const { data: before, etag } = await client.request(getPlan, { params: { id: planId } });
      const next = times(before);
      if (next === null || !isMoved(before, next)) return { before, after: null };
      const after = await client.call(updatePlan, { params: { id: planId }, body: next, ifMatch: etag });
      return { before, after, name: await nameOf(after) };
    },
    done: ({ before, after, name }, { planId, times, undoing, settled }) => {
      settled?.();
      if (!after) {
        if (times(before) === null) toast({ tone: 'note', text: t('schedule.staysOnDays') });
        return;
      }
      if (undoing) return void toast({ tone: 'done', text: t('schedule.undone') });
      const back = timesIn(before);
      const details = [
        after.recurrence !== null && t('schedule.movedSeries'),
        after.screens > 1 && t('schedule.movedScreens', { count: after.screens }),
      ].filter((detail) => detail !== false);
      toast({
        tone: 'done',
        text: t('schedule.moved', { name, when: when(after) }),
        detail: details.length > 0 ? details.join(' ') : undefined,
        action: {
          label: t('common.undo'),
          run: () => retime.mutate({ planId, times: () => back, undoing: true }),
        },
      });
    },
    failed: (error, { settled }) => {
      settled?.(error);
      return false;
    },
  });

  // In the rows: offsets of moved plans from their stored positions.
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
      retime.mutate({
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

  // In one screen's week: the schedule at its new position.
  const [moved, setMoved] = useState<ReadonlyMap<string, { schedule: Schedule; settledAt: number | null }>>(new Map());
  const put = (schedule: Schedule) => {
    const there = { schedule, settledAt: null };
    setMoved((now) => new Map(now).set(schedule.id, there));
    return there;
  };
  const move = (before: Schedule, times: Times) => {
    const there = put({ ...before, ...times });
    retime.mutate({
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

  const create = useEdit<{ body: NewPlan; done: () => void }, Plan>({
    topics: TOPICS,
    run: ({ body }) => client.call(createPlan, { body }),
    said: (plan) => (plan.title ? t('schedule.created', { name: plan.title }) : t('schedule.createdPlain')),
    done: (plan, { done }) => {
      done();
      setFresh(plan);
    },
  });

  const change = useEdit<{ id: string; body: PlanChange; ifMatch: string | undefined; done: () => void }, Plan>({
    topics: TOPICS,
    run: ({ id, body, ifMatch }) => client.call(updatePlan, { params: { id }, body, ifMatch }),
    said: () => t('schedule.saved'),
    done: (_, { done }) => done(),
    failed: (error, { id }) => {
      if (!(error instanceof ApiError) || error.status !== 412) return false;
      // Fetches the new version, so that the form shows the conflict.
      void queries.invalidateQueries({ queryKey: planQuery(id).queryKey });
      return true;
    },
  });

  const remove = (plan: Plan) => {
    const { commit, undo } = removals.begin(`plan:${plan.id}`, async () => {
      const end = ownEdits.begin(TOPICS);
      try {
        await client.call(deletePlan, { params: { id: plan.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await Promise.all(TOPICS.map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
      }
    });
    void nameOf(plan).then((name) =>
      toast(
        { tone: 'done', text: t('common.deleted', { name }), action: { label: t('common.undo'), run: undo } },
        { onClose: commit },
      ),
    );
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
  return { fresh, shifts, shift, move, nudge, create, change, remove, overlay };
};
