/** Creates import and export. */

import { exchangeRoutes } from '../features/exchange/exchange.routes.ts';
import { ExchangeStore } from '../features/exchange/exchange.store.ts';
import { ExportService } from '../features/exchange/export.service.ts';
import { ExportThreads } from '../features/exchange/export-thread.ts';
import { ImportService } from '../features/exchange/import.service.ts';
import { ImportProgress } from '../features/exchange/import-progress.ts';
import { ManifestThreads } from '../features/exchange/manifest-thread.ts';
import type { Bound } from '../http/api.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { Slices } from '../kernel/threads/slices.ts';
import { VERSION } from '../version.ts';
import type { ContentParts, LibraryParts } from './content.ts';
import type { Kernel } from './kernel.ts';
import type { PlanningParts } from './planning.ts';
import type { WidgetParts } from './widgets.ts';

export const createExchange = (
  kernel: Kernel,
  deps: {
    readonly library: LibraryParts;
    readonly content: ContentParts;
    readonly planning: PlanningParts;
    readonly widgets: WidgetParts;
  },
): { readonly routes: readonly Bound[] /** Ends running imports. */; readonly parts: readonly Lifecycle[] } => {
  const { db, bus } = kernel;
  const { library, content, planning, widgets } = deps;
  const store = new ExchangeStore(db);
  const exports = new ExportService({
    ...kernel,
    threads: new ExportThreads(),
    pathOf: (sha256) => library.media.pathOf(sha256),
    version: VERSION,
  });
  const makers = {
    content: content.content,
    widgets: widgets.widgets,
    kiosk: widgets.kiosk,
    layouts: planning.layouts,
    playlists: planning.playlists,
    items: planning.assignments,
    groups: planning.groups,
    schedules: planning.schedules,
  };
  const progress = new ImportProgress({ store, write: (work) => db.write(work) });
  const imports = new ImportService({
    makers,
    store,
    threads: new ManifestThreads(),
    durable: () => db.durable(),
    maxFileBytes: content.maxUploadBytes,
    progress,
    version: VERSION,
  });
  // Leftovers are ignored, because they are harmless at the next start.
  bus.on(
    'workspaceGone',
    (workspaceId) => void progress.forget(workspaceId, new Slices({ durable: () => db.durable() })).catch(() => {}),
  );
  return { routes: exchangeRoutes({ exports, imports, temporary: library.media }), parts: [imports] };
};
