/** Creates the parts of a headquarters. Loaded only in the role `hq` (server/serve.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { STORE_LIVE } from '../../shared/chain/tunnel.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { zoneOf } from '../../shared/program/zones.ts';
import { CampaignsStore } from '../headquarters/campaigns/campaigns.store.ts';
import { remoteCommandRoutes } from '../headquarters/commands/remote-commands.routes.ts';
import { RemoteCommandsService } from '../headquarters/commands/remote-commands.service.ts';
import { RemoteCommandsStore } from '../headquarters/commands/remote-commands.store.ts';
import { ChainPlays } from '../headquarters/plays/chain-plays.ts';
import { ChainReportsService } from '../headquarters/plays/chain-reports.service.ts';
import { SegmentFiles } from '../headquarters/plays/segment-files.ts';
import { Writer } from '../headquarters/plays/segment-writer.ts';
import { storeRolloutRoutes } from '../headquarters/rollouts/rollouts.routes.ts';
import { StoreRolloutsService } from '../headquarters/rollouts/rollouts.service.ts';
import { StoreRolloutsStore } from '../headquarters/rollouts/rollouts.store.ts';
import { HqIncidents } from '../headquarters/stores/hq-incidents.ts';
import { StoreRegistry } from '../headquarters/stores/store-registry.ts';
import { StoreValuesService } from '../headquarters/stores/store-values.service.ts';
import { storeRoutes } from '../headquarters/stores/stores.routes.ts';
import { StoresService } from '../headquarters/stores/stores.service.ts';
import { StoresStore } from '../headquarters/stores/stores.store.ts';
import { Downlink } from '../headquarters/transport/downlink.ts';
import { Sessions } from '../headquarters/transport/sessions.ts';
import { storeTransferFileRoutes } from '../headquarters/transport/transfer-files.routes.ts';
import { TransferFilesService } from '../headquarters/transport/transfer-files.service.ts';
import type { SameOrigin } from '../http/hosts/same-origin.ts';
import type { Tickets } from '../http/tickets.ts';
import type { OutsideService } from '../kernel/outside-service.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { Actor } from '../kernel/trust/actor.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Shown } from '../tls/certificates.ts';
import { OutgoingTransferFiles } from '../transfer/outgoing.ts';
import { VERSION } from '../version.ts';
import type { AccountParts } from './accounts.ts';
import { createCampaigns } from './headquarters/campaigns.ts';
import { createStoreWindows } from './headquarters/store-windows.ts';
import { createTransport } from './headquarters/transport.ts';
import { openWarehouse } from './headquarters/warehouse.ts';
import type { Kernel } from './kernel.ts';
import type { ReportingParts } from './reporting.ts';
import type { UpdatesParts } from './updates.ts';

export const createHeadquarters = (
  kernel: Kernel,
  deps: {
    readonly server: () => { readonly name: string; readonly fingerprint: string };
    readonly reporting: Pick<ReportingParts, 'threads'>;
    /** Addresses `https://host:port` of this server, the likeliest first. */
    readonly addresses: () => readonly string[];
    readonly addressOf: (req: IncomingMessage) => string;
    /** Certificate of this server; undefined without HTTPS. */
    readonly shown: () => Shown | undefined;
    readonly accounts: Pick<AccountParts, 'actors'>;
    readonly media: Pick<MediaStore, 'pathOf' | 'requireRoom'>;
    readonly tickets: Tickets;
    readonly releases: UpdatesParts['releases'];
    readonly sameOrigin: SameOrigin;
    /** All endpoints of this version. */
    readonly endpoints: readonly Endpoint[];
  },
) => {
  const { db, config, identity } = kernel;
  const { server, addresses, addressOf, tickets, releases, media } = deps;
  const { fingerprint } = identity;
  const zone = () => zoneOf(serverZone());
  const store = new StoresStore(db);
  const { warehouse, postgres } = openWarehouse(kernel, deps.reporting);
  const segmentFiles = new SegmentFiles(join(config.data, 'chain'));
  const registry = new StoreRegistry({ ...kernel, store });
  db.onLost(() => registry.forget());
  const incidents = new HqIncidents({ ...kernel, store, registry });
  const campaignsStore = new CampaignsStore(db);
  const campaign = (workspaceId: string, id: string) => campaignsStore.name(workspaceId, id);
  const writer = new Writer({ ...kernel, warehouse, segmentFiles, incidents, zone, campaign });
  const sessions = new Sessions({ ...kernel, registry, fingerprint });
  const downlink = new Downlink({ ...kernel, registry });
  const orders = new RemoteCommandsService({ ...kernel, store: new RemoteCommandsStore(db), registry, downlink });
  const campaigns = createCampaigns(kernel, { store: campaignsStore, registry, downlink, zone });
  const rollouts = new StoreRolloutsService({
    ...kernel,
    store: new StoreRolloutsStore(db),
    registry,
    downlink,
    releases,
    version: VERSION,
  });
  const connected = { store, registry, sessions, writer, incidents, downlink };
  const transport = createTransport(kernel, { ...deps, ...connected, campaigns, rollouts });
  const { blobs, tunnels, handlers, nats } = transport;
  const stores = new StoresService({ ...kernel, store, registry, segmentFiles, writer, warehouse, server, addresses });
  const outgoing = new OutgoingTransferFiles(kernel.clock);
  const transferFiles = new TransferFilesService({
    ...kernel,
    store,
    registry,
    stores,
    incidents,
    handlers,
    writer,
    warehouse,
    desiredStates: campaigns.desiredStates,
    blobs,
    outgoing,
    folder: join(config.data, 'chain', 'sticks', 'back'),
    requireRoom: (bytes) => media.requireRoom(bytes),
  });
  const plays = new ChainPlays({ warehouse, segmentFiles, identity });
  const reports = new ChainReportsService({
    ...kernel,
    stores,
    store,
    plays,
    warehouse,
    zone,
    campaign,
    server,
  });
  const { windows, live } = createStoreWindows(kernel, {
    registry,
    downlink,
    tunnels,
    actors: deps.accounts.actors,
    endpoints: deps.endpoints,
    addressOf,
    sameOrigin: deps.sameOrigin,
  });
  /** Outside programs: PostgreSQL and the hub, if they are configured. */
  const services = (): OutsideService[] => [
    ...(postgres ? [{ name: 'postgres', failure: postgres.failure } as const] : []),
    ...(config.nats === undefined ? [] : [{ name: 'hub', failure: nats.failure() } as const]),
  ];
  return {
    services,
    routes: [
      ...storeRoutes(stores, new StoreValuesService({ ...kernel, store, registry, stores }), reports),
      ...storeTransferFileRoutes({ transferFiles, outgoing, tickets }),
      ...remoteCommandRoutes(orders),
      ...campaigns.routes,
      ...storeRolloutRoutes(rollouts),
    ],
    needs: (actor: Actor) => campaigns.needs.count(actor),
    /** Answers requests of stores over HTTPS. */
    endpoints: transport.endpoints,
    /** Forwards requests of a store's admin window that is open at headquarters. Returns false for other requests. */
    window: (req: IncomingMessage, res: ServerResponse) => windows.answer(req, res),
    upgrades: new Map([[STORE_LIVE, live.upgrade]]),
    parts: [...(postgres ? [postgres] : []), registry, campaigns.desiredStates, campaigns.late],
    /** Parts to stop together with the endpoints for stores. */
    after: [orders, campaigns.previews, rollouts, downlink, tunnels, live, nats.part],
  };
};

export type CreateHeadquarters = typeof createHeadquarters;
