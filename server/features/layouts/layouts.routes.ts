import {
  addZone,
  createLayout,
  deleteLayout,
  deleteZone,
  duplicateLayout,
  getLayout,
  listLayouts,
  setDeviceLayout,
  updateLayout,
  updateZone,
} from '../../../shared/contract/content/layouts.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { LayoutsService } from './layouts.service.ts';

export const layoutRoutes = (service: LayoutsService): Bound[] => [
  bind(listLayouts, ({ actor, query }) =>
    service.list(actor, { templatesOnly: query.templates === 'true', owner: query.owner }),
  ),
  bind(createLayout, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(getLayout, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateLayout, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteLayout, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(addZone, ({ actor, params, body, ifMatch }) => withTag(service.addZone(actor, params.id, body, ifMatch))),
  bind(updateZone, ({ actor, params, body, ifMatch }) =>
    withTag(service.updateZone(actor, params.id, params.zoneId, body, ifMatch)),
  ),
  bind(
    deleteZone,
    ({ actor, params, ifMatch }) =>
      new Reply(success, { etag: service.deleteZone(actor, params.id, params.zoneId, ifMatch) }),
  ),
  bind(duplicateLayout, ({ actor, params, body }) => withTag(service.duplicate(actor, params.id, body))),
  bind(
    setDeviceLayout,
    ({ actor, params, body, ifMatch }) =>
      new Reply(success, { etag: service.setDeviceLayout(actor, params.deviceId, body.layout_id, ifMatch) }),
  ),
];
