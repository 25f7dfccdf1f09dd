/** Creates the search for names, and saved views. */

import { Names } from '../features/search/names.ts';
import { searchRoutes } from '../features/search/search.routes.ts';
import { SearchService } from '../features/search/search.service.ts';
import { SearchStore } from '../features/search/search.store.ts';
import { viewRoutes } from '../features/views/views.routes.ts';
import { ViewsService } from '../features/views/views.service.ts';
import { ViewsStore } from '../features/views/views.store.ts';
import type { Kernel } from './kernel.ts';

export const createSearch = ({ db, bus, clock }: Kernel) => {
  const store = new SearchStore(db);
  const search = new SearchService({ store, names: new Names({ db, bus, store }) });
  const views = new ViewsService({ db, clock, store: new ViewsStore(db) });
  return { routes: [...searchRoutes(search), ...viewRoutes(views)] };
};
