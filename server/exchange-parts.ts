/** The part of the composition root that makes import and export. */
import type { ContentParts } from './content-parts.ts';
import type { Database } from './db/database.ts';
import { exchangeRoutes } from './features/exchange/exchange.routes.ts';
import { ExchangeStore } from './features/exchange/exchange.store.ts';
import { ExportService } from './features/exchange/export.service.ts';
import { ExportThreads } from './features/exchange/export-thread.ts';
import { ImportService } from './features/exchange/import.service.ts';
import { ImportProgress } from './features/exchange/import-progress.ts';
import { ManifestThreads } from './features/exchange/manifest-thread.ts';
import type { LayoutsService } from './features/layouts/layouts.service.ts';
import type { Bound } from './http/api.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Clock } from './kernel/clock.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';
import { Slices } from './kernel/slices.ts';
import type { PlanningParts } from './planning-parts.ts';
import { VERSION } from './version.ts';
import type { WidgetParts } from './widgets-parts.ts';

export const createExchange = (deps: {
  db: Database;
  bus: Bus;
  clock: Clock;
  activity: ActivityLog;
  library: ContentParts;
  layouts: LayoutsService;
  planning: PlanningParts;
  widgets: WidgetParts;
}): { readonly routes: readonly Bound[] /** Ends what is being imported. */; readonly parts: readonly Lifecycle[] } => {
  const { db, bus, clock, activity, library, layouts, planning, widgets } = deps;
  const store = new ExchangeStore(db);
  const exports = new ExportService({ db, threads: new ExportThreads(), pathOf: (sha256) => library.media.pathOf(sha256), clock, activity, version: VERSION });
  const makers = {
    content: library.content,
    widgets: widgets.widgets,
    kiosk: widgets.kiosk,
    layouts,
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
    maxFileBytes: library.maxUploadBytes,
    progress,
    version: VERSION,
  });
  // What is left of it at the next start harms nobody.
  bus.on('workspaceGone', (workspaceId) => void progress.forget(workspaceId, new Slices({ durable: () => db.durable() })).catch(() => {}));
  return { routes: exchangeRoutes({ exports, imports, temporary: library.media }), parts: [imports] };
};
