/**
 * Takes an export over: every record is made anew by the service whose it is, under that service's rules, so that an export can
 * do nothing that its bearer could not do by hand. What one record lacks is a warning, not the end.
 */
import { readFile } from 'node:fs/promises';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import type { Imported, ImportPreview } from '../../../shared/contract/exchange.ts';
import { NewKioskPage } from '../../../shared/contract/kiosk.ts';
import { ZoneFields } from '../../../shared/contract/layouts.ts';
import { ScheduleBlock } from '../../../shared/contract/playlists.ts';
import { NewSchedule } from '../../../shared/contract/schedules.ts';
import { NewWidget } from '../../../shared/contract/widgets.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import type { BlobWriter } from '../../media/blob-writer.ts';
import type { ExchangeStore } from './exchange.store.ts';
import { Exchange, FORMAT, MANIFEST_NAME } from './exchange-format.ts';
import { fromScreentinker, isScreentinker, MANIFEST_NAME as SCREENTINKER_NAME } from './screentinker.ts';
import { ZipReader, ZipRefused } from './zip-reader.ts';

const MAX_MANIFEST = 64 * 1024 * 1024;
const MAX_WARNINGS = 200;

interface Made {
  readonly record: { readonly id: string };
}
/** The features whose records these are. */
export interface Makers {
  readonly content: {
    openUpload(expected: number): Promise<BlobWriter>;
    upload(actor: WorkspaceActor, file: { readonly name: string; readonly writer: BlobWriter }, place: { folder?: string | undefined }): Promise<Made>;
    createRemote(actor: WorkspaceActor, body: { url: string; name?: string | undefined; mime_type?: string | undefined }): Promise<Made>;
    createVideo(actor: WorkspaceActor, body: { url: string; name?: string | undefined }): Made;
  };
  readonly widgets: { create(actor: WorkspaceActor, body: NewWidget): Made };
  readonly kiosk: { create(actor: WorkspaceActor, body: NewKioskPage): Made };
  readonly layouts: {
    create(
      actor: WorkspaceActor,
      body: { name: string; width?: number | null | undefined; height?: number | null | undefined; zones?: ZoneFields[] },
    ): { readonly record: { readonly id: string; readonly zones: readonly { readonly id: string }[] } };
  };
  readonly playlists: {
    create(actor: WorkspaceActor, body: { name: string; description?: string | null | undefined }): Made;
    addItem(
      actor: WorkspaceActor,
      id: string,
      body: { content_id?: string | null; widget_id?: string | null; zone_id?: string | null; duration_sec?: number | null },
    ): { readonly record: { readonly id: number } };
    replaceSchedules(actor: WorkspaceActor, id: string, itemId: number, blocks: ScheduleBlock[]): unknown;
    publish(actor: WorkspaceActor, id: string): unknown;
  };
  readonly items: { update(actor: WorkspaceActor, itemId: number, body: { muted: 0 | 1 }): unknown };
  readonly groups: {
    create(actor: WorkspaceActor, body: { name: string; color?: string | null | undefined }): { readonly id: string };
    assignPlaylist(actor: WorkspaceActor, id: string, playlistId: string): unknown;
  };
  readonly schedules: { create(actor: WorkspaceActor, body: NewSchedule): unknown };
}

type Ids = Record<'contents' | 'widgets' | 'layouts' | 'zones' | 'playlists' | 'groups', Map<string, string>>;

export class ImportService {
  readonly #makers: Makers;
  readonly #store: ExchangeStore;

  constructor(deps: { makers: Makers; store: ExchangeStore }) {
    this.#makers = deps.makers;
    this.#store = deps.store;
  }

