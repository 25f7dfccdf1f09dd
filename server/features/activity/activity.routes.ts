import { listActivity } from '../../../shared/contract/server/activity.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { ActivityService } from './activity.service.ts';

export const activityRoutes = (service: ActivityService): Bound[] => [
  bind(listActivity, ({ actor, query }) => {
    const { entries, total } = service.list(actor, query);
    return new Reply(entries, { total });
  }),
];
