/**
 * Runs an import. The service of the feature makes each record under its usual rules, so that an import can do nothing
 * that its user could not do by hand. A fault in a record is a warning and does not end the import. Other work runs
 * between records.
 */

import type { FileHandle } from 'node:fs/promises';
import type { z } from 'zod';
import { NewRemote, NewVideo, uploadContent } from '../../../shared/contract/content/content.ts';
import type { Imported } from '../../../shared/contract/content/exchange.ts';
import { NewKioskPage } from '../../../shared/contract/content/kiosk.ts';
import { createLayout } from '../../../shared/contract/content/layouts.ts';
import { createPlaylist, NewItem, ScheduleBlock } from '../../../shared/contract/content/playlists.ts';
import { NewWidget } from '../../../shared/contract/content/widgets.ts';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import { createGroup } from '../../../shared/contract/screens/groups.ts';
import { NewSchedule } from '../../../shared/contract/screens/schedules.ts';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';
import { MAX_DESIGN_BYTES, readDesign, withMedia } from '../../../shared/design/read-design.ts';
import type { Slices } from '../../kernel/threads/slices.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { BlobWriter } from '../../media/blob-writer.ts';
import type { ContentService } from '../content/content.service.ts';
import type { GroupsService } from '../groups/groups.service.ts';
import type { KioskService } from '../kiosk/kiosk.service.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import type { AssignmentsService } from '../playlists/assignments.service.ts';
import type { PlaylistsService } from '../playlists/playlists.service.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import type { WidgetsService } from '../widgets/widgets.service.ts';
import type { MadeKind } from './exchange.store.ts';
import type { Step } from './exchange-format.ts';
import { shown } from './exchange-limits.ts';
import type { Note, Progress } from './import-progress.ts';
import { unpacked, type ZipEntry, ZipRefused } from './zip-reader.ts';

const MAX_WARNINGS = 200;

/** Services of the features, which make the imported records. */
export interface Makers {
  readonly content: Pick<ContentService, 'openUpload' | 'upload' | 'again' | 'createRemote' | 'createVideo'>;
  readonly widgets: Pick<WidgetsService, 'create'>;
  readonly kiosk: Pick<KioskService, 'create'>;
  readonly layouts: Pick<LayoutsService, 'create' | 'updateZone'>;
  readonly playlists: Pick<PlaylistsService, 'create' | 'addItem' | 'replaceSchedules' | 'publish'>;
  readonly items: Pick<AssignmentsService, 'update'>;
  readonly groups: Pick<GroupsService, 'create' | 'assignPlaylist'>;
  readonly schedules: Pick<SchedulesService, 'create' | 'join'>;
}

type Ids = Record<'contents' | 'widgets' | 'layouts' | 'zones' | 'playlists' | 'groups', Map<string, string>>;
type RecordOf<K extends Step['kind']> = Extract<Step, { kind: K }>['record'];

interface Deps {
  readonly makers: Makers;
  readonly actor: WorkspaceActor;
  /** The uploaded export, from which files of the ZIP are read. */
  readonly zip: FileHandle;
  readonly names: {
    /** Ids of groups by name, including groups that this import makes. */
    readonly groups: Map<string, string>;
    /** Ids of devices by name; null when several devices have the name. */
    readonly devices: ReadonlyMap<string, string | null>;
  };
  readonly signal: AbortSignal;
  readonly slices: Slices;
  readonly progress: Progress;
}

