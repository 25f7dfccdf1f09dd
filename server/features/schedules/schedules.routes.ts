import { success } from '../../../shared/contract/fields.ts';
import {
  createSchedule,
  deleteSchedule,
  listDeviceSchedules,
  listSchedules,
  updateSchedule,
  weekOfSchedules,
} from '../../../shared/contract/screens/schedules.ts';
import { type Bound, bind, withTag } from '../../http/api.ts';
import type { SchedulesService } from './schedules.service.ts';

export const scheduleRoutes = (service: SchedulesService): Bound[] => [
  bind(listSchedules, ({ actor, query }) => service.list(actor, query)),
  bind(createSchedule, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(listDeviceSchedules, ({ actor, params }) => service.ofDevice(actor, params.deviceId)),
  bind(weekOfSchedules, ({ actor, query }) => service.week(actor, query.device_id, query.date)),
  bind(updateSchedule, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteSchedule, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
];
