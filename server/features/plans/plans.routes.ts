import { success } from '../../../shared/contract/fields.ts';
import { createPlan, deletePlan, getPlan, listPlans, updatePlan } from '../../../shared/contract/plans.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { PlansService } from './plans.service.ts';

export const planRoutes = (service: PlansService): Bound[] => [
  bind(listPlans, async ({ actor, query }) => {
    const { plans, total } = await service.list(actor, query);
    return new Reply(plans, { total });
  }),
  bind(createPlan, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(getPlan, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updatePlan, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deletePlan, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
];
