import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getPlan, type Plan, updatePlan } from '../../../../shared/contract/screens/plans.ts';
import { dayOf, parseLocal } from '../../../../shared/program/civil.ts';
import type { Topic } from '../../../../shared/protocol/live.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { hitQuery } from '../../../api/requests/search.ts';
import { toast } from '../../../components/controls/toasts.ts';
import { writeDay, writeTime } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { isMoved, type Times } from '../calendar/calendar.utils.ts';

/** Milliseconds. Repeated arrow keys within this time are one change with one undo. */
export const NUDGES_END_MS = 700;

/** Topics whose announcements are echoes of an edit of plans. */
export const PLAN_TOPICS: readonly Topic[] = ['plans', 'schedules'];

const timesIn = ({ start_time, end_time, recurrence }: Times): Times => ({ start_time, end_time, recurrence });

type Retimed = {
  readonly planId: string;
  /** Computes the times from the server's present version; null changes nothing. */
  readonly times: (plan: Plan) => Times | null;
  readonly undoing?: boolean;
  /** Called when it is stored, or with the error when it is refused. */
  readonly settled?: (failure?: Error) => void;
};

export type Retime = (retimed: Retimed) => void;

/** Returns a function that returns the plan's own name, or that of its content. */
export const usePlanName = () => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return async ({ id, title }: Pick<Plan, 'id' | 'title'>): Promise<string> =>
    title || (await queries.fetchQuery(hitQuery('plan', id)).catch(() => null))?.name || t('schedule.untitled');
};

/** Returns a function that stores new times of a plan, one plan after another, and offers undo. */
export const useRetime = (): Retime => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const nameOf = usePlanName();

  const when = ({ start_time, end_time }: Times): string => {
    const start = parseLocal(start_time);
    return `${writeDay(locale, dayOf(start), { weekday: 'short', day: 'numeric', month: 'short' })}, ${writeTime(locale, start)} – ${writeTime(locale, parseLocal(end_time))}`;
  };
  const retime = useEdit<Retimed, { before: Plan; after: Plan | null; name?: string }>({
    topics: PLAN_TOPICS,
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
  return retime.mutate;
};
