/** Parts of a store's link to headquarters. Loaded when a workspace enrols or has enrolled. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answering } from '../http/server.ts';
import type { Identity } from '../identity.ts';
import type { Parts } from '../kernel/parts.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import { fingerprintOf } from '../kernel/trust/fingerprint.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Programs } from '../programs/programs.ts';
import type { LiveRegistry } from '../realtime/state/live-registry.ts';
import { CampaignsStore } from '../store-link/campaigns/campaigns.store.ts';
import { DesiredState } from '../store-link/campaigns/desired-state.ts';
import { Fetcher } from '../store-link/campaigns/fetcher.ts';
import { Pace } from '../store-link/campaigns/pace.ts';
import { PartialFiles as FetchedParts } from '../store-link/campaigns/partial-files.ts';
import { createPreview } from '../store-link/campaigns/preview.ts';
import { Campaigns } from '../store-link/campaigns/progress.ts';
import { createScreenCommands } from '../store-link/commands/screen-commands.ts';
import { type OwnServer, SoftwareCommands } from '../store-link/commands/software-commands.ts';
import { ChainLink } from '../store-link/connection/chain-link.ts';
import { Connections } from '../store-link/connection/connections.ts';
import { HttpsConnection, type Met } from '../store-link/connection/https-connection.ts';
import { pause } from '../store-link/connection/pause.ts';
import { SegmentSender } from '../store-link/connection/segment-sender.ts';
import { createTunnelServer } from '../store-link/connection/tunnel-server.ts';
import type { ChainWorks } from '../store-link/membership/chain.service.ts';
import type { ChainStore, LinkRow } from '../store-link/membership/chain.store.ts';
import { createEnrolment } from '../store-link/membership/enrolment.ts';
import type { Incidents } from '../store-link/membership/incidents.ts';
import { type VisitorParts, Visitors } from '../store-link/membership/visitors.ts';
import { TransferFiles } from '../store-link/transfer/transfer-files.ts';

type LinkDeps = ConstructorParameters<typeof ChainLink>[0];

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'log' | 'activity'> {
  readonly store: ChainStore;
  readonly incidents: Incidents;
  readonly threads: ConstructorParameters<typeof SegmentSender>[0]['threads'];
  readonly identity: Pick<Identity, 'publicKey' | 'sign' | 'sealing'>;
  readonly presence: (workspaceId: string) => ReturnType<LinkDeps['presence']>;
  /** Handlers for requests that headquarters sends through tunnels. */
  readonly answering: () => Pick<Answering, 'api' | 'upgrades'>;
  readonly people: VisitorParts;
  readonly changed: (workspaceId: string) => void;
  /** The server's data folder. */
  readonly data: string;
  readonly media: Pick<MediaStore, 'adopt' | 'requireRoom'>;
  readonly programs: Pick<Programs, 'program' | 'planned'>;
  readonly registry: Pick<LiveRegistry, 'get'>;
  readonly ownServer: OwnServer;
}

/**
 * Folder for incomplete files of headquarters. The folder is beside the media, so that a complete file is moved by a
 * rename if both folders are on one disk.
 */
const partsFolder = (data: string, workspaceId: string): string => join(data, 'chain', 'parts', workspaceId);
/** Folder for transfer files. */
const transferFolder = (data: string, workspaceId: string): string => join(data, 'chain', 'sticks', workspaceId);
/** Folder for files of a server release. */
const releaseFolder = (data: string, workspaceId: string): string => join(data, 'chain', 'releases', workspaceId);

export const createChainWorks = (deps: Deps): ChainWorks => {
  const visitors = new Visitors({ ...deps, ...deps.people });
  return {
    visitors,
    link: (row) => createLink(deps, visitors, row),
    ...createEnrolment(deps),
    forget: async (workspaceId) => {
      for (const folder of [partsFolder, transferFolder, releaseFolder])
        await rm(folder(deps.data, workspaceId), { recursive: true, force: true });
    },
  };
};

