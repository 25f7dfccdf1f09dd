/**
 * Builds the document of a campaign for stores, from what people decided and from headquarters' library at this moment.
 * The same library gives the same document, byte by byte. Throws an error that names the record when a store could not
 * show it.
 */
import { createHash } from 'node:crypto';
import {
  type CampaignBlob,
  type CampaignContent,
  CampaignDoc,
  type CampaignItem,
  type CampaignLayout,
  type CampaignPlaylist,
  MAX_CAMPAIGN_BYTES,
} from '../../../shared/chain/campaign.ts';
import { idInCampaign } from '../../../shared/chain/campaign-ids.ts';
import { MAX_PLACES, namesUsedBy } from '../../../shared/chain/values.ts';
import {
  contentFields,
  lookFields,
  type WidgetType,
  widgetTypes,
} from '../../../shared/contract/content/widget-types.ts';
import { conflict } from '../../../shared/contract/errors.ts';
import type { CampaignBody, CampaignSlot } from '../../../shared/contract/headquarters/campaigns.ts';

export type LibraryContent = CampaignContent;
export type LibraryItem = Omit<CampaignItem, 'slot'>;
export type LibraryZone = CampaignLayout['zones'][number];
export type LibraryLayout = CampaignLayout;
export interface LibraryPlaylist extends Omit<CampaignPlaylist, 'items' | 'published_ms'> {
  /** Null: the playlist was never published. */
  readonly published_ms: number | null;
  /** Published items of the playlist. */
  readonly items: readonly LibraryItem[];
}
type LibraryWidget = CampaignDoc['widgets'][number];

/** The published library of one workspace. Each function returns undefined for an unknown id. */
export interface CampaignLibrary {
  playlist(id: string): LibraryPlaylist | undefined;
  layout(id: string): LibraryLayout | undefined;
  content(id: string): LibraryContent | undefined;
  widget(id: string): LibraryWidget | undefined;
  /** Returns the name of the kiosk page with this id; undefined if there is no such page. */
  kioskPage(id: string): string | undefined;
}

/** A campaign as people decided it. Each slot (a position in the playlist that stores fill) has an id. */
export type DecidedCampaign = Omit<CampaignBody, 'slots'> & {
  readonly id: string;
  readonly slots: readonly (CampaignSlot & { readonly id: string })[];
};

/** Number of hex digits taken from the hash of a playlist id. Ids of records must not be longer. */
const NAME_DIGITS = 16;
/** Seconds that a still plays in a slot that no store fills. Equals the default duration of items in playlists. */
const STILL_SECONDS = 10;

/** @throws ApiError 409 with a sentence */
export const buildDocument = (
  library: CampaignLibrary,
  campaign: DecidedCampaign,
  { edition, made_ms }: Pick<CampaignDoc, 'edition' | 'made_ms'>,
): { readonly doc: CampaignDoc; readonly text: string } => {
  const parts = new Parts(library, campaign.id);
  const layout = layoutOf(campaign, parts);
  const playlist = campaign.playlist_id === null ? null : parts.main(campaign.playlist_id, campaign.slots);
  const all = parts.all();
  const doc: CampaignDoc = {
    vitrine: 'campaign',
    version: hasPlaces(all.widgets) ? 2 : 1,
    id: campaign.id,
    name: campaign.name,
    edition,
    made_ms,
    rank: campaign.rank,
    screen_tags: campaign.screen_tags,
    start_time: campaign.start_time,
    end_time: campaign.end_time,
    recurrence: campaign.recurrence,
    recurrence_end: campaign.recurrence_end,
    begins: campaign.begins,
    playlist_id: playlist,
    layout_id: layout,
    ...all,
  };
  if (doc.contents.length + doc.widgets.length + campaign.slots.length === 0)
    throw conflict('The campaign has nothing to show. Choose a playlist or layout that is not empty.');
  const text = JSON.stringify(doc);
  if (Buffer.byteLength(text) > MAX_CAMPAIGN_BYTES || !CampaignDoc.safeParse(doc).success)
    throw conflict('The campaign is too large for stores. Divide the campaign into several campaigns.');
  return { doc, text };
};

const layoutOf = ({ id, layout_id, whole_screen }: DecidedCampaign, parts: Parts): string | null => {
  if (layout_id !== null) return parts.layout(layout_id);
  return whole_screen ? parts.fullScreen(idInCampaign(id, 'full')) : null;
};

/**
 * Returns whether a widget contains placeholders for values of stores.
 * @throws ApiError 409 when a placeholder is invalid, or when there are too many placeholders
 */
