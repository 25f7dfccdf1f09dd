import { listHindrances } from '../../../shared/contract/people/rights.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { RightsService } from './rights.service.ts';

export const rightsRoutes = (service: RightsService): Bound[] => [
  bind(listHindrances, ({ actor, query }) => service.hindrances(actor, query.kind, query.ids)),
];
