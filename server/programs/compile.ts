/** Compiles database rows into a program: the immutable value that a screen plays (shared/program). */
import { createHash } from 'node:crypto';
import { fill, slotKind } from '../../shared/chain/slots.ts';
import { toProgramLayout, toProgramSchedule } from '../../shared/program/from-records.ts';
import type { Asset, ItemKind, Program, ProgramItem, ProgramPlaylist } from '../../shared/program/program.ts';
import { PLACE_OF_RANK } from '../../shared/program/ranks.ts';
import type { Assignment } from './assignment.ts';
import type { ProgramsStore, PublishedRow, SubjectRow } from './programs.store.ts';

/** Duration in seconds of content without its own length. Equals the default of playlists. */
const DEFAULT_SECONDS = 10;

/** Pages that are generated from widgets and stored like files (features/widgets). */
export interface WidgetPages {
  /**
   * Returns the page of a widget; undefined when the widget has nothing to show. `url`: a live address instead of a
   * generated page.
   */
  page(widget: { id: string; type: string; config: Record<string, unknown> }):
    | {
        kind: 'widget' | 'kiosk' | 'web';
        asset: Asset | null;
        url: string | null;
        dataUrl: string | null;
        web?: { zoom: number; refreshSec: number };
      }
    | undefined;
}

/** Pages of designs, stored like files (features/designs). */
export interface DesignPages {
  /**
   * Returns the page of a design, and the files that the page shows by their key (`ProgramItem.files`). Undefined when the
   * document cannot be read. `shown`: ids of all contents that the design names, even those without a file.
   */
  page(design: {
    id: string;
    name: string;
    sha256: string;
  }): { asset: Asset; files: Readonly<Record<string, Asset>>; shown: readonly string[] } | undefined;
}

export interface Compiled {
  readonly id: string;
  readonly bytes: Buffer;
  readonly program: Program;
  /** Ids of all contents and widgets that the program may show, also as a part of a design. */
  readonly subjects: ReadonlySet<string>;
  /**
   * Everything that the program depends on, as texts of topic and id. If one of these records changes, the program may
   * change. Four texts have no id: `brand` (the brand of the workspace), `kiosk` (any kiosk page), `pictures` (any
   * content), and `zones` (creation or deletion of any zone).
   */
  readonly uses: ReadonlySet<string>;
}

interface Sources {
  readonly store: ProgramsStore;
  readonly widgets: WidgetPages;
  readonly designs: DesignPages;
}

