import { success } from '../../../shared/contract/fields.ts';
import { createView, deleteView, listViews, updateView } from '../../../shared/contract/screens/views.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { ViewsService } from './views.service.ts';

export const viewRoutes = (service: ViewsService): Bound[] => [
  bind(listViews, ({ actor }) => service.list(actor)),
  bind(createView, ({ actor, body }) => service.create(actor, body)),
  bind(updateView, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bind(deleteView, ({ actor, params }) => {
    service.delete(actor, params.id);
    return success;
  }),
];
