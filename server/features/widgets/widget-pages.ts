/**
 * The pages of widgets and kiosk pages as players keep them: files named by their hash, which stay the same while feeds
 * and weather change (server/programs). Kept in a folder that can be deleted at any time; a page is made again from its
 * widget.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WidgetType as Types } from '../../../shared/contract/widgets.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { recent } from '../../kernel/recent.ts';
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

/** What an item of a program shows for a widget. */
interface ShownPage {
  readonly kind: 'widget' | 'kiosk' | 'web';
  readonly asset: Asset | null;
  readonly url: string | null;
  readonly dataUrl: string | null;
  /** Tells of a live page its zoom in percent, and the seconds between reloads (0 = never). */
  readonly web?: { readonly zoom: number; readonly refreshSec: number };
}

/** Memory for which page a widget has; each is some 200 bytes and its config. */
const MAX_KNOWN = 5000;
/** Files of edits that nobody plays any more go at the next start. */
const FOLDER_MODE = 0o700;

interface Deps {
  readonly folder: string;
  readonly widgets: Pick<WidgetsStore, 'findAnywhere'>;
  /** Kiosk pages that webpage widgets show. */
  readonly kiosk: Pick<NamedKioskPages, 'page'>;
}

export class WidgetPageFiles implements Lifecycle {
  readonly name = 'widget-pages';
  readonly #deps: Deps;
  /** Remembers, for each widget, what its page was made of and what it is. */
  readonly #known = recent<string, { readonly key: string; readonly asset: Asset }>(MAX_KNOWN);
  readonly #byHash = recent<string, string>(MAX_KNOWN);

  /** @param deps.folder `<data>/pages` */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Pages of earlier runs are made again when they are asked for; some of them by a newer version, with another hash.
   */
  start(): void {
    const { folder } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    // Pages, and halves of them: what somebody else put there is not ours to remove.
    for (const name of readdirSync(folder))
      if (/^[0-9a-f]{64}(\.tmp)?$/.test(name) && !this.#byHash.has(name)) rmSync(join(folder, name), { force: true });
  }

  stop(): void {}

  /** Returns undefined when nothing can be shown for it. */
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
      // Stored by a version with other rules: shows nothing rather than stopping the whole program.
      return undefined;
    }
  }

  /** Where the file of a page is; undefined: there is no such page (any more). */
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

  /** Writes some 100 KB, once for each version of a widget. On a full disk it is made again when it is asked for. */
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
