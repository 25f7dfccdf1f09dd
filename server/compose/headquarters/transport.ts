/** Creates the connections between headquarters and its stores: HTTPS, the NATS hub, tunnels and files. */
import type { IncomingMessage } from 'node:http';
import type { Writer } from '../../headquarters/plays/segment-writer.ts';
import type { StoreRolloutsService } from '../../headquarters/rollouts/rollouts.service.ts';
import type { HqIncidents } from '../../headquarters/stores/hq-incidents.ts';
import type { StoreRegistry } from '../../headquarters/stores/store-registry.ts';
import type { StoresStore } from '../../headquarters/stores/stores.store.ts';
import type { Downlink } from '../../headquarters/transport/downlink.ts';
import { FileEndpoints } from '../../headquarters/transport/file-endpoints.ts';
import type { NatsHub } from '../../headquarters/transport/nats-hub.ts';
import { RequestHandlers } from '../../headquarters/transport/request-handlers.ts';
import { RequestPipeline } from '../../headquarters/transport/request-pipeline.ts';
import type { Sessions } from '../../headquarters/transport/sessions.ts';
import { createStoreEndpoints } from '../../headquarters/transport/store-endpoints.ts';
import { Tunnels } from '../../headquarters/transport/tunnels.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { Shown } from '../../tls/certificates.ts';
import type { Kernel } from '../kernel.ts';
import type { UpdatesParts } from '../updates.ts';
import type { CampaignParts } from './campaigns.ts';

export const createTransport = (
  kernel: Kernel,
  deps: {
    readonly store: StoresStore;
    readonly registry: StoreRegistry;
    readonly sessions: Sessions;
    readonly writer: Writer;
    readonly incidents: HqIncidents;
    readonly downlink: Downlink;
    readonly campaigns: Pick<CampaignParts, 'desiredStates' | 'desiredStatesStore'>;
    readonly rollouts: StoreRolloutsService;
    readonly media: Pick<MediaStore, 'pathOf'>;
    readonly releases: UpdatesParts['releases'];
    readonly server: () => { readonly name: string; readonly fingerprint: string };
    /** Certificate of this server; undefined without HTTPS. */
    readonly shown: () => Shown | undefined;
    readonly addressOf: (req: IncomingMessage) => string;
  },
) => {
  const { store, registry, sessions, downlink } = deps;
  const { desiredStates } = deps.campaigns;
  const blobs = createFileEndpoints(deps);
  const tunnels = new Tunnels({ downlink, sessions });
  registry.onGone((id) => {
    downlink.drop({ id });
    tunnels.close({ id });
    blobs.drop(id);
  });
  const handlers = new RequestHandlers({
    ...kernel,
    sealing: kernel.identity.sealing,
    store,
    registry,
    sessions,
    writer: deps.writer,
    incidents: deps.incidents,
    downlink,
    desiredStates,
    server: deps.server,
    offer: (whose) => nats.hub()?.offer(whose),
  });
  const pipeline = new RequestPipeline({ ...kernel, handlers });
  const nats = createNats(kernel, { store, registry, downlink, pipeline, shown: deps.shown });
  return {
    blobs,
    tunnels,
    handlers,
    nats,
    /** Answers requests of stores over HTTPS. */
    endpoints: createStoreEndpoints({ sessions, pipeline, downlink, tunnels, blobs, addressOf: deps.addressOf }),
  };
};

/** Files for stores: those of campaigns, and those of the release that a store installs. */
const createFileEndpoints = ({
  campaigns: { desiredStatesStore, desiredStates },
  rollouts,
  media,
  releases,
}: {
  readonly campaigns: Pick<CampaignParts, 'desiredStates' | 'desiredStatesStore'>;
  readonly rollouts: StoreRolloutsService;
  readonly media: Pick<MediaStore, 'pathOf'>;
  readonly releases: UpdatesParts['releases'];
}): FileEndpoints => {
  const fileOfCampaigns = (sha256: string) => desiredStatesStore.file(sha256);
  return new FileEndpoints({
    store: {
      document: (sha256) => desiredStatesStore.document(sha256),
      file: (sha256) => fileOfCampaigns(sha256) ?? rollouts.fileOf(sha256),
    },
    desiredStates: {
      needs: (one, sha256) => desiredStates.needs(one, sha256) || rollouts.releaseFilesOf(one).has(sha256),
    },
    media: { pathOf: (sha256) => (fileOfCampaigns(sha256) ? media : releases).pathOf(sha256) },
  });
};

/** The connection to the NATS hub. The hub code is loaded only if a hub is configured. */
const createNats = (
  kernel: Kernel,
  {
    store,
    ...deps
  }: {
    readonly store: StoresStore;
    readonly registry: StoreRegistry;
    readonly downlink: Downlink;
    readonly pipeline: RequestPipeline;
    readonly shown: () => Shown | undefined;
  },
) => {
  const { config } = kernel;
  let hub: NatsHub | undefined;
  let loading: Promise<void> | undefined;
  const part: Lifecycle = {
    name: 'nats',
    start: () => {
      if (config.nats === undefined) return;
      // The hub code is loaded in the background. Meanwhile stores use HTTPS.
      loading = import('../../headquarters/transport/nats-hub.ts')
        .then(({ NatsHub }) => {
          hub = new NatsHub({
            ...kernel,
            ...deps,
            server: config.nats!,
            data: config.data,
            revoked: () => store.revokedKeys(seconds(kernel.clock)),
          });
          hub.start();
        })
        .catch((error: unknown) => kernel.log.error('NATS is not used; stores come by HTTPS', { error }));
    },
    stop: async () => {
      await loading;
      await hub?.stop();
    },
  };
  return {
    part,
    /** Returns the hub; undefined while its code is not loaded. */
    hub: () => hub,
    /** Returns why the hub is not used; undefined when the hub is in use. */
    failure: () => (hub ? hub.failure : NO_HUB),
  };
};

const NO_HUB = 'The hub (nats-server) is not used yet. Stores use HTTPS meanwhile. See the log for the cause.';