const hasPlaces = (widgets: CampaignDoc['widgets']): boolean => {
  let places = 0;
  let isAny = false;
  for (const widget of widgets) {
    const asked = namesUsedBy(widget);
    if (asked.wrong === 'braces')
      throw conflict(
        `The widget ${widget.name} has two braces that are not followed by the name of a value. Write {{price}} for a value, and four braces to show two braces.`,
      );
    if (asked.wrong === 'place')
      throw conflict(
        `The widget ${widget.name} has a value where none is allowed. Use values in texts, and in addresses after the host name.`,
      );
    places += asked.places;
    isAny ||= asked.isTemplate;
  }
  if (places > MAX_PLACES)
    throw conflict(
      `The widgets of the campaign use values in more than ${MAX_PLACES} places. Divide the campaign into several campaigns.`,
    );
  return isAny;
};

/**
 * Collects the records of a document, each once, and every record that they need. Playlists and layouts get ids that
 * begin with the id of the campaign. Therefore an edition never changes playlists of other campaigns in a store, and
 * the id of a played playlist shows the campaign.
 */
class Parts {
  readonly #library: CampaignLibrary;
  readonly #campaign: string;
  readonly #contents = new Map<string, CampaignContent>();
  readonly #widgets = new Map<string, LibraryWidget>();
  readonly #playlists = new Map<string, CampaignPlaylist>();
  readonly #layouts: CampaignLayout[] = [];
  /** Maps the id of a zone at headquarters to its id in stores. */
  readonly #zones = new Map<string, string>();

  constructor(library: CampaignLibrary, campaign: string) {
    this.#library = library;
    this.#campaign = campaign;
  }