/** A single import. */
export class Import {
  readonly #deps: Deps;
  readonly #warnings: string[] = [];
  #unsaid = 0;
  /** Number of the current step. */
  #step = 0;
  readonly #ids: Ids = {
    contents: new Map(),
    widgets: new Map(),
    layouts: new Map(),
    zones: new Map(),
    playlists: new Map(),
    groups: new Map(),
  };
  /** For each plan that was imported, the id of one of its schedules, by the plan's id in the export. */
  readonly #plans = new Map<string, string>();
  readonly #made = { kiosk_pages: 0, schedules: 0 };
  /** Results for files of the ZIP by name: the content that was made of the file, or the error. */
  readonly #files = new Map<string, { readonly id: string } | { readonly error: ApiError | ZipRefused }>();
  /** Zones that show a playlist, by the id of this playlist in the export. */
  readonly #zonesOfPlaylist = new Map<string, readonly { readonly layoutId: string; readonly zoneId: string }[]>();
  /** The playlist to which the following items belong. */
  #playlist: { readonly id: string; readonly name: string; left: number; why: string } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async run(steps: AsyncIterable<Step>): Promise<Imported> {
    for await (const step of steps) {
      this.#step++;
      await this.#take(step);
      await this.#deps.slices.next();
    }
    await this.#deps.slices.end();
    await this.#deps.progress.end();
    const { contents, widgets, layouts, playlists, groups } = this.#ids;
    return {
      contents: contents.size,
      widgets: widgets.size,
      kiosk_pages: this.#made.kiosk_pages,
      layouts: layouts.size,
      playlists: playlists.size,
      groups: groups.size,
      schedules: this.#made.schedules,
      warnings: this.#unsaid > 0 ? [...this.#warnings, `… and ${this.#unsaid} more`] : this.#warnings,
    };
  }

  async #take(step: Step): Promise<void> {
    const { makers, actor } = this.#deps;
    switch (step.kind) {
      case 'content':
        return this.#each(`The content ${shown(step.record.filename)}`, () => this.#content(step.record, step.entry));
      case 'widget': {
        const { id, ...widget } = step.record;
        return this.#each(`The widget ${shown(widget.name)}`, () =>
          this.#ids.widgets.set(
            id,
            this.#once('widget', () => makers.widgets.create(actor, checked(NewWidget, widget)).record).id,
          ),
        );
      }
      case 'kiosk_page': {
        const { id: _old, ...page } = step.record;
        return this.#each(`The kiosk page ${shown(page.name)}`, () => {
          this.#once('kiosk_page', () => makers.kiosk.create(actor, checked(NewKioskPage, page)).record);
          this.#made.kiosk_pages++;
        });
      }
      case 'layout':
        return this.#each(`The layout ${shown(step.record.name)}`, () => this.#layout(step.record));
      case 'playlist':
        return this.#each(`The playlist ${shown(step.record.name)}`, () => this.#beginPlaylist(step.record));
      case 'item':
        return this.#item(step.record);
      case 'playlist_end':
        return this.#endPlaylist(step.record.published);
      case 'group':
        return this.#each(`The group ${shown(step.record.name)}`, () => this.#group(step.record));
      case 'schedule':
        return this.#each(`The schedule ${shown(step.record.title || '(without a title)')}`, () => {
          this.#schedule(step.record);
          this.#made.schedules++;
        });
      case 'left_out':
        return this.#warn(step.record);
    }
  }

  #once(kind: MadeKind, make: () => Note): Note {
    return this.#deps.progress.once(kind, this.#step, () => {
      const { id, zones } = make();
      return { id, ...(zones && { zones }) };
    });
  }

  async #each(what: string, make: () => unknown, failure = 'was not imported'): Promise<void> {
    try {
      await make();
    } catch (error) {
      this.#warn(`${what} ${failure}: ${this.#faultOfRecord(error).message}`);
    }
  }

  /**
   * Returns the reason why a record could not be made. Throws instead when the disk is full or the import was
   * cancelled.
   */
  #faultOfRecord(error: unknown): ApiError | ZipRefused {
    this.#deps.signal.throwIfAborted();
    if (error instanceof ZipRefused || (error instanceof ApiError && error.status !== 507)) return error;
    throw error;
  }

  #warn(sentence: string): void {
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(sentence);
    else this.#unsaid++;
  }

  async #content(
    { id, filename, mime_type, remote_url, folder }: RecordOf<'content'>,
    entry: ZipEntry | null,
  ): Promise<void> {
    const { actor, makers, progress } = this.#deps;
    if (entry) {
      this.#ids.contents.set(
        id,
        await this.#upload(filename, entry, {
          place: checked(uploadContent.query, { folder: folder ?? undefined }),
          isDesign: mime_type === DESIGN_TYPE,
        }),
      );
      return;
    }
    if (!remote_url) throw badRequest('the file is not in the export');
    if (mime_type === 'video/embed') {
      const video = () =>
        makers.content.createVideo(actor, { ...checked(NewVideo, { url: remote_url }), name: filename }).record;
      this.#ids.contents.set(id, this.#once('content', video).id);
      return;
    }
    const there = progress.find('content', this.#step);
    const made =
      there ??
      (
        await makers.content.createRemote(
          actor,
          { ...checked(NewRemote, { url: remote_url, mime_type }), name: filename },
          this.#saved(),
        )
      ).record;
    this.#ids.contents.set(id, made.id);
  }

  /** Returns a function that saves a note of the made record, within the write transaction that makes the record. */
  #saved(): (made: { readonly id: string }) => void {
    const step = this.#step;
    return ({ id }) => this.#deps.progress.note(step, { id });
  }

  /** Returns the content of a file. Several contents may share a file, but the file is unpacked only once. */
  async #upload(
    name: string,
    entry: ZipEntry,
    { place, isDesign }: { readonly place: { folder?: string | undefined }; readonly isDesign: boolean },
  ): Promise<string> {
    const { actor, makers, progress } = this.#deps;
    const before = this.#files.get(entry.name);
    if (before && 'error' in before) throw before.error;
    if (before) return this.#once('content', () => makers.content.again(actor, before.id, name, place).record).id;
    try {
      const there = progress.find('content', this.#step);
      const file = async () => ({ name, writer: await (isDesign ? this.#unpackDesign(entry) : this.#unpack(entry)) });
      const { id } = there ?? (await makers.content.upload(actor, await file(), place, this.#saved())).record;
      this.#files.set(entry.name, { id });
      return id;
    } catch (error) {
      this.#files.set(entry.name, { error: this.#faultOfRecord(error) });
      throw error;
    }
  }

  async #unpack(entry: ZipEntry): Promise<BlobWriter> {
    const writer = await this.#deps.makers.content.openUpload(entry.size);
    try {
      for await (const chunk of unpacked(this.#deps.zip, entry)) {
        this.#deps.signal.throwIfAborted();
        await writer.write(chunk);
      }
      return writer;
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  /**
   * Unpacks a design with the ids of the imported contents in place of the ids of the export. For a content that was
   * left out, the design shows a placeholder.
   */
  async #unpackDesign(entry: ZipEntry): Promise<BlobWriter> {
    // A larger document is no design. It is refused with a reason when it is stored.
    if (entry.size > MAX_DESIGN_BYTES) return this.#unpack(entry);
    const chunks: Buffer[] = [];
    for await (const chunk of unpacked(this.#deps.zip, entry)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const read = readDesign(bytes.toString('utf8'));
    const imported =
      'design' in read
        ? Buffer.from(JSON.stringify(withMedia(read.design, (old) => this.#new('contents', old))))
        : bytes;
    const writer = await this.#deps.makers.content.openUpload(imported.length);
    try {
      await writer.write(imported);
      return writer;
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  #layout({ id, name, width, height, zones }: RecordOf<'layout'>): void {
    const body = checked(createLayout.body, {
      name,
      width,
      height,
      // Makes zones without their playlists, which are set later, because the items of these playlists may name the
      // zones.
      zones: zones.map(({ id: _old, playlist_id: _later, content_id, widget_id, ...zone }) => ({
        ...zone,
        content_id: this.#new('contents', content_id),
        widget_id: this.#new('widgets', widget_id),
      })),
    });
    const made = this.#once('layout', () => {
      const { record } = this.#deps.makers.layouts.create(this.#deps.actor, body);
      return { id: record.id, zones: record.zones.map((zone) => zone.id) };
    });
    this.#ids.layouts.set(id, made.id);
    for (const [i, zone] of zones.entries()) {
      const zoneId = made.zones![i]!;
      this.#ids.zones.set(zone.id, zoneId);
      if (zone.playlist_id === null) continue;
      const waiting = this.#zonesOfPlaylist.get(zone.playlist_id) ?? [];
      this.#zonesOfPlaylist.set(zone.playlist_id, [...waiting, { layoutId: made.id, zoneId }]);
    }
  }

  #beginPlaylist({ id, name, description }: RecordOf<'playlist'>): void {
    const made = this.#once(
      'playlist',
      () =>
        this.#deps.makers.playlists.create(this.#deps.actor, checked(createPlaylist.body, { name, description }))
          .record,
    ).id;
    this.#ids.playlists.set(id, made);
    for (const { layoutId, zoneId } of this.#zonesOfPlaylist.get(id) ?? [])
      this.#deps.makers.layouts.updateZone(this.#deps.actor, layoutId, zoneId, { playlist_id: made });
    this.#playlist = { id: made, name, left: 0, why: '' };
  }

  #endPlaylist(published: boolean): Promise<void> | undefined {
    const playlist = this.#playlist;
    this.#playlist = undefined;
    if (!playlist) return undefined;
    const { id, name, left, why } = playlist;
    if (left > 0) this.#warn(`${left} items of the playlist ${shown(name)} were not imported: ${why}`);
    const publish = () => {
      this.#deps.makers.playlists.publish(this.#deps.actor, id);
      return { id };
    };
    return published
      ? this.#each(
          `The playlist ${shown(name)}`,
          () => this.#once('published', publish),
          'was imported, but not published',
        )
      : undefined;
  }

  #item(item: RecordOf<'item'>): void {
    const playlist = this.#playlist;
    // The playlist was left out, so its items are left out too.
    if (!playlist) return;
    try {
      this.#addItem(playlist.id, item);
    } catch (error) {
      playlist.why ||= this.#faultOfRecord(error).message;
      playlist.left++;
    }
  }

  #addItem(
    playlistId: string,
    { content_id, widget_id, zone_id, duration_sec, muted, schedules }: RecordOf<'item'>,
  ): void {
    const { actor, makers } = this.#deps;
    const shows = { content_id: this.#new('contents', content_id), widget_id: this.#new('widgets', widget_id) };
    if (!shows.content_id === !shows.widget_id) throw badRequest('their content or widget was not imported');
    const duration = typeof duration_sec === 'number' && duration_sec >= 1 ? Math.round(duration_sec) : null;
    this.#once('item', () => {
      const { record } = makers.playlists.addItem(
        actor,
        playlistId,
        checked(NewItem, { ...shows, zone_id: this.#zone(zone_id), duration_sec: duration }),
      );
      if (muted) makers.items.update(actor, record.id, { muted: 1 });
      const blocks = schedules.flatMap((block) => ScheduleBlock.safeParse(block).data ?? []);
      if (blocks.length > 0) makers.playlists.replaceSchedules(actor, playlistId, record.id, blocks);
      return { id: String(record.id) };
    });
  }

  #group({ id, name, color, playlist_id }: RecordOf<'group'>): void {
    const { actor, makers, names } = this.#deps;
    const there = names.groups.get(name);
    if (there) {
      this.#ids.groups.set(id, there);
      return;
    }
    const playlist = this.#new('playlists', playlist_id);
    const made = this.#once('group', () => {
      const group = makers.groups.create(
        actor,
        checked(createGroup.body, { name, color: /^#[0-9a-fA-F]{6}$/.test(color ?? '') ? color : null }),
      );
      if (playlist) makers.groups.assignPlaylist(actor, group.id, playlist);
      return group;
    }).id;
    names.groups.set(name, made);
    this.#ids.groups.set(id, made);
  }

  #schedule({ device_name, group_id, plan, ...schedule }: RecordOf<'schedule'>): void {
    const device = device_name ? this.#deps.names.devices.get(device_name) : undefined;
    const group = this.#new('groups', group_id);
    if (!device && !group)
      throw badRequest(
        device_name
          ? `there is no screen named ${shown(device_name)}`
          : 'the schedule has no screen or group on this server',
      );
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
    const { makers, actor } = this.#deps;
    const first = plan === null ? undefined : this.#plans.get(plan);
    const { id } = this.#once('schedule', () =>
      first === undefined
        ? makers.schedules.create(actor, checked(NewSchedule, body)).record
        : makers.schedules.join(actor, first, body),
    );
    if (plan !== null && first === undefined) this.#plans.set(plan, id);
  }

  #new(kind: keyof Ids, old: string | null): string | null {
    return (old !== null && this.#ids[kind].get(old)) || null;
  }

  #zone(old: string | null): string | null {
    return this.#new('zones', old) ?? templateOrNull(old);
  }
}

/** Returns the id of a layout template or of its zone. These ids are the same on every server. */
const templateOrNull = (id: string | null): string | null => (id?.startsWith('template-') ? id : null);

/**
 * Checks a value like the body of a request.
 * @throws ApiError 400 that names the field
 */
const checked = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw badRequest(`${issue.path.map(String).join('.')}: ${issue.message}`);
};
