import {
  createStoreRollout,
  endStoreRollout,
  getStoreRollout,
  getStoreSoftware,
  leaveOutOfRollout,
  listRolloutStores,
  listStoreRollouts,
  pauseStoreRollout,
  previewStoreRollout,
  resumeStoreRollout,
} from '../../../shared/contract/headquarters/rollouts.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { StoreRolloutsService } from './rollouts.service.ts';

export const storeRolloutRoutes = (waves: StoreRolloutsService): Bound[] => [
  bind(getStoreSoftware, ({ actor }) => waves.software(actor)),
  bind(previewStoreRollout, ({ actor, body }) => waves.preview(actor, body)),
  bind(createStoreRollout, ({ actor, body }) => waves.create(actor, body)),
  bind(listStoreRollouts, ({ actor, query }) => listed(waves.list(actor, query))),
  bind(getStoreRollout, ({ actor, params }) => waves.get(actor, params.id)),
  bind(listRolloutStores, ({ actor, params, query }) => listed(waves.stores(actor, params.id, query))),
  bind(pauseStoreRollout, ({ actor, params }) => waves.pause(actor, params.id)),
  bind(resumeStoreRollout, ({ actor, params }) => waves.resume(actor, params.id)),
  bind(leaveOutOfRollout, ({ actor, params, body }) => waves.leaveOut(actor, params.id, body.store_id)),
  bind(endStoreRollout, ({ actor, params }) => waves.end(actor, params.id)),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });
