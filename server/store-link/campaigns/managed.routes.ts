import { success } from '../../../shared/contract/fields.ts';
import {
  dropCampaign,
  fillSlot,
  listHeldRecords,
  listStoreCampaigns,
} from '../../../shared/contract/headquarters/managed.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { HeldService } from './managed.service.ts';

export const heldRoutes = (service: HeldService): Bound[] => [
  bind(listHeldRecords, ({ actor }) => service.records(actor)),
  bind(listStoreCampaigns, ({ actor }) => service.campaigns(actor)),
  bind(fillSlot, ({ actor, params, body }) => service.fill(actor, params.id, body.playlist_id)),
  bind(dropCampaign, ({ actor, params }) => {
    service.drop(actor, params.id);
    return success;
  }),
];