export const compile = (workspaceId: string, assignment: Assignment, sources: Sources): Compiled => {
  const { store } = sources;
  const assets = new Map<string, Asset>();
  const subjects = new Set<string>();
  const uses = new Set<string>();
  const item = (subject: SubjectRow | undefined, published?: PublishedRow) =>
    subject && toItem(subject, published, { sources, assets, subjects, uses });
  const content = (id: string | null) => (id ? item(store.content(workspaceId, id)) : undefined) ?? null;
  const widget = (id: string | null) => (id ? item(store.widget(workspaceId, id)) : undefined) ?? null;

  const planned = [...assignment.schedules, ...assignment.campaigns];
  const layoutIds = new Set([assignment.layoutId, ...planned.map((s) => s.layout_id)].filter((id) => id !== null));
  const records = [...layoutIds].sort().flatMap((id) => store.layout(workspaceId, id) ?? []);
  const layouts = records.map((layout) =>
    toProgramLayout(layout, ({ content_id, widget_id }) => content(content_id) ?? widget(widget_id)),
  );
  const playlistIds = new Set(
    [
      assignment.playlistId,
      ...planned.map((s) => s.playlist_id),
      ...records.flatMap(({ zones }) => zones.map((zone) => zone.playlist_id)),
    ].filter((id) => id !== null),
  );
  for (const id of playlistIds) uses.add(`playlists ${id}`);
  for (const id of layoutIds) uses.add(`layouts ${id}`);
  for (const { zone_id } of assignment.schedules) if (zone_id) uses.add(`zones ${zone_id}`);
  const playlists = [...playlistIds].sort().flatMap((id): ProgramPlaylist[] => {
    const row = store.playlist(workspaceId, id);
    if (!row) return [];
    const items = store.published(id).flatMap((published) => {
      const transition = published.transition ?? row.published_transition;
      const own = item(published, { ...published, transition }) ?? [];
      if (published.slot_id === null) return own;
      const filled = inSlot(workspaceId, published, { store, uses, item });
      return filled.length > 0 ? filled : own;
    });
    return [{ id, name: row.name, anchor_ms: row.published_ms ?? 0, items }];
  });
  const schedules = [
    ...assignment.schedules.map((s) =>
      toProgramSchedule({ ...s, id: s.plan_id }, s.content_id ? content(s.content_id) : widget(s.widget_id)),
    ),
    ...assignment.campaigns.map(({ rank, ...plan }) => ({
      ...toProgramSchedule({ ...plan, device_id: null, zone_id: null, priority: 0 }, null),
      ...PLACE_OF_RANK[rank],
    })),
  ];
  const [fallback, ...fallbacks] = fallbacksOf(assignment.fallbackIds, content);
  const program: Program = {
    format: 1,
    base: {
      layout_id: assignment.layoutId,
      playlist_id: assignment.playlistId,
      item: content(assignment.contentId),
      source: assignment.source,
    },
    fallback: fallback ?? null,
    ...(fallbacks.length > 0 && { fallbacks }),
    layouts,
    playlists,
    schedules,
    assets: [...assets.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
  };
  const bytes = Buffer.from(JSON.stringify(program));
  return { id: createHash('sha256').update(bytes).digest('hex'), bytes, program, subjects, uses };
};

/** Returns the items of the playlist that the store chose for a campaign slot, up to the limits of the slot. */
const inSlot = (
  workspaceId: string,
  place: PublishedRow,
  {
    store,
    uses,
    item,
  }: {
    readonly store: ProgramsStore;
    readonly uses: Set<string>;
    readonly item: (subject: SubjectRow, published: PublishedRow) => ProgramItem | undefined;
  },
): ProgramItem[] => {
  const slot = store.slot(workspaceId, place.slot_id!);
  if (!slot?.playlist_id) return [];
  uses.add(`playlists ${slot.playlist_id}`);
  const items = store.published(slot.playlist_id).flatMap((published) => {
    const made = item(published, { ...published, transition: published.transition ?? slot.transition });
    return made ? [{ made, kind: slotKind(made), seconds: made.duration_ms / 1000 }] : [];
  });
  const blocksOf = ({ blocks }: ProgramItem) => (blocks.length > 0 ? blocks : place.blocks);
  return fill(slot.limits, items).taken.map(({ made }) => ({
    ...made,
    zone_id: place.zone_id,
    blocks: blocksOf(made),
  }));
};

/** Returns the items of a playlist in order, as screens get them. `item` is undefined when there is nothing to show. */
export const publishedItems = (
  playlistId: string,
  sources: Sources,
): { readonly row: PublishedRow; readonly item: ProgramItem | undefined }[] => {
  const context: ItemContext = { sources, assets: new Map(), subjects: new Set(), uses: new Set() };
  return sources.store.published(playlistId).map((row) => ({ row, item: toItem(row, row, context) }));
};

/** Returns the fallback items in order, up to the first item that is always valid. Later items could never play. */
const fallbacksOf = (ids: readonly string[], content: (id: string) => ProgramItem | null): ProgramItem[] => {
  const items: ProgramItem[] = [];
  for (const id of ids) {
    const item = content(id);
    if (item) items.push(item);
    if (item && !item.valid) break;
  }
  return items;
};

/** Returns the intersection of two validity ranges. Times are text that sorts chronologically. */
const validityOf = (row: SubjectRow, published: PublishedRow | undefined): Pick<ProgramItem, 'valid'> => {
  const pick = (one: string | null, other: string | null, isOne: (a: string, b: string) => boolean) =>
    one === null || other === null ? (one ?? other) : isOne(one, other) ? one : other;
  const from = pick(row.valid_from, published?.item_from ?? null, (a, b) => a > b);
  const until = pick(row.valid_until, published?.item_until ?? null, (a, b) => a < b);
  return from === null && until === null ? {} : { valid: { from, until } };
};

interface ItemContext {
  readonly sources: Sources;
  readonly assets: Map<string, Asset>;
  readonly subjects: Set<string>;
  readonly uses: Set<string>;
}

/**
 * Returns undefined when there is nothing to show yet, for example a remote file that is not downloaded, or a widget
 * without a page.
 */
const toItem = (
  row: SubjectRow,
  published: PublishedRow | undefined,
  context: ItemContext,
): ProgramItem | undefined => {
  const { uses } = context;
  uses.add(row.widget_id ? `widgets ${row.widget_id}` : `content ${row.content_id}`);
  if (published?.zone_id) uses.add(`zones ${published.zone_id}`);
  if (row.widget_type === 'webpage') uses.add('kiosk');
  const shown = row.widget_id
    ? widgetPage(row, context.sources.widgets)
    : row.kind === 'design'
      ? designPage(row, context)
      : file(row);
  if (shown?.kind === 'kiosk') uses.add('pictures');
  if (!shown) return undefined;
  for (const asset of [shown.asset, ...Object.values(shown.files ?? {})])
    if (asset) context.assets.set(asset.sha256, asset);
  for (const id of [row.widget_id ?? row.content_id ?? '', ...Object.keys(shown.files ?? {})]) context.subjects.add(id);
  const seconds =
    published?.item_seconds ?? (row.duration_sec === null ? DEFAULT_SECONDS : Math.max(1, Math.ceil(row.duration_sec)));
  return {
    item_id: published?.id ?? null,
    content_id: row.content_id,
    widget_id: row.widget_id,
    kind: shown.kind,
    name: row.name,
    asset: shown.asset?.sha256 ?? null,
    url: shown.url,
    data_url: shown.dataUrl,
    duration_ms: seconds * 1000,
    media_ms: row.duration_sec ? row.duration_sec * 1000 : null,
    width: row.width,
    height: row.height,
    muted: published?.muted ?? false,
    ...(shown.web && { web: { zoom: shown.web.zoom, refresh_s: shown.web.refreshSec } }),
    ...(shown.files && {
      files: Object.fromEntries(Object.entries(shown.files).map(([id, { sha256 }]) => [id, sha256])),
    }),
    zone_id: published?.zone_id ?? null,
    blocks: published?.blocks ?? [],
    ...validityOf(row, published),
    ...(published?.transition && published.transition.kind !== 'cut' && { transition: published.transition }),
  };
};

type Shown = {
  kind: ItemKind;
  asset: Asset | null;
  url: string | null;
  dataUrl: string | null;
  web?: { zoom: number; refreshSec: number };
  files?: Readonly<Record<string, Asset>>;
};

const widgetPage = (row: SubjectRow, pages: WidgetPages): Shown | undefined =>
  pages.page({ id: row.widget_id!, type: row.widget_type!, config: row.widget_config ?? {} });

const designPage = (row: SubjectRow, { sources, uses }: ItemContext): Shown | undefined => {
  if (row.sha256 === null || row.content_id === null) return undefined;
  uses.add('brand');
  const page = sources.designs.page({ id: row.content_id, name: row.name, sha256: row.sha256 });
  for (const id of page?.shown ?? []) uses.add(`content ${id}`);
  return page && { kind: 'design', asset: page.asset, url: null, dataUrl: null, files: page.files };
};

const file = (row: SubjectRow): Shown | undefined => {
  const kind = row.kind as Exclude<ItemKind, 'widget' | 'kiosk' | 'design'>;
  if (row.sha256)
    return {
      kind,
      asset: { sha256: row.sha256, size: row.file_size ?? 0, mime: row.mime_type ?? 'application/octet-stream' },
      url: null,
      dataUrl: null,
    };
  if (row.remote_url && (kind === 'web' || kind === 'embed'))
    return { kind, asset: null, url: row.remote_url, dataUrl: null };
  return undefined;
};
