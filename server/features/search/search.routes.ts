import { search } from '../../../shared/contract/server/search.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { SearchService } from './search.service.ts';

export const searchRoutes = (service: SearchService): Bound[] => [
  bind(search, async ({ actor, query }) => {
    const { hits, total } = await service.search(actor, query);
    return new Reply(hits, { total });
  }),
];
