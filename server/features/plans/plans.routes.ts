import { success } from '../../../shared/contract/fields.ts';
import {
  createPlan,
  deletePlan,
  duplicatePlan,
  getPlan,
  listPlans,
  planCalendar,
  planCalendarGroups,
  planCalendarLine,
  previewPlan,
  updatePlan,
} from '../../../shared/contract/screens/plans.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { PlanPreviews } from './plan-previews.service.ts';
import type { PlansService } from './plans.service.ts';

export const planRoutes = (service: PlansService, previews: PlanPreviews): Bound[] => [
  bind(previewPlan, ({ actor, body }) => previews.preview(actor, body)),
  bind(planCalendar, async ({ actor, query }) => {
    const { rows, total } = await previews.calendar(actor, query);
    return new Reply(rows, { total });
  }),
  bind(planCalendarGroups, ({ actor, query }) => {
    const { groups, total } = previews.groups(actor, query);
    return new Reply(groups, { total });
  }),
  bind(planCalendarLine, ({ actor, query }) => previews.line(actor, query)),
  bind(listPlans, async ({ actor, query }) => {
    const { plans, total } = await service.list(actor, query);
    return new Reply(plans, { total });
  }),
  bind(createPlan, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(getPlan, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(duplicatePlan, ({ actor, params, body }) => withTag(service.duplicate(actor, params.id, body))),
  bind(updatePlan, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deletePlan, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
];
