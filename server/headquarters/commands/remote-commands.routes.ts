import { success } from '../../../shared/contract/fields.ts';
import {
  cancelRemoteCommand,
  createRemoteCommand,
  getRemoteCommand,
  listRemoteCommandStores,
  listRemoteCommands,
} from '../../../shared/contract/headquarters/remote-commands.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { RemoteCommandsService } from './remote-commands.service.ts';

export const remoteCommandRoutes = (orders: RemoteCommandsService): Bound[] => [
  bind(createRemoteCommand, ({ actor, body }) => orders.create(actor, body)),
  bind(listRemoteCommands, async ({ actor, query }) => listed(await orders.list(actor, query))),
  bind(getRemoteCommand, ({ actor, params }) => orders.get(actor, params.id)),
  bind(listRemoteCommandStores, ({ actor, params, query }) => listed(orders.stores(actor, params.id, query))),
  bind(cancelRemoteCommand, ({ actor, params }) => {
    orders.cancel(actor, params.id);
    return success;
  }),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });
