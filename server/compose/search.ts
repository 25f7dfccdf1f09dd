/** Makes the search over names. */

import { Names } from '../features/search/names.ts';
import { searchRoutes } from '../features/search/search.routes.ts';
import { SearchService } from '../features/search/search.service.ts';
import { SearchStore } from '../features/search/search.store.ts';
import type { Kernel } from './kernel.ts';

export const createSearch = ({ db, bus }: Kernel) => {
  const store = new SearchStore(db);
  return { routes: searchRoutes(new SearchService({ store, names: new Names({ db, bus, store }) })) };
};
