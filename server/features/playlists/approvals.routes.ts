import {
  approvePublishRequest,
  listPublishRequests,
  refusePublishRequest,
  requestPublish,
  withdrawPublishRequest,
} from '../../../shared/contract/people/approvals.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { ApprovalsService } from './approvals.service.ts';

export const approvalRoutes = (service: ApprovalsService): Bound[] => [
  bind(requestPublish, ({ actor, params, body, ifMatch }) =>
    service.requestApproval(actor, params.id, body.note, ifMatch),
  ),
  bind(listPublishRequests, ({ actor, query }) => {
    const { records, total } = service.list(actor, query);
    return new Reply(records, { total });
  }),
  bind(withdrawPublishRequest, ({ actor, params }) => service.withdraw(actor, params.id)),
  bind(approvePublishRequest, ({ actor, params, body }) => service.approve(actor, params.id, body.answer)),
  bind(refusePublishRequest, ({ actor, params, body }) => service.refuse(actor, params.id, body.answer)),
];
