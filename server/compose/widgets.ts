/** Creates widgets and kiosk pages: their rules, their pages, and the external data that pages show. */

import { join } from 'node:path';
import { kioskRoutes } from '../features/kiosk/kiosk.routes.ts';
import { KioskService } from '../features/kiosk/kiosk.service.ts';
import { KioskStore } from '../features/kiosk/kiosk.store.ts';
import { NamedKioskPages } from '../features/kiosk/named-pages.ts';
import type { PlaylistReferences } from '../features/records.ts';
import { FeedThread } from '../features/widgets/feed-thread.ts';
import { PageFiles } from '../features/widgets/pages/page-files.ts';
import { SourceFetcher } from '../features/widgets/source-fetcher.ts';
import { SourceRefresher } from '../features/widgets/source-refresher.ts';
import { SourcesStore } from '../features/widgets/sources.store.ts';
import { LOGO_PIXELS, picturesByAddress } from '../features/widgets/sources.ts';
import { WidgetDataSource } from '../features/widgets/widget-data.ts';
import { WidgetPageFiles } from '../features/widgets/widget-pages.ts';
import { WidgetRenderer } from '../features/widgets/widget-render.ts';
import { widgetRoutes } from '../features/widgets/widgets.routes.ts';
import { WidgetsService } from '../features/widgets/widgets.service.ts';
import { WidgetsStore } from '../features/widgets/widgets.store.ts';
import type { LibraryParts } from './content.ts';
import type { Kernel } from './kernel.ts';

/** Addresses of public weather services. A private Open-Meteo server answers all requests under one address. */
const PUBLIC_PLACES = 'https://geocoding-api.open-meteo.com';
const PUBLIC_FORECASTS = 'https://api.open-meteo.com';

export const createWidgets = (
  kernel: Kernel,
  deps: {
    readonly library: LibraryParts;
    readonly playlists: PlaylistReferences;
  },
) => {
  const { config, db, clock, log } = kernel;
  const { fetch, inspector, pictures: library } = deps.library;
  const failed = (error: unknown) => log.error('widget-sources failed', { error });
  const store = new WidgetsStore(db);
  const sources = new SourcesStore(db);
  const feeds = new FeedThread();
  const forecasts = config.weather_url ?? PUBLIC_FORECASTS;
  const fetcher = new SourceFetcher({
    fetch,
    pictures: inspector,
    feeds,
    weather: { forecasts, places: config.weather_url ?? PUBLIC_PLACES },
  });
  const kioskStore = new KioskStore(db);
  const kioskPages = new NamedKioskPages(kioskStore);
  const data = new WidgetDataSource({ store: sources, library, kiosk: kioskPages, widgets: store });
  const onScreens = () =>
    store.onScreens().flatMap((widget) => {
      try {
        return data.sourcesOfWidget(widget);
      } catch (error) {
        failed(error);
        return [];
      }
    });
  const refresher = new SourceRefresher({ ...kernel, store: sources, fetcher, feeds, onScreens, onError: failed });
  const kiosk = new KioskService({
    ...kernel,
    store: kioskStore,
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
  const pages = new WidgetPageFiles({
    files: new PageFiles('widget-pages', join(config.data, 'pages')),
    widgets: store,
    kiosk: kioskPages,
  });
  const widgets = new WidgetsService({ ...kernel, store, playlists: deps.playlists });
  const renderer = new WidgetRenderer({ widgets: store, data, refresher, clock });
  return {
    routes: [...widgetRoutes(widgets, renderer), ...kioskRoutes(kiosk)],
    widgets,
    kiosk,
    /** Pages of widgets as they are sent to players. */
    pages,
    /** Refreshes the data of pages; for tests. */
    refresher,
    /** Parts to start, in this order. */
    parts: [pages, refresher],
  };
};

export type WidgetParts = ReturnType<typeof createWidgets>;