/** Creates the parts of one link. Some parts use parts that are created after them, but only when the link runs. */
const createLink = (deps: Deps, visitors: Visitors, row: LinkRow): ReturnType<ChainWorks['link']> => {
  const { db, identity, store, log } = deps;
  const { workspace_id: workspaceId, store: storeRef, key } = row;
  const sign = (text: string) => identity.sign(text);
  const connection = createConnections(deps, row);
  const desired = new DesiredState({
    ...deps,
    store: new CampaignsStore(db),
    workspaceId,
    storeRef,
    key,
    timezone: serverZone,
  });
  const tunnels = createTunnelServer({ workspaceId, answering: deps.answering(), visitors });
  const order = createScreenCommands(tunnels);
  const screens = () => store.taggedScreens(workspaceId);
  const programOf = (screen: string) => {
    const found = deps.programs.program(screen);
    const planned = deps.programs.planned(screen);
    return found && planned && { ...found, id: planned.id };
  };
  const fetching = {
    ...{ ...deps, connection, limits: row, timezone: serverZone, pause, random: Math.random },
    pace: new Pace(deps.mono),
  };
  const parts = new FetchedParts(partsFolder(deps.data, workspaceId));
  const fetcher = new Fetcher({ ...fetching, desired, parts });
  const { software, releases } = createSoftware(deps, workspaceId, fetching, () => link.sendPresence());
  const campaigns = new Campaigns({
    ...deps,
    desired,
    fetcher,
    screens,
    programOf,
    live: (id) => deps.registry.get(id),
    pause,
    failed: (error) => log.error('Campaigns of headquarters could not be carried out', { error }),
    changed: () => link.sendPresence(),
  });
  const segmentSender = new SegmentSender({ ...deps, workspaceId, storeRef, key: keyOf(identity), sign });
  const link = new ChainLink({
    ...deps,
    workspaceId,
    segmentSender,
    connection,
    tunnels,
    desired,
    fetcher,
    campaigns,
    software: { orders: software, fetcher: releases },
    doings: {
      open: async ({ tunnel }) => {
        tunnels.accept(await connection.tunnel(tunnel));
        return {};
      },
      command: (said) => order(said),
      update: (said) => software.accept(said),
      rehearse: createPreview({ ...deps, screens, programOf, timezone: serverZone }),
    },
    presence: () => deps.presence(workspaceId),
    changed: () => deps.changed(workspaceId),
  });
  const folder = transferFolder(deps.data, workspaceId);
  const transferFiles = new TransferFiles({
    ...deps,
    workspaceId,
    storeRef,
    key,
    segmentSender,
    desired,
    parts,
    link,
    folder,
  });
  return { link, transferFiles };
};

/** Returns the public key of this store as headquarters knows it: 64 hex digits. */
const keyOf = ({ publicKey }: Pick<Identity, 'publicKey'>): string => publicKey.slice(-64);

/** Creates the connections to headquarters: HTTPS always, NATS if headquarters offers it. */
const createConnections = (deps: Deps, row: LinkRow): Connections => {
  const { db, identity, store } = deps;
  const { workspace_id: workspaceId, store: storeRef, address, key, certificate, headquarters } = row;
  const sign = (text: string) => identity.sign(text);
  const met: Met = {
    address,
    key,
    certificate,
    name: headquarters,
    fingerprint: fingerprintOf(Buffer.from(key, 'hex')),
  };
  return new Connections({
    ...deps,
    https: (offered) =>
      new HttpsConnection({
        met,
        store: storeRef,
        sign,
        moved: (moved) => db.write(() => store.setPlace(workspaceId, moved)),
        proof: () => store.proof(workspaceId),
        known: () => {
          if (store.proof(workspaceId)) db.write(() => store.deleteProof(workspaceId));
        },
        offered,
      }),
    // NATS is loaded only if headquarters offers it.
    open: async (offer, host) =>
      (await import('../store-link/connection/nats-connection.ts')).HubConnection.open({
        offer,
        host,
        whose: { store: storeRef, key: keyOf(identity) },
        sign,
      }),
  });
};

type FetcherDeps = ConstructorParameters<typeof Fetcher>[0];

/** Creates the updates of this server that headquarters orders, and the download of their files. */
const createSoftware = (
  deps: Deps,
  workspaceId: string,
  fetching: Omit<FetcherDeps, 'desired' | 'parts'>,
  changed: () => void,
) => {
  const software = new SoftwareCommands({
    ...deps,
    workspaceId,
    server: deps.ownServer,
    hurry: () => releases.hurry(),
    troubleWith: (sha256) => releases.troubleWith(sha256),
    changed,
  });
  const releases: Fetcher = new Fetcher({
    ...fetching,
    desired: software,
    media: {
      adopt: (file) => software.adopt(file),
      requireRoom: (bytes) => deps.media.requireRoom(bytes),
    },
    parts: new FetchedParts(releaseFolder(deps.data, workspaceId)),
  });
  return { software, releases };
};
