/**
 * Pages of widgets and kiosk pages for players: files named by their hash, which stay the same while feeds and weather
 * change (server/programs). Their folder can be deleted at any time, because a page can be made again from its widget.
 */
import { WidgetType as Types } from '../../../shared/contract/content/widgets.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { NamedKioskPages } from '../kiosk/named-pages.ts';
import type { PageFiles } from './pages/page-files.ts';
import { widgetPage } from './pages/widget-page.ts';
import { needsData } from './sources.ts';
import { settingsOf } from './widget-config.ts';
import type { WidgetsStore } from './widgets.store.ts';

/** Page that a program's item shows for a widget. */
interface ShownPage {
  readonly kind: 'widget' | 'kiosk' | 'web';
  readonly asset: Asset | null;
  readonly url: string | null;
  readonly dataUrl: string | null;
  /** Zoom of a live page in percent, and seconds between reloads (0 = never). */
  readonly web?: { readonly zoom: number; readonly refreshSec: number };
}

interface Deps {
  /** Pages in `<data>/pages`. */
  readonly files: PageFiles;
  readonly widgets: Pick<WidgetsStore, 'findAnywhere'>;
  /** Finds kiosk pages that webpage widgets show. */
  readonly kiosk: Pick<NamedKioskPages, 'page'>;
}

export class WidgetPageFiles implements Lifecycle {
  readonly name = 'widget-pages';
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#deps.files.start();
  }

  stop(): void {}

  /** Returns undefined when the widget has nothing to show. */
  page(widget: {
    readonly id: string;
    readonly type: string;
    readonly config: Record<string, unknown>;
  }): ShownPage | undefined {
    const type = Types.safeParse(widget.type);
    if (!type.success) return undefined;
    if (type.data === 'webpage') return this.#webPage(widget);
    try {
      const settings = settingsOf(type.data, widget.config);
      const asset = this.#deps.files.asset(widget.id, JSON.stringify(settings), () => widgetPage(settings));
      return { kind: 'widget', asset, url: null, dataUrl: needsData(settings) ? dataPath(widget.id) : null };
    } catch {
      // A config that a version with other rules has stored shows nothing, so that the rest of the program still works.
      return undefined;
    }
  }

  /** Returns the path of a page's file; undefined when no such page exists (any more). */
  path(sha256: string): string | undefined {
    const { files } = this.#deps;
    const widgetId = files.ownerOf(sha256);
    if (widgetId === undefined) return undefined;
    const path = files.path(sha256);
    if (path !== undefined) return path;
    files.forget(widgetId);
    const row = this.#deps.widgets.findAnywhere(widgetId);
    const again = row && this.page({ id: row.id, type: row.widget_type, config: row.config });
    return again?.asset?.sha256 === sha256 ? files.path(sha256) : undefined;
  }

  #webPage(widget: { readonly id: string; readonly config: Record<string, unknown> }): ShownPage | undefined {
    const settings = settingsOf('webpage', widget.config);
    if (!settings.url) return undefined;
    const workspaceId = this.#deps.widgets.findAnywhere(widget.id)?.workspace_id;
    const kiosk = workspaceId === undefined ? undefined : this.#deps.kiosk.page(workspaceId, settings.url);
    if (kiosk)
      return {
        kind: 'kiosk',
        asset: this.#deps.files.asset(widget.id, kiosk.key, kiosk.render),
        url: null,
        dataUrl: kiosk.hasPictures ? dataPath(widget.id) : null,
      };
    if (!/^https?:\/\//i.test(settings.url)) return undefined;
    return {
      kind: 'web',
      asset: null,
      url: settings.url,
      dataUrl: null,
      web: { zoom: settings.zoom, refreshSec: settings.refresh_interval },
    };
  }
}

const dataPath = (widgetId: string): string => `/api/player/widgets/${widgetId}/data`;
