/** Creates the campaigns of a headquarters, and the desired state that each store gets from them. */
import type { Zone } from '../../../shared/program/zones.ts';
import { CampaignLibraryStore } from '../../headquarters/campaigns/campaign-library.store.ts';
import { CampaignNeedsService } from '../../headquarters/campaigns/campaign-needs.service.ts';
import { campaignRoutes } from '../../headquarters/campaigns/campaigns.routes.ts';
import { CampaignsService } from '../../headquarters/campaigns/campaigns.service.ts';
import type { CampaignsStore } from '../../headquarters/campaigns/campaigns.store.ts';
import { LateStarts } from '../../headquarters/campaigns/late-starts.ts';
import { CampaignPreviews } from '../../headquarters/campaigns/previews.ts';
import type { StoreRegistry } from '../../headquarters/stores/store-registry.ts';
import { DesiredStatesStore } from '../../headquarters/transport/desired-states.store.ts';
import { DesiredStates } from '../../headquarters/transport/desired-states.ts';
import type { Downlink } from '../../headquarters/transport/downlink.ts';
import type { Kernel } from '../kernel.ts';

export const createCampaigns = (
  kernel: Kernel,
  deps: {
    readonly store: CampaignsStore;
    readonly registry: StoreRegistry;
    readonly downlink: Downlink;
    /** Time zone of headquarters. */
    readonly zone: () => Zone;
  },
) => {
  const { store, registry, downlink, zone } = deps;
  const desiredStatesStore = new DesiredStatesStore(kernel.db);
  const late = new LateStarts({ ...kernel, store, registry, zone });
  const desiredStates = new DesiredStates({ ...kernel, store: desiredStatesStore, registry, downlink, late });
  const campaigns = new CampaignsService({
    ...kernel,
    store,
    library: new CampaignLibraryStore(kernel.db),
    registry,
    zone,
    running: desiredStates,
    late,
  });
  const needs = new CampaignNeedsService({ store, registry, late });
  const previews = new CampaignPreviews({ ...kernel, campaigns, registry, downlink });
  return {
    routes: campaignRoutes(campaigns, needs, previews),
    desiredStates,
    /** Documents and files that the desired states name. */
    desiredStatesStore,
    needs,
    previews,
    late,
  };
};

export type CampaignParts = ReturnType<typeof createCampaigns>;
