import { success } from '../../../shared/contract/fields.ts';
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  getDryRun,
  listCampaignNeeds,
  listCampaignStores,
  listCampaigns,
  listCampaignValues,
  listEditions,
  refuseCampaign,
  rollBack,
  startCampaign,
  startDryRun,
  stopCampaign,
  updateCampaign,
} from '../../../shared/contract/headquarters/campaigns.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { CampaignNeedsService } from './campaign-needs.service.ts';
import type { CampaignsService } from './campaigns.service.ts';
import type { CampaignPreviews } from './previews.ts';

export const campaignRoutes = (
  campaigns: CampaignsService,
  needs: CampaignNeedsService,
  previews: CampaignPreviews,
): Bound[] => [
  bind(listCampaigns, async ({ actor, query }) => listed(await campaigns.list(actor, query))),
  bind(listCampaignNeeds, async ({ actor, query }) => listed(await needs.list(actor, query))),
  bind(createCampaign, ({ actor, body }) => withTag(campaigns.create(actor, body))),
  bind(getCampaign, ({ actor, params }) => withTag(campaigns.get(actor, params.id))),
  bind(updateCampaign, ({ actor, params, body, ifMatch }) =>
    withTag(campaigns.update(actor, params.id, body, ifMatch)),
  ),
  bind(startCampaign, ({ actor, params, body, ifMatch }) => withTag(campaigns.start(actor, params.id, ifMatch, body))),
  bind(refuseCampaign, ({ actor, params, body, ifMatch }) =>
    withTag(campaigns.refuse(actor, params.id, body.answer, ifMatch)),
  ),
  bind(listEditions, ({ actor, params, query }) => listed(campaigns.editions(actor, params.id, query))),
  bind(rollBack, ({ actor, params, body, ifMatch }) =>
    withTag(campaigns.rollBack(actor, params.id, body.edition, ifMatch)),
  ),
  bind(listCampaignStores, ({ actor, params, query }) => listed(campaigns.stores(actor, params.id, query))),
  bind(listCampaignValues, ({ actor, params }) => campaigns.values(actor, params.id)),
  bind(startDryRun, ({ actor, params }) => previews.begin(actor, params.id)),
  bind(getDryRun, ({ actor, params }) => previews.get(actor, params.id)),
  bind(stopCampaign, ({ actor, params, ifMatch }) => withTag(campaigns.stop(actor, params.id, ifMatch))),
  bind(deleteCampaign, ({ actor, params, ifMatch }) => {
    campaigns.delete(actor, params.id, ifMatch);
    return success;
  }),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });
