/** Data of a page besides its config, from the last fetched answers. Never waits for the internet. */
import type { WidgetSettings, WidgetType } from '../../../shared/contract/content/widget-types.ts';
import type { WidgetData } from '../../../shared/contract/content/widgets.ts';
import type { NamedKioskPages } from '../kiosk/named-pages.ts';
import type { Feed } from './feed-reader.ts';
import type { SourcesStore, StoredSource } from './sources.store.ts';
import {
  feedPictures,
  type Library,
  LOGO_PIXELS,
  needsData,
  picturesByAddress,
  type Source,
  sourcesOf,
} from './sources.ts';
import type { Weather } from './weather.ts';
import { settingsOf } from './widget-config.ts';
import type { WidgetSource, WidgetsStore } from './widgets.store.ts';

/**
 * Maximum size of embedded data in bytes, because players accept 2 MiB. Pictures above this limit keep their address
 * from the config.
 */
const MAX_BYTES = 1_700_000;

export interface Rendered {
  readonly settings: WidgetSettings;
  readonly workspaceId: string;
}

interface Deps {
  readonly store: SourcesStore;
  readonly library: Library;
  /** Finds kiosk pages that webpage widgets show. */
  readonly kiosk: Pick<NamedKioskPages, 'pictures'>;
  readonly widgets: Pick<WidgetsStore, 'find'>;
}

export class WidgetDataSource {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns all sources of the page that are known so far. */
  sources({ settings, workspaceId }: Rendered): Source[] {
    const { feed, weather } = sourcesOf(settings, workspaceId, this.#deps.library);
    const known = feed && (this.#deps.store.find(feed.key)?.data as Feed | null | undefined);
    return [feed, weather]
      .filter((source) => source !== undefined)
      .concat([...this.#pictures({ settings, workspaceId }).values()], feedPictures(settings, known ?? undefined));
  }

  sourcesOfWidget(widget: WidgetSource): Source[] {
    return this.sources({
      settings: settingsOf(widget.widget_type as WidgetType, widget.config),
      workspaceId: widget.workspace_id,
    });
  }

  /** Returns undefined when the page needs no data. */
  data({ settings, workspaceId }: Rendered): WidgetData | undefined {
    const { feed, weather } = sourcesOf(settings, workspaceId, this.#deps.library);
    const pictures = this.#pictures({ settings, workspaceId });
    if (!needsData(settings) && pictures.size === 0) return undefined;
    const main = feed ?? weather;
    const stored = main && this.#deps.store.find(main.key);
    const room = { left: MAX_BYTES };
    return {
      fetched_at: stored?.fetched_at ?? null,
      error: stored?.error ?? null,
      ...(feed && stored?.data ? { feed: this.#feed(settings, stored.data as Feed, room) } : {}),
      ...(weather && stored?.data ? { weather: stored.data as Weather } : {}),
      ...this.#categories(settings, workspaceId),
      ...(pictures.size > 0 && { pictures: this.embedded(pictures, room) }),
    };
  }

  dataOfWidget(widget: WidgetSource): WidgetData | undefined {
    return this.data({
      settings: settingsOf(widget.widget_type as WidgetType, widget.config),
      workspaceId: widget.workspace_id,
    });
  }

  #pictures({ settings, workspaceId }: Rendered): ReadonlyMap<string, Source> {
    const kiosk = settings.type === 'webpage' ? this.#deps.kiosk.pictures(workspaceId, settings.url) : undefined;
    if (!kiosk) return sourcesOf(settings, workspaceId, this.#deps.library).pictures;
    return picturesByAddress(
      kiosk.map((url) => ({ url, pixels: LOGO_PIXELS })),
      workspaceId,
      this.#deps.library,
    );
  }

  /** Returns only the feed items that are shown, with embedded pictures, because screens may have no internet. */
  #feed(settings: WidgetSettings, feed: Feed, room: { left: number }): Feed {
    const max = settings.type === 'rss' || settings.type === 'social' ? settings.max_items : 0;
    const wanted = new Map(
      feedPictures(settings, feed).map((source) => [source.kind === 'picture' ? source.url : '', source]),
    );
    return {
      title: feed.title,
      items: feed.items.slice(0, max).map((item) => ({
        ...item,
        image: (item.image && wanted.has(item.image) && this.#picture(wanted.get(item.image)!, room)) || null,
      })),
    };
  }

  /** Returns the available pictures as data URLs. */
  embedded(pictures: ReadonlyMap<string, Source>, room = { left: MAX_BYTES }): Record<string, string> {
    return Object.fromEntries(
      [...pictures].flatMap(([url, source]) => {
        const data = this.#picture(source, room);
        return data ? [[url, data]] : [];
      }),
    );
  }

  #picture(source: Source, room: { left: number }): string | undefined {
    const data: StoredSource['data'] = this.#deps.store.find(source.key)?.data;
    if (typeof data !== 'string' || data.length > room.left) return undefined;
    room.left -= data.length;
    return data;
  }

  #categories(settings: WidgetSettings, workspaceId: string): { categories?: unknown[] } {
    if (settings.type !== 'directory-search' || !settings.source_widget_id) return {};
    const source = this.#deps.widgets.find(workspaceId, settings.source_widget_id);
    if (!source || (source.widget_type !== 'directory-board' && source.widget_type !== 'directory-search'))
      return { categories: [] };
    return { categories: settingsOf(source.widget_type, source.config).categories };
  }
}
