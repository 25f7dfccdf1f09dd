/** Makes headquarters of a chain. Loaded in that role alone (server/serve.ts). */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { zoneOf } from '../../shared/program/zones.ts';
import { ChainPlays } from '../headquarters/chain-plays.ts';
import { ChainReportsService } from '../headquarters/chain-reports.service.ts';
import { createDoor } from '../headquarters/door.ts';
import { HqIncidents } from '../headquarters/hq-incidents.ts';
import { Packs } from '../headquarters/packs.ts';
import { Sessions } from '../headquarters/sessions.ts';
import { StoreBook } from '../headquarters/store-book.ts';
import { storeRoutes } from '../headquarters/stores.routes.ts';
import { StoresService } from '../headquarters/stores.service.ts';
import { StoresStore } from '../headquarters/stores.store.ts';
import { Verbs } from '../headquarters/verbs.ts';
import { WarehouseStore } from '../headquarters/warehouse.store.ts';
import { Writer } from '../headquarters/writer.ts';
import { serverZone } from '../kernel/server-zone.ts';
import type { Kernel } from './kernel.ts';
import type { ReportingParts } from './reporting.ts';

export const createHeadquarters = (
  kernel: Kernel,
  deps: {
    readonly server: () => { readonly name: string; readonly fingerprint: string };
    readonly reporting: Pick<ReportingParts, 'threads'>;
    /** `https://host:port` of this server, the likeliest first. */
    readonly addresses: () => readonly string[];
    readonly addressOf: (req: IncomingMessage) => string;
  },
) => {
  const { db, config, identity } = kernel;
  const { server, addresses, addressOf } = deps;
  const { fingerprint } = identity;
  const zone = () => zoneOf(serverZone());
  const store = new StoresStore(db);
  const warehouse = new WarehouseStore(db);
  const packs = new Packs(join(config.data, 'chain'));
  const book = new StoreBook({ ...kernel, store });
  db.onLost(() => book.forget());
  const incidents = new HqIncidents({ ...kernel, store, book });
  const writer = new Writer({ ...kernel, store: warehouse, packs, incidents, zone });
  const sessions = new Sessions({ ...kernel, book, fingerprint });
  const verbs = new Verbs({ ...kernel, store, book, sessions, writer, incidents, server });
  const stores = new StoresService({ ...kernel, store, book, packs, writer, fingerprint, addresses });
  const plays = new ChainPlays({ store: warehouse, packs, identity });
  const reports = new ChainReportsService({
    ...kernel,
    stores,
    store,
    plays,
    threads: deps.reporting.threads,
    zone,
    server,
  });
  return {
    routes: storeRoutes(stores, reports),
    /** Answers stores, over HTTPS; false: the request is for something else. */
    door: createDoor({ ...kernel, sessions, verbs, addressOf }),
    parts: [book],
  };
};

export type CreateHeadquarters = typeof createHeadquarters;
