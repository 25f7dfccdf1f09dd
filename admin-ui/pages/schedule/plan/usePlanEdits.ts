import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../../shared/contract/errors.ts';
import {
  createPlan,
  deletePlan,
  type NewPlan,
  type Plan,
  type PlanChange,
  updatePlan,
} from '../../../../shared/contract/screens/plans.ts';
import { ownEdits } from '../../../api/editing/ownEdits.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { removals } from '../../../api/editing/useRemovals.ts';
import { planQuery } from '../../../api/plans.ts';
import { client } from '../../../api/requests/client.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { toast } from '../../../components/controls/toasts.ts';
import { useMovedSchedules } from './useMovedSchedules.ts';
import { usePlanShifts } from './usePlanShifts.ts';
import { PLAN_TOPICS, usePlanName, useRetime } from './useRetime.ts';

/** Edits of plans. A moved plan stays at its new position while the server stores it. */
export const usePlanEdits = (updatedAt: number) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const nameOf = usePlanName();
  /** The new plan. The calendar scrolls to it and marks it. */
  const [fresh, setFresh] = useState<Plan>();
  const retime = useRetime();
  const { shifts, shift } = usePlanShifts(retime);
  const { move, nudge, overlay } = useMovedSchedules(retime, updatedAt);

  const create = useEdit<{ body: NewPlan; done: () => void }, Plan>({
    topics: PLAN_TOPICS,
    run: ({ body }) => client.call(createPlan, { body }),
    said: (plan) => (plan.title ? t('schedule.created', { name: plan.title }) : t('schedule.createdPlain')),
    done: (plan, { done }) => {
      done();
      setFresh(plan);
    },
  });

  const change = useEdit<{ id: string; body: PlanChange; ifMatch: string | undefined; done: () => void }, Plan>({
    topics: PLAN_TOPICS,
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
      const end = ownEdits.begin(PLAN_TOPICS);
      try {
        await client.call(deletePlan, { params: { id: plan.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await Promise.all(PLAN_TOPICS.map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
      }
    });
    void nameOf(plan).then((name) =>
      toast(
        { tone: 'done', text: t('common.deleted', { name }), action: { label: t('common.undo'), run: undo } },
        { onClose: commit },
      ),
    );
  };

  return { fresh, shifts, shift, move, nudge, create, change, remove, overlay };
};
