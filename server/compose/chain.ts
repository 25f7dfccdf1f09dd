/** Creates the store's side of a chain. The links to headquarters are loaded only when a workspace has one. */
import { statfs } from 'node:fs/promises';
import type { Answering } from '../http/server.ts';
import type { Tickets } from '../http/tickets.ts';
import { announce } from '../kernel/bus.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Programs } from '../programs/programs.ts';
import { managedRoutes } from '../store-link/campaigns/managed.routes.ts';
import { ManagedService } from '../store-link/campaigns/managed.service.ts';
import { ManagedStore } from '../store-link/campaigns/managed.store.ts';
import { Slots } from '../store-link/campaigns/slots.ts';
import { createScreensSeen } from '../store-link/commands/screens-seen.ts';
import type { OwnServer } from '../store-link/commands/software-commands.ts';
import { chainRoutes } from '../store-link/membership/chain.routes.ts';
import { ChainService, type ChainWorks } from '../store-link/membership/chain.service.ts';
import { ChainStore } from '../store-link/membership/chain.store.ts';
import { Incidents } from '../store-link/membership/incidents.ts';
import type { VisitorParts } from '../store-link/membership/visitors.ts';
import { transferFileRoutes } from '../store-link/transfer/transfer-files.routes.ts';
import { OutgoingTransferFiles } from '../transfer/outgoing.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import type { ReportingParts } from './reporting.ts';

/** Problems between this store and its headquarters. Other parts report to this list, too. */
export const createIncidents = (kernel: Kernel) => new Incidents({ ...kernel, store: new ChainStore(kernel.db) });

/** Playlists that the store has chosen for slots of campaigns. Checked when a playlist is published. */
export const createSlots = ({ db }: Kernel, programs: Programs) => new Slots({ store: new ManagedStore(db), programs });

export const createChain = (
  kernel: Kernel,
  deps: {
    readonly incidents: Incidents;
    readonly slots: Slots;
    readonly presence: Pick<Presence, 'registry'>;
    readonly reporting: Pick<ReportingParts, 'threads'>;
    readonly server: () => { readonly name: string; readonly version: string };
    readonly people: VisitorParts;
    readonly media: MediaStore;
    readonly tickets: Tickets;
    readonly programs: Programs;
    readonly ownServer: OwnServer;
  },
) => {
  const { config, clock } = kernel;
  const { incidents, server } = deps;
  const store = new ChainStore(kernel.db);
  const seen = new Map<string, ReturnType<typeof createScreensSeen>>();
  const screensSeen = (workspaceId: string) => {
    const known = seen.get(workspaceId) ?? createScreensSeen();
    seen.set(workspaceId, known);
    return known;
  };
  const presence = async (workspaceId: string) => {
    const disk = await statfs(config.data).catch(() => undefined);
    return {
      version: server().version,
      seal_key: kernel.identity.sealing.key,
      ...screensSeen(workspaceId)(store.screens(workspaceId), (id) => deps.presence.registry.get(id), clock.now()),
      disk: disk ? { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize } : null,
    };
  };
  let answering: Pick<Answering, 'api' | 'upgrades'>;
  let loaded: Promise<ChainWorks> | undefined;
  const works = () =>
    (loaded ??= import('./chain-works.ts').then(({ createChainWorks }) =>
      createChainWorks({
        ...kernel,
        store,
        incidents,
        threads: deps.reporting.threads,
        presence,
        people: deps.people,
        data: config.data,
        media: deps.media,
        programs: deps.programs,
        registry: deps.presence.registry,
        ownServer: deps.ownServer,
        answering: () => answering,
        changed: (workspaceId) => announce(kernel, { workspaceId, userId: null }, { topic: 'chain' }),
      }),
    ));
  const outgoing = new OutgoingTransferFiles(clock);
  const service = new ChainService({ ...kernel, store, server, works, outgoing });
  const managed = new ManagedService({
    ...kernel,
    store: new ManagedStore(kernel.db),
    screens: store,
    slots: deps.slots,
    readiness: (workspaceId) => service.readiness(workspaceId),
    timezone: serverZone,
  });
  return {
    routes: [
      ...chainRoutes(service),
      ...transferFileRoutes({ service, outgoing, tickets: deps.tickets }),
      ...managedRoutes(managed),
    ],
    parts: [service],
    service,
    /** Sets the handlers for requests of headquarters. Must be called before `start`. */
    answer: (by: typeof answering): void => {
      answering = by;
    },
  };
};
