/** The part of the composition root that makes widgets and kiosk pages: their rules, their pages, and what those show of the outside. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { kioskRoutes } from './features/kiosk/kiosk.routes.ts';
import { KioskService } from './features/kiosk/kiosk.service.ts';
import { KioskStore } from './features/kiosk/kiosk.store.ts';
import { FeedThread } from './features/widgets/feed-thread.ts';
import { type Fetch, type Shrink, SourceFetcher } from './features/widgets/source-fetcher.ts';
import { SourceRefresher } from './features/widgets/source-refresher.ts';
import { SourcesStore } from './features/widgets/sources.store.ts';
import { type Library, LOGO_PIXELS, picturesByAddress } from './features/widgets/sources.ts';
import { WidgetDataSource } from './features/widgets/widget-data.ts';
import { WidgetPageFiles } from './features/widgets/widget-pages.ts';
import { WidgetRenderer } from './features/widgets/widget-render.ts';
import { widgetRoutes } from './features/widgets/widgets.routes.ts';
import { type PlaylistReferences, type ScheduleReferences, WidgetsService } from './features/widgets/widgets.service.ts';
import { WidgetsStore } from './features/widgets/widgets.store.ts';
import type { Bound } from './http/api.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Clock } from './kernel/clock.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';

export interface WidgetParts {
  readonly routes: readonly Bound[];
  readonly widgets: WidgetsService;
  readonly kiosk: KioskService;
  /** Pages as players keep them. */
  readonly pages: WidgetPageFiles;
  /** Fetches what pages show; for tests. */
  readonly refresher: SourceRefresher;
  /** In the order in which they start. */
  readonly parts: readonly Lifecycle[];
}

/** An Open-Meteo of one's own answers both under one address. */
const PUBLIC_PLACES = 'https://geocoding-api.open-meteo.com';
const PUBLIC_FORECASTS = 'https://api.open-meteo.com';

export const createWidgets = (deps: {
  config: Pick<Config, 'data' | 'weather_url'>;
  db: Database;
  bus: Bus;
  clock: Clock;
  activity: ActivityLog;
  playlists: PlaylistReferences;
  schedules: ScheduleReferences;
  /** Of server/net, server/media and features/content. */
  fetch: Fetch;
  pictures: Shrink;
  library: Library;
  onError: (part: string, error: unknown) => void;
}): WidgetParts => {
  const { config, db, bus, clock, activity, library } = deps;
  const store = new WidgetsStore(db);
  const sources = new SourcesStore(db);
  const feeds = new FeedThread();
  const forecasts = config.weather_url ?? PUBLIC_FORECASTS;
  const fetcher = new SourceFetcher({ fetch: deps.fetch, pictures: deps.pictures, feeds, weather: { forecasts, places: config.weather_url ?? PUBLIC_PLACES } });
  const kiosk: KioskService = new KioskService({
    db,
    store: new KioskStore(db),
    bus,
    clock,
    activity,
    pictures: {
      known: (workspaceId, urls) => {
        const wanted = picturesByAddress(
          urls.map((url) => ({ url, pixels: LOGO_PIXELS })),
          workspaceId,
          library,
        );
        refresher.want([...wanted.values()]);
        return data.embedded(wanted);
      },
    },
  });
  const data = new WidgetDataSource({ store: sources, library, kiosk, widgets: store });
  const onScreens = () =>
    store.onScreens().flatMap((widget) => {
      try {
        return data.sourcesOfWidget(widget);
      } catch (error) {
        deps.onError('widget-sources', error);
        return [];
      }
    });
  const refresher = new SourceRefresher({ db, store: sources, fetcher, feeds, onScreens, bus, clock, onError: (error) => deps.onError('widget-sources', error) });
  const pages = new WidgetPageFiles({ folder: join(config.data, 'pages'), widgets: store, kiosk });
  const widgets = new WidgetsService({ db, store, bus, clock, activity, playlists: deps.playlists, schedules: deps.schedules });
  const renderer = new WidgetRenderer({ widgets: store, data, refresher, clock });
  return { routes: [...widgetRoutes(widgets, renderer), ...kioskRoutes(kiosk)], widgets, kiosk, pages, refresher, parts: [pages, refresher] };
};
