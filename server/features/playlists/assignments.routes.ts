import { success } from '../../../shared/contract/fields.ts';
import {
  addAssignment,
  copyAssignments,
  listAssignments,
  removeAssignment,
  reorderAssignments,
  updateAssignment,
} from '../../../shared/contract/screens/assignments.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { AssignmentsService } from './assignments.service.ts';

export const assignmentRoutes = (service: AssignmentsService): Bound[] => [
  bind(listAssignments, ({ actor, params }) => service.list(actor, params.deviceId)),
  bind(addAssignment, ({ actor, params, body, ifMatch }) =>
    withTag(service.add(actor, params.deviceId, body, ifMatch)),
  ),
  bind(reorderAssignments, ({ actor, params, body, ifMatch }) =>
    withTag(service.reorder(actor, params.deviceId, body.order, ifMatch)),
  ),
  bind(copyAssignments, ({ actor, params, body, ifMatch }) => {
    const { record: copied, revision } = service.copy(
      actor,
      params.deviceId,
      params.targetDeviceId,
      { replace: body.replace ?? false },
      ifMatch,
    );
    return new Reply({ success: true as const, copied }, { etag: revision });
  }),
  bind(updateAssignment, ({ actor, params, body, ifMatch }) =>
    withTag(service.update(actor, params.id, body, ifMatch)),
  ),
  bind(removeAssignment, ({ actor, params, ifMatch }) => {
    const { record, revision } = service.remove(actor, params.id, ifMatch);
    return new Reply({ ...success, ...record }, { etag: revision });
  }),
];
