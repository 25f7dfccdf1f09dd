/** Creates what headquarters needs to show the admin window of a store: forwarded requests and the live socket. */
import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import type { StoreRegistry } from '../../headquarters/stores/store-registry.ts';
import { StoreWindows } from '../../headquarters/stores/store-windows.ts';
import type { Downlink } from '../../headquarters/transport/downlink.ts';
import type { Tunnels } from '../../headquarters/transport/tunnels.ts';
import type { SameOrigin } from '../../http/hosts/same-origin.ts';
import { RouteTable } from '../../http/route-table.ts';
import { StoreLive } from '../../realtime/windows/store-live.ts';
import type { AccountParts } from '../accounts.ts';
import type { Kernel } from '../kernel.ts';

export const createStoreWindows = (
  kernel: Kernel,
  deps: {
    readonly registry: StoreRegistry;
    readonly downlink: Downlink;
    readonly tunnels: Tunnels;
    readonly actors: AccountParts['actors'];
    /** All endpoints of this version. */
    readonly endpoints: readonly Endpoint[];
    readonly addressOf: (req: IncomingMessage) => string;
    readonly sameOrigin: SameOrigin;
  },
) => {
  const { registry, downlink, tunnels, actors, addressOf, sameOrigin } = deps;
  const endpoints = new RouteTable(deps.endpoints.map((endpoint) => ({ endpoint })));
  const windows = new StoreWindows({
    ...kernel,
    registry,
    downlink,
    tunnels,
    authenticate: actors.authenticate,
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
    actor: (credential, ip) => actors.actor(credential, ip),
    addressOf,
    sameOrigin,
  });
  return { windows, live };
};