  /** @param path of the file that was sent. @throws ApiError 415, 507 */
  take(actor: WorkspaceActor, path: string): Promise<Imported> {
    return reading(path, async (zip) => new Import(this.#makers, this.#store, actor, zip).run((await understand(path, zip)).exchange));
  }

  /** What `take` would add, as far as it can be known before. @throws ApiError 415 */
  preview({ workspaceId }: WorkspaceActor, path: string): Promise<ImportPreview> {
    return reading(path, async (zip) => {
      const { exchange, from } = await understand(path, zip);
      const { contents, widgets, kiosk_pages, layouts, playlists, groups, schedules } = exchange;
      const screens = new Set(schedules.flatMap((schedule) => (schedule.device_name ? [schedule.device_name] : [])));
      return {
        from,
        contents: contents.length,
        widgets: widgets.length,
        kiosk_pages: kiosk_pages.length,
        layouts: layouts.length,
        playlists: playlists.length,
        groups: groups.length,
        schedules: schedules.length,
        groups_there: groups.map(({ name }) => name).filter((name) => this.#store.groupNamed(workspaceId, name)),
        screens_missing: [...screens].filter((name) => !this.#store.deviceNamed(workspaceId, name)),
      };
    });
  }
}

const reading = async <T>(path: string, read: (zip: ZipReader | undefined) => Promise<T>): Promise<T> => {
  const zip = await ZipReader.open(path).catch((error: unknown) => {
    if (error instanceof ZipRefused) return undefined;
    throw error;
  });
  try {
    return await read(zip);
  } finally {
    zip?.close();
  }
};

const notAnExport = () => new ApiError(415, 'This is no export: neither a ZIP of Vitrine, nor a ZIP or JSON of screentinker');

const understand = async (path: string, zip: ZipReader | undefined): Promise<{ exchange: Exchange; from: ImportPreview['from'] }> => {
  const names = zip?.names ?? new Set<string>();
  const name = [MANIFEST_NAME, SCREENTINKER_NAME].find((one) => names.has(one));
  if (zip && !name) throw notAnExport();
  let json: unknown;
  try {
    json = JSON.parse(zip ? await zip.text(name!, MAX_MANIFEST) : await textOf(path));
  } catch {
    throw notAnExport();
  }
  const from = isScreentinker(json) ? 'screentinker' : 'vitrine';
  const exchange = tried(() => (from === 'screentinker' ? fromScreentinker(json, names) : Exchange.parse(json)));
  if (!exchange) {
    if ((json as { format?: unknown } | null)?.format === FORMAT) throw new ApiError(415, 'This export was made by a newer version of Vitrine, or is damaged');
    throw notAnExport();
  }
  return { exchange, from };
};

const textOf = async (path: string): Promise<string> => {
  const bytes = await readFile(path);
  if (bytes.length > MAX_MANIFEST) throw notAnExport();
  return bytes.toString('utf8');
};
const tried = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

/** One run of it. */
class Import {
  readonly #makers: Makers;
  readonly #store: ExchangeStore;
  readonly #actor: WorkspaceActor;
  readonly #zip: ZipReader | undefined;
  readonly #warnings: string[] = [];
  readonly #ids: Ids = { contents: new Map(), widgets: new Map(), layouts: new Map(), zones: new Map(), playlists: new Map(), groups: new Map() };

  constructor(makers: Makers, store: ExchangeStore, actor: WorkspaceActor, zip: ZipReader | undefined) {
    this.#makers = makers;
    this.#store = store;
    this.#actor = actor;
    this.#zip = zip;
  }

  async run(from: Exchange): Promise<Imported> {
    const ids = this.#ids;
    for (const content of from.contents) await this.#each(`The content ${content.filename}`, () => this.#content(content));
    for (const { id, ...widget } of from.widgets)
      await this.#each(`The widget ${widget.name}`, () => ids.widgets.set(id, this.#makers.widgets.create(this.#actor, checked(NewWidget, widget)).record.id));
    let kiosk_pages = 0;
    for (const { id: _old, ...page } of from.kiosk_pages) {
      await this.#each(`The kiosk page ${page.name}`, () => {
        this.#makers.kiosk.create(this.#actor, checked(NewKioskPage, page));
        kiosk_pages++;
      });
    }
    for (const layout of from.layouts) await this.#each(`The layout ${layout.name}`, () => this.#layout(layout));
    for (const playlist of from.playlists) await this.#each(`The playlist ${playlist.name}`, () => this.#playlist(playlist));
    for (const group of from.groups) await this.#each(`The group ${group.name}`, () => this.#group(group));
    let schedules = 0;
    for (const schedule of from.schedules) {
      await this.#each(`The schedule ${schedule.title || '(without a title)'}`, () => {
        this.#schedule(schedule);
        schedules++;
      });
    }
    return {
      contents: ids.contents.size,
      widgets: ids.widgets.size,
      kiosk_pages,
      layouts: ids.layouts.size,
      playlists: ids.playlists.size,
      groups: ids.groups.size,
      schedules,
      warnings: this.#warnings,
    };
  }

  /** A full disk ends it; anything else that is wrong with one record does not. */
  async #each(what: string, make: () => unknown): Promise<void> {
    try {
      await make();
    } catch (error) {
      if (error instanceof ApiError && error.status === 507) throw error;
      if (!(error instanceof ApiError) && !(error instanceof ZipRefused)) throw error;
      this.#warn(`${what} was left out: ${error.message}`);
    }
  }

  #warn(sentence: string): void {
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(sentence);
  }

  async #content({ id, filename, mime_type, remote_url, folder, file }: Exchange['contents'][number]): Promise<void> {
    const { content } = this.#makers;
    const made = file
      ? await content.upload(this.#actor, { name: filename, writer: await this.#unpack(file) }, { folder: folder ?? undefined })
      : remote_url
        ? mime_type === 'video/embed'
          ? content.createVideo(this.#actor, { url: remote_url, name: filename })
          : await content.createRemote(this.#actor, { url: remote_url, name: filename, mime_type: mime_type ?? undefined })
        : undefined;
    if (!made) throw badRequest('its file is not in the export');
    this.#ids.contents.set(id, made.record.id);
  }

  async #unpack(name: string): Promise<BlobWriter> {
    const zip = this.#zip;
    if (!zip) throw new ZipRefused('its file is not in the export');
    const stream = await zip.read(name);
    const writer = await this.#makers.content.openUpload(zip.sizeOf(name) ?? 0);
    try {
      for await (const chunk of stream) await writer.write(chunk as Buffer);
      return writer;
    } catch (error) {
      await writer.abort();
      throw error instanceof ApiError ? error : new ZipRefused((error as Error).message);
    }
  }

  #layout({ id, name, width, height, zones }: Exchange['layouts'][number]): void {
    const fields = zones.map((zone) => checked(ZoneFields, zone));
    const { record } = this.#makers.layouts.create(this.#actor, { name, width, height, zones: fields });
    this.#ids.layouts.set(id, record.id);
    for (const [i, zone] of zones.entries()) this.#ids.zones.set(zone.id, record.zones[i]!.id);
  }

  #playlist({ id, name, description, published, items }: Exchange['playlists'][number]): void {
    const { playlists } = this.#makers;
    const made = playlists.create(this.#actor, { name, description }).record.id;
    this.#ids.playlists.set(id, made);
    let left = 0;
    for (const item of items) if (!this.#item(made, item)) left++;
    if (left > 0) this.#warn(`${left} items of the playlist ${name} were left out: what they show is not there`);
    if (published) playlists.publish(this.#actor, made);
  }

  #item(playlistId: string, { content_id, widget_id, zone_id, duration_sec, muted, schedules }: Exchange['playlists'][number]['items'][number]): boolean {
    const { playlists, items } = this.#makers;
    const shows = { content_id: this.#new('contents', content_id), widget_id: this.#new('widgets', widget_id) };
    if (!shows.content_id === !shows.widget_id) return false;
    const duration = typeof duration_sec === 'number' && duration_sec >= 1 ? Math.round(duration_sec) : null;
    const { record } = playlists.addItem(this.#actor, playlistId, { ...shows, zone_id: this.#zone(zone_id), duration_sec: duration });
    if (muted) items.update(this.#actor, record.id, { muted: 1 });
    const blocks = schedules.flatMap((block) => ScheduleBlock.safeParse(block).data ?? []);
    if (blocks.length > 0) playlists.replaceSchedules(this.#actor, playlistId, record.id, blocks);
    return true;
  }

  #group({ id, name, color, playlist_id }: Exchange['groups'][number]): void {
    const there = this.#store.groupNamed(this.#actor.workspaceId, name);
    const group = there ?? this.#makers.groups.create(this.#actor, { name, color: /^#[0-9a-fA-F]{6}$/.test(color ?? '') ? color : null }).id;
    this.#ids.groups.set(id, group);
    const playlist = this.#new('playlists', playlist_id);
    if (!there && playlist) this.#makers.groups.assignPlaylist(this.#actor, group, playlist);
  }

  #schedule({ device_name, group_id, ...schedule }: Exchange['schedules'][number]): void {
    const device = device_name ? this.#store.deviceNamed(this.#actor.workspaceId, device_name) : undefined;
    const group = this.#new('groups', group_id);
    if (!device && !group) throw badRequest(device_name ? `there is no screen named ${device_name}` : 'it is for no screen and no group');
    const body = {
      ...schedule,
      device_id: device ?? null,
      group_id: device ? null : group,
      zone_id: this.#zone(schedule.zone_id),
      content_id: this.#new('contents', schedule.content_id),
      widget_id: this.#new('widgets', schedule.widget_id),
      layout_id: this.#new('layouts', schedule.layout_id) ?? templateOrNull(schedule.layout_id),
      playlist_id: this.#new('playlists', schedule.playlist_id),
    };
    this.#makers.schedules.create(this.#actor, checked(NewSchedule, body));
  }

  #new(kind: keyof Ids, old: string | null): string | null {
    return (old !== null && this.#ids[kind].get(old)) || null;
  }

  #zone(old: string | null): string | null {
    return this.#new('zones', old) ?? templateOrNull(old);
  }
}

/** Templates and their zones are the same on every server. */
const templateOrNull = (id: string | null): string | null => (id?.startsWith('template-') ? id : null);

/** As a request's body is checked. @throws ApiError 400 naming the member */
const checked = <T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } } },
  value: unknown,
): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw badRequest(`${issue.path.map(String).join('.')}: ${issue.message}`);
};