  all(): Pick<CampaignDoc, 'contents' | 'widgets' | 'playlists' | 'layouts'> {
    const sorted = <T extends { readonly id: string }>(records: Map<string, T>) =>
      [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      contents: sorted(this.#contents),
      widgets: sorted(this.#widgets),
      playlists: sorted(this.#playlists),
      layouts: this.#layouts,
    };
  }

  /** Adds the layout. Returns its id in stores. @throws ApiError 409 */
  layout(id: string): string {
    const found = this.#library.layout(id);
    if (!found) throw conflict('The campaign’s layout no longer exists. Choose another one.');
    const { zones, ...layout } = found;
    for (const [i, zone] of zones.entries()) this.#zones.set(zone.id, idInCampaign(this.#campaign, `zone-${i}`));
    const kept = zones.map((zone) => {
      const { content_id, widget_id, playlist_id } = zone;
      if (content_id !== null) this.content(content_id);
      if (widget_id !== null) this.widget(widget_id);
      return {
        ...zone,
        id: this.#zones.get(zone.id)!,
        playlist_id: playlist_id === null ? null : this.#ofZone(playlist_id),
      };
    });
    const made = { ...layout, id: idInCampaign(this.#campaign, 'layout'), zones: kept };
    this.#layouts.push(made);
    return made.id;
  }

  /** Adds a layout with one zone that fills the screen. */
  fullScreen(id: string): string {
    const nothing = { content_id: null, widget_id: null, playlist_id: null };
    const place = { x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100, z_index: 0 };
    const look = { zone_type: 'content', fit_mode: 'cover', background_color: '#000000' } as const;
    this.#layouts.push({
      id,
      name: 'Full screen',
      width: 1920,
      height: 1080,
      zones: [{ id: `${id}-zone`, name: 'Main', ...place, ...look, ...nothing }],
    });
    return id;
  }

  /**
   * Adds the main playlist of the campaign. Returns the id that stores use for this playlist.
   * @throws ApiError 409 if the playlist no longer exists or is not published
   */
  main(id: string, slots: DecidedCampaign['slots']): string {
    return this.#playlist(id, idInCampaign(this.#campaign, 'playlist'), slots);
  }

  /** Adds the playlist of a zone. Returns its id in stores. */
  #ofZone(id: string): string {
    const name = createHash('sha256').update(id).digest('hex').slice(0, NAME_DIGITS);
    return this.#playlist(id, idInCampaign(this.#campaign, name), []);
  }

  #playlist(id: string, ownId: string, slots: DecidedCampaign['slots']): string {
    if (this.#playlists.has(ownId)) return ownId;
    const found = this.#library.playlist(id);
    if (!found) throw conflict('The campaign’s playlist no longer exists. Choose another one.');
    const { published_ms, items, ...rest } = found;
    if (published_ms === null)
      throw conflict(`The playlist ${rest.name} is not published. Publish it, then start the campaign.`);
    const kept = items.map((item): CampaignItem => {
      if (item.content_id !== null) this.content(item.content_id);
      if (item.widget_id !== null) this.widget(item.widget_id);
      return { ...item, zone_id: item.zone_id === null ? null : (this.#zones.get(item.zone_id) ?? null) };
    });
    this.#playlists.set(ownId, { ...rest, id: ownId, published_ms, items: this.#withSlots(kept, slots) });
    return ownId;
  }

  /** @throws ApiError 409 */
  content(id: string): CampaignContent {
    const known = this.#contents.get(id);
    if (known) return known;
    const content = this.#library.content(id);
    if (!content) throw conflict('A content item of the campaign no longer exists. Choose another one.');
    const isLive = (content.kind === 'web' || content.kind === 'embed') && content.remote_url !== null;
    if (content.file === null && !isLive)
      throw conflict(
        `The file of ${content.filename} is not on this server yet. Start the campaign when the file is there.`,
      );
    const kept = content.shows
      ? { ...content, shows: content.shows.filter((shown) => this.#isShowable(shown)) }
      : content;
    this.#contents.set(id, kept);
    for (const shown of kept.shows ?? []) this.content(shown);
    return kept;
  }

  /** Returns whether a design can show the content. For another content, it shows a placeholder in stores, as here. */
  #isShowable(id: string): boolean {
    const kind = this.#library.content(id)?.kind;
    return kind === 'image' || kind === 'video';
  }

  /** @throws ApiError 409 */
  widget(id: string): void {
    if (this.#widgets.has(id)) return;
    const widget = this.#library.widget(id);
    if (!widget) throw conflict('A widget of the campaign no longer exists. Choose another one.');
    this.#widgets.set(id, widget);
    for (const text of textsIn(widget.config)) this.#needs(widget.name, text);
    if (!isKnownType(widget.widget_type)) return;
    for (const [key, field] of [...contentFields(widget.widget_type), ...lookFields(widget.widget_type)]) {
      const value = widget.config[key];
      if (field.kind === 'source_widget' && typeof value === 'string' && this.#library.widget(value))
        this.widget(value);
      if (field.kind !== 'address' && field.kind !== 'page' && field.kind !== 'pictures') continue;
      const missing = textsIn(value).find((address) => /^\/(?!\/)/.test(address) && !this.#isContent(address));
      if (missing !== undefined)
        throw conflict(
          `The widget ${widget.name} shows ${missing} of this server, which stores do not have. Add that file to the content of this server, then choose the content in the widget.`,
        );
    }
  }

  /** Adds content that a widget names in its text. @throws ApiError 409 for a kiosk page */
  #needs(widget: string, text: string): void {
    for (const [, id = ''] of text.matchAll(CONTENT)) if (this.#library.content(id)) this.content(id);
    for (const [, id = ''] of text.matchAll(KIOSK)) {
      const page = this.#library.kioskPage(id);
      if (page !== undefined)
        throw conflict(
          `The widget ${widget} shows the kiosk page ${page}, and kiosk pages cannot be sent to stores. Remove the widget from the campaign.`,
        );
    }
  }

  #isContent(address: string): boolean {
    return [...address.matchAll(CONTENT)].some(([, id = '']) => this.#contents.has(id));
  }

  #withSlots(items: readonly CampaignItem[], slots: DecidedCampaign['slots']): CampaignItem[] {
    const all: CampaignItem[] = [];
    for (let before = 0; before <= items.length; before++) {
      for (const slot of slots) if (Math.min(slot.after, items.length) === before) all.push(this.#slotItem(slot));
      if (before < items.length) all.push(items[before]!);
    }
    return all;
  }

  #slotItem({ after: _, content_id, ...slot }: CampaignSlot & { readonly id: string }): CampaignItem {
    const seconds = content_id === null ? null : this.content(content_id).duration_sec;
    return {
      content_id,
      widget_id: null,
      slot,
      zone_id: null,
      duration_sec: seconds === null ? STILL_SECONDS : Math.max(1, Math.ceil(seconds)),
      muted: false,
      blocks: [],
      transition: null,
      valid_from: null,
      valid_until: null,
    };
  }
}

/** Matches paths of files on this server, which may occur in any text in the config of a widget. */
const CONTENT = /\/api\/content\/([\w-]+)\/(?:file|thumbnail)/gi;
const KIOSK = /\/api\/kiosk\/([\w-]+)\/render/gi;

const isKnownType = (type: string): type is WidgetType => Object.hasOwn(widgetTypes, type);

/** Returns every text in a value, at any depth. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Returns the total size of the files, in bytes. */
export const bytesOf = (blobs: readonly CampaignBlob[]): number => blobs.reduce((sum, { size }) => sum + size, 0);
