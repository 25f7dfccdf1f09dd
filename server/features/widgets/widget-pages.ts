/**
 * Pages of widgets and kiosk pages for players: files named by their hash, which stay the same while feeds and weather
 * change (server/programs). Their folder can be deleted at any time, because a page can be made again from its widget.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WidgetType as Types } from '../../../shared/contract/content/widgets.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { NamedKioskPages } from '../kiosk/named-pages.ts';
import type { PageDocument } from './pages/document.ts';
import { widgetPage } from './pages/widget-page.ts';
import { needsData } from './sources.ts';
import { settingsOf } from './widget-config.ts';
import type { WidgetsStore } from './widgets.store.ts';

interface Asset {
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
}

/** Page that a program's item shows for a widget. */
interface ShownPage {
  readonly kind: 'widget' | 'kiosk' | 'web';
  readonly asset: Asset | null;
  readonly url: string | null;
  readonly dataUrl: string | null;
  /** Zoom of a live page in percent, and seconds between reloads (0 = never). */
  readonly web?: { readonly zoom: number; readonly refreshSec: number };
}

/** Maximum number of remembered pages. Each page takes some 200 bytes plus its config. */
const MAX_KNOWN = 5000;
/** Permissions of the folder: only the user of the server has access. */
const FOLDER_MODE = 0o700;

interface Deps {
  readonly folder: string;
  readonly widgets: Pick<WidgetsStore, 'findAnywhere'>;
  /** Finds kiosk pages that webpage widgets show. */
  readonly kiosk: Pick<NamedKioskPages, 'page'>;
}

export class WidgetPageFiles implements Lifecycle {
  readonly name = 'widget-pages';
  readonly #deps: Deps;
  /** Page of each widget, with a key that contains everything that the page was made from. */
  readonly #known = recent<string, { readonly key: string; readonly asset: Asset }>(MAX_KNOWN);
  readonly #byHash = recent<string, string>(MAX_KNOWN);

  /** @param deps.folder `<data>/pages` */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Deletes pages of earlier runs. They are made again on demand, some by a newer version with another hash. */
  start(): void {
    const { folder } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    // Deletes only pages and partial pages, no other files.
    for (const name of readdirSync(folder))
      if (/^[0-9a-f]{64}(\.tmp)?$/.test(name) && !this.#byHash.has(name)) rmSync(join(folder, name), { force: true });
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
      const asset = this.#asset(widget.id, JSON.stringify(settings), () => widgetPage(settings));
      return { kind: 'widget', asset, url: null, dataUrl: needsData(settings) ? dataPath(widget.id) : null };
    } catch {
      // A config that a version with other rules has stored shows nothing, so that the rest of the program still works.
      return undefined;
    }
  }

  /** Returns the path of a page's file; undefined when no such page exists (any more). */
  path(sha256: string): string | undefined {
    const widgetId = this.#byHash.get(sha256);
    if (widgetId === undefined) return undefined;
    const path = join(this.#deps.folder, sha256);
    if (existsSync(path)) return path;
    this.#known.delete(widgetId);
    const row = this.#deps.widgets.findAnywhere(widgetId);
    const again = row && this.page({ id: row.id, type: row.widget_type, config: row.config });
    return again?.asset?.sha256 === sha256 ? path : undefined;
  }

  #webPage(widget: { readonly id: string; readonly config: Record<string, unknown> }): ShownPage | undefined {
    const settings = settingsOf('webpage', widget.config);
    if (!settings.url) return undefined;
    const workspaceId = this.#deps.widgets.findAnywhere(widget.id)?.workspace_id;
    const kiosk = workspaceId === undefined ? undefined : this.#deps.kiosk.page(workspaceId, settings.url);
    if (kiosk)
      return {
        kind: 'kiosk',
        asset: this.#asset(widget.id, kiosk.key, kiosk.render),
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

  #asset(widgetId: string, key: string, render: () => PageDocument): Asset {
    const known = this.#known.get(widgetId);
    if (known?.key === key) return known.asset;
    const bytes = Buffer.from(render().html);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const asset = { sha256, size: bytes.length, mime: 'text/html' };
    this.#known.set(widgetId, { key, asset });
    this.#byHash.set(sha256, widgetId);
    this.#write(sha256, bytes);
    return asset;
  }

  /** Writes some 100 KB, once per version of a widget. On a full disk the page is written later on demand. */
  #write(sha256: string, bytes: Buffer): void {
    const path = join(this.#deps.folder, sha256);
    if (existsSync(path)) return;
    try {
      mkdirSync(this.#deps.folder, { recursive: true, mode: FOLDER_MODE });
      writeFileSync(`${path}.tmp`, bytes, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      rmSync(`${path}.tmp`, { force: true });
    }
  }
}

const dataPath = (widgetId: string): string => `/api/player/widgets/${widgetId}/data`;
