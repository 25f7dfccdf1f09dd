import { success } from '../../../shared/contract/fields.ts';
import {
  createOrder,
  getOrder,
  listOrderStores,
  listOrders,
  takeBackOrder,
} from '../../../shared/contract/headquarters/remote-commands.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { OrdersService } from './remote-commands.service.ts';

export const orderRoutes = (orders: OrdersService): Bound[] => [
  bind(createOrder, ({ actor, body }) => orders.create(actor, body)),
  bind(listOrders, async ({ actor, query }) => listed(await orders.list(actor, query))),
  bind(getOrder, ({ actor, params }) => orders.get(actor, params.id)),
  bind(listOrderStores, ({ actor, params, query }) => listed(orders.stores(actor, params.id, query))),
  bind(takeBackOrder, ({ actor, params }) => {
    orders.takeBack(actor, params.id);
    return success;
  }),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });
