import { success } from '../../../shared/contract/fields.ts';
import {
  dropCampaign,
  fillSlot,
  listManagedRecords,
  listStoreCampaigns,
} from '../../../shared/contract/headquarters/managed.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { ManagedService } from './managed.service.ts';

export const managedRoutes = (service: ManagedService): Bound[] => [
  bind(listManagedRecords, ({ actor }) => service.records(actor)),
  bind(listStoreCampaigns, ({ actor }) => service.campaigns(actor)),
  bind(fillSlot, ({ actor, params, body }) => service.fill(actor, params.id, body.playlist_id)),
  bind(dropCampaign, ({ actor, params }) => {
    service.drop(actor, params.id);
    return success;
  }),
];
