/** Creates the parts of a headquarters. Loaded only in the role `hq` (server/serve.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { STORE_LIVE } from '../../shared/chain/tunnel.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { zoneOf } from '../../shared/program/zones.ts';
import { ConfigError } from '../config.ts';
import { CampaignLibraryStore } from '../headquarters/campaigns/campaign-library.store.ts';
import { CampaignNeedsService } from '../headquarters/campaigns/campaign-needs.service.ts';
import { campaignRoutes } from '../headquarters/campaigns/campaigns.routes.ts';
import { CampaignsService } from '../headquarters/campaigns/campaigns.service.ts';
import { CampaignsStore } from '../headquarters/campaigns/campaigns.store.ts';
import { LateStarts } from '../headquarters/campaigns/late-starts.ts';
import { CampaignPreviews } from '../headquarters/campaigns/previews.ts';
import { remoteCommandRoutes } from '../headquarters/commands/remote-commands.routes.ts';
import { RemoteCommandsService } from '../headquarters/commands/remote-commands.service.ts';
import { RemoteCommandsStore } from '../headquarters/commands/remote-commands.store.ts';
import { ChainPlays } from '../headquarters/plays/chain-plays.ts';
import { ChainReportsService } from '../headquarters/plays/chain-reports.service.ts';
import { PgConnection } from '../headquarters/plays/pg-connection.ts';
import { type About, Unfit } from '../headquarters/plays/pg-schema.ts';
import { PgWarehouse } from '../headquarters/plays/pg-warehouse.ts';
import { SegmentFiles } from '../headquarters/plays/segment-files.ts';
import { Writer } from '../headquarters/plays/segment-writer.ts';
import { SqliteWarehouse } from '../headquarters/plays/sqlite-warehouse.ts';
import { WarehouseStore } from '../headquarters/plays/warehouse.store.ts';
import type { Warehouse } from '../headquarters/plays/warehouse.ts';
import { WarehouseHomeStore } from '../headquarters/plays/warehouse-home.store.ts';
import { storeRolloutRoutes } from '../headquarters/rollouts/rollouts.routes.ts';
import { StoreRolloutsService } from '../headquarters/rollouts/rollouts.service.ts';
import { StoreRolloutsStore } from '../headquarters/rollouts/rollouts.store.ts';
import { HqIncidents } from '../headquarters/stores/hq-incidents.ts';
import { StoreRegistry } from '../headquarters/stores/store-registry.ts';
import { StoreValuesService } from '../headquarters/stores/store-values.service.ts';
import { StoreWindows } from '../headquarters/stores/store-windows.ts';
import { storeRoutes } from '../headquarters/stores/stores.routes.ts';
import { StoresService } from '../headquarters/stores/stores.service.ts';
import { StoresStore } from '../headquarters/stores/stores.store.ts';
import { DesiredStatesStore } from '../headquarters/transport/desired-states.store.ts';
import { DesiredStates } from '../headquarters/transport/desired-states.ts';
import { Downlink } from '../headquarters/transport/downlink.ts';
import { FileEndpoints } from '../headquarters/transport/file-endpoints.ts';
import type { NatsHub } from '../headquarters/transport/nats-hub.ts';
import { RequestHandlers } from '../headquarters/transport/request-handlers.ts';
import { RequestPipeline } from '../headquarters/transport/request-pipeline.ts';
import { Sessions } from '../headquarters/transport/sessions.ts';
import { createStoreEndpoints } from '../headquarters/transport/store-endpoints.ts';
import { storeTransferFileRoutes } from '../headquarters/transport/transfer-files.routes.ts';
import { TransferFilesService } from '../headquarters/transport/transfer-files.service.ts';
import { Tunnels } from '../headquarters/transport/tunnels.ts';
import type { SameOrigin } from '../http/hosts/same-origin.ts';
import { RouteTable } from '../http/route-table.ts';
import type { Tickets } from '../http/tickets.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { OutsideService } from '../kernel/outside-service.ts';
import { seconds } from '../kernel/time/clock.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { Actor } from '../kernel/trust/actor.ts';
import type { MediaStore } from '../media/media-store.ts';
import { StoreLive } from '../realtime/windows/store-live.ts';
import type { Shown } from '../tls/certificates.ts';
import { OutgoingTransferFiles } from '../transfer/outgoing.ts';
import { VERSION } from '../version.ts';
import type { AccountParts } from './accounts.ts';
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
  const { server, addresses, addressOf } = deps;
  const { fingerprint } = identity;
  const zone = () => zoneOf(serverZone());
  const store = new StoresStore(db);
  const { warehouse, line } = openWarehouse(kernel, deps.reporting);
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
  const desiredStatesStore = new DesiredStatesStore(db);
  const late = new LateStarts({ ...kernel, store: campaignsStore, registry, zone });
  const desiredStates = new DesiredStates({ ...kernel, store: desiredStatesStore, registry, downlink, late });
  const waves = new StoreRolloutsService({
    ...kernel,
    store: new StoreRolloutsStore(db),
    registry,
    downlink,
    releases: deps.releases,
    version: VERSION,
  });
  const { releases } = deps;
  const fileOfCampaigns = (sha256: string) => desiredStatesStore.file(sha256);
  const blobs = new FileEndpoints({
    store: {
      document: (sha256) => desiredStatesStore.document(sha256),
      file: (sha256) => fileOfCampaigns(sha256) ?? waves.fileOf(sha256),
    },
    desiredStates: {
      needs: (one, sha256) => desiredStates.needs(one, sha256) || waves.releaseFilesOf(one).has(sha256),
    },
    media: { pathOf: (sha256) => (fileOfCampaigns(sha256) ? deps.media : releases).pathOf(sha256) },
  });
  const campaigns = new CampaignsService({
    ...kernel,
    store: campaignsStore,
    library: new CampaignLibraryStore(db),
    registry,
    zone,
    running: desiredStates,
    late,
  });
  const needs = new CampaignNeedsService({ store: campaignsStore, registry, late });
  const previews = new CampaignPreviews({ ...kernel, campaigns, registry, downlink });
  const tunnels = new Tunnels({ downlink, sessions });
  registry.onGone((id) => {
    downlink.drop({ id });
    tunnels.close({ id });
    blobs.drop(id);
  });
  /** The hub code is loaded only if a hub is configured. */
  let hub: NatsHub | undefined;
  let loading: Promise<void> | undefined;
  const handlers = new RequestHandlers({
    ...kernel,
    sealing: identity.sealing,
    store,
    registry,
    sessions,
    writer,
    incidents,
    downlink,
    desiredStates,
    server,
    offer: (whose) => hub?.offer(whose),
  });
  const pipeline = new RequestPipeline({ ...kernel, handlers });
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
    desiredStates,
    blobs,
    outgoing,
    folder: join(config.data, 'chain', 'sticks', 'back'),
    requireRoom: (bytes) => deps.media.requireRoom(bytes),
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
  const endpoints = new RouteTable(deps.endpoints.map((endpoint) => ({ endpoint })));
  const windows = new StoreWindows({
    ...kernel,
    registry,
    downlink,
    tunnels,
    authenticate: deps.accounts.actors.authenticate,
    addressOf,
    endpointOf: (method, path) => {
      try {
        return endpoints.find(method, path).bound.endpoint;
      } catch {
        return undefined;
      }
    },
  });
  const live = new StoreLive({
    ...kernel,
    admit: (actor, ref) => windows.admit(actor, ref),
    agentOf: (store) => tunnels.agentOf(store),
    actor: (credential, ip) => deps.accounts.actors.actor(credential, ip),
    addressOf,
    sameOrigin: deps.sameOrigin,
  });
  const nats: Lifecycle = {
    name: 'nats',
    start: () => {
      if (config.nats === undefined) return;
      // The hub code is loaded in the background. Meanwhile stores use HTTPS.
      loading = import('../headquarters/transport/nats-hub.ts')
        .then(({ NatsHub }) => {
          hub = new NatsHub({
            ...kernel,
            server: config.nats!,
            data: config.data,
            pipeline,
            registry,
            revoked: () => store.revokedKeys(seconds(kernel.clock)),
            downlink,
            shown: deps.shown,
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
  /** Outside programs: PostgreSQL and the hub, if they are configured. */
  const services = (): OutsideService[] => [
    ...(line ? [{ name: 'postgres', failure: line.failure } as const] : []),
    ...(config.nats === undefined ? [] : [{ name: 'hub', failure: hub ? hub.failure : NO_HUB } as const]),
  ];
  return {
    services,
    routes: [
      ...storeRoutes(stores, new StoreValuesService({ ...kernel, store, registry, stores }), reports),
      ...storeTransferFileRoutes({ transferFiles, outgoing, tickets: deps.tickets }),
      ...remoteCommandRoutes(orders),
      ...campaignRoutes(campaigns, needs, previews),
      ...storeRolloutRoutes(waves),
    ],
    needs: (actor: Actor) => needs.count(actor),
    /** Answers requests of stores over HTTPS. */
    door: createStoreEndpoints({ sessions, pipeline, downlink, tunnels, blobs, addressOf }),
    /** Forwards requests of a store's admin window that is open at headquarters. Returns false for other requests. */
    window: (req: IncomingMessage, res: ServerResponse) => windows.answer(req, res),
    upgrades: new Map([[STORE_LIVE, live.upgrade]]),
    parts: [...(line ? [line] : []), registry, desiredStates, late],
    /** Parts to stop together with the endpoints for stores. */
    after: [orders, previews, waves, downlink, tunnels, live, nats],
  };
};

const NO_HUB = 'The hub (nats-server) is not used yet. Stores use HTTPS meanwhile. See the log for the cause.';

/** @throws ConfigError when the plays are in PostgreSQL but its address is not configured */
const openWarehouse = (
  { db, config, identity, log }: Kernel,
  { threads }: Pick<ReportingParts, 'threads'>,
): { readonly warehouse: Warehouse; readonly line?: PgConnection } => {
  const home = new WarehouseHomeStore(db);
  if (config.postgres !== undefined) {
    const { fingerprint } = identity;
    const line = new PgConnection({ log, url: config.postgres, fingerprint, admit: (about) => admit(home, about) });
    return { warehouse: new PgWarehouse(line), line };
  }
  if (home.database !== undefined)
    throw new ConfigError(
      'The plays of this headquarters are in PostgreSQL: start it with --postgres and the address of that database.',
    );
  return { warehouse: new SqliteWarehouse({ db, store: new WarehouseStore(db), threads }) };
};

/**
 * Refuses a PostgreSQL database other than the one with the plays of this headquarters, and a database without plays
 * while the plays are still in the data folder.
 * @throws Unfit
 */
const admit = async (home: WarehouseHomeStore, { database, hasPlays }: About): Promise<void> => {
  if (home.database !== undefined && home.database !== database)
    throw new Unfit(
      'It is another database than the one with the plays of this headquarters. Give the address of that one. Where it is lost: vitrine hq move, and stores send again what they still have.',
    );
  if (home.database === undefined && home.hasPlays && !hasPlays)
    throw new Unfit(
      'The plays of this headquarters are still in its data folder. Stop it and move them first: vitrine hq move',
    );
  await home.moveTo(database);
};

export type CreateHeadquarters = typeof createHeadquarters;
