import { success } from '../../../shared/contract/fields.ts';
import {
  enrolStore,
  getChain,
  leaveChain,
  letHeadquarters,
  letHeadquartersUpdate,
  limitFetching,
} from '../../../shared/contract/headquarters/chain.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { ChainService } from './chain.service.ts';

export const chainRoutes = (service: ChainService): Bound[] => [
  bind(getChain, ({ actor }) => service.state(actor)),
  bind(enrolStore, ({ actor, body }) => service.enrol(actor, body)),
  bind(letHeadquarters, ({ actor, body }) => service.setMay(actor, body.may)),
  bind(letHeadquartersUpdate, ({ actor, body }) => service.setLetsUpdate(actor, body.lets_update)),
  bind(limitFetching, ({ actor, body }) => service.limitFetching(actor, body)),
  bind(leaveChain, async ({ actor }) => {
    await service.leave(actor);
    return success;
  }),
];
