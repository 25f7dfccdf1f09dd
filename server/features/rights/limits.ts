/**
 * Limits of members who may change only contents of some folders, screens of some groups, or uploads. Each refusal says
 * what the member may change.
 */
import { type Act, everything, isAdministering, on, type RecordAct, targets } from '../../../shared/contract/acts.ts';
import type { PlaceKind } from '../../../shared/contract/content/bin.ts';
import { forbidden } from '../../../shared/contract/errors.ts';
import { ALERTS, type AlertKind } from '../../../shared/contract/server/alerts.ts';
import type { Actor, Limits } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { BinService } from '../bin/bin.service.ts';
import { findUse } from './in-use.ts';
import type { Named, RightsStore } from './rights.store.ts';

/** Error code of each refusal in this file. */
export const OUTSIDE = 'outside_rights';

/** Code of a refusal that concerns the file and the validity of a content, but not its name and folder. */
export const UPLOADS_ONLY = 'uploads_only';

/** Kinds of acts that members who may only upload need to add and organize contents. */
const UPLOADS: ReadonlySet<Act['on']> = new Set(['content', 'shown', 'place', 'newFolder', 'bin']);

const TOPIC = { playlist: 'playlists', layout: 'layouts', widget: 'widgets', content: 'content' } as const;
type Shown = keyof typeof TOPIC | 'kiosk';
/** Kind of record that a restored place in the bin belongs to; undefined when the place is on no screen. */
const PLACES: Readonly<Record<PlaceKind, Exclude<RecordAct['on'], 'tags' | 'place' | 'newFolder'> | undefined>> = {
  content: 'shown',
  widget: 'widget',
  design: 'shown',
  playlist: 'playlist',
  plan: 'plan',
  layout: 'layout',
  screen: 'screen',
  group: 'group',
  wall: 'wall',
  workspace: 'everything',
  folder: undefined,
  slot: 'slot',
  other: 'everything',
};

export interface LimitsDeps {
  readonly store: RightsStore;
  readonly programs: Pick<Programs, 'devicesMadeOf'>;
  readonly bin: Pick<BinService, 'concerns' | 'usesOf'>;
}

export type LimitedActor = Pick<Actor, 'userId'> & { readonly workspaceId: string; readonly limits: Limits };

/** Checks one request of a member with limited rights. */
export class LimitsCheck {
  readonly #deps: LimitsDeps;
  readonly #actor: LimitedActor;
  #reach: Set<string> | undefined;

  constructor(deps: LimitsDeps, actor: LimitedActor) {
    this.#deps = deps;
    this.#actor = actor;
  }

  /** @throws ApiError 403 for a record outside the rights. An unknown record passes, and answers 404 later. */
  require(act: Act): void {
    // The limits do not apply here: for these records, services check the role alone.
    if (isAdministering(act)) return;
    if (this.#actor.limits.duty === 'upload' && !UPLOADS.has(act.on))
      throw forbidden('You can only add and change content, and create folders for it.', OUTSIDE);
    if (this.#actor.limits.duty === 'upload') this.#requireOwnUnused(act);
    this.#requirePlace(act);
    this.#requireScreens(act);
  }

  /**
   * Members who may only upload may replace, expire and delete their own uploads, as long as no screen shows these
   * uploads.
   */
  #requireOwnUnused(act: RecordAct): void {
    const { store, bin } = this.#deps;
    const { workspaceId, userId } = this.#actor;
    if (act.on === 'bin') {
      const back = bin.concerns(workspaceId, String(act.id));
      if (back?.kind === 'file') this.#requireOwnUnused(on('shown', back.ref));
      return;
    }
    if (act.on !== 'shown') return;
    const id = String(act.id);
    const name = store.nameOf('content', workspaceId, id);
    if (name === undefined) return;
    if (store.uploaderOf(workspaceId, id) !== userId)
      throw forbidden(
        `Somebody else added ${name}. You can replace, expire and delete only your own uploads. Ask an administrator of the workspace.`,
        OUTSIDE,
      );
    const use = findUse(this.#deps, workspaceId, { of: 'content', id });
    if (use?.where === 'live' && use.design !== undefined)
      throw forbidden(
        `${name} is part of the design “${use.design}”, which is on screens or can return to them. You can replace, expire and delete only uploads that no screen shows. Ask an administrator of the workspace.`,
        OUTSIDE,
      );
    if (use)
      throw forbidden(
        `${name} is on screens or can return to them. You can replace, expire and delete only uploads that no screen shows. Ask an administrator of the workspace.`,
        OUTSIDE,
      );
  }

  #requirePlace(act: RecordAct): void {
    const { store, bin } = this.#deps;
    const { workspaceId, limits } = this.#actor;
    const { folderIds } = limits;
    if (act.on === 'bin') this.#requireOwn(String(act.id));
    if (folderIds === null) return;
    switch (act.on) {
      case 'content': {
        const folder = store.folderOf(workspaceId, String(act.id));
        if (folder !== undefined) this.#requireFolder(folder, folderIds);
        return;
      }
      case 'place':
      case 'newFolder':
        // Allows a request without a folder: the new content or folder then goes into the first of the member's
        // folders.
        if (act.id === undefined && folderIds.length > 0) return;
        return this.#requireFolder(act.id ?? null, folderIds);
      case 'folder': {
        // A folder is checked by its parent folder, so that a member cannot change their root folders.
        const parent = store.parentOf(workspaceId, String(act.id));
        if (parent !== undefined) this.#requireFolder(parent, folderIds);
        return;
      }
      case 'emptied':
        if (store.hasContents(workspaceId, String(act.id)))
          throw forbidden(
            'The content of this folder would move to a place where you cannot change it. Move or delete the content first, then the folder.',
            OUTSIDE,
          );
        return;
      case 'bin': {
        const back = bin.concerns(workspaceId, String(act.id));
        if (back?.kind === 'content') this.#requireFolder(back.folderId, folderIds);
        if (back?.kind === 'file') this.#requirePlace(on('content', back.ref));
        return;
      }
      default:
        return;
    }
  }

  #requireFolder(folderId: string | null, folderIds: readonly string[]): void {
    const { store } = this.#deps;
    const { workspaceId } = this.#actor;
    if (folderId !== null) {
      if (store.nameOf('folder', workspaceId, folderId) === undefined) return;
      if (store.isWithin(workspaceId, folderId, folderIds)) return;
    }
    const names = store.names('folder', workspaceId, folderIds);
    if (names.length === 0)
      throw forbidden(
        'The folders for which you have rights no longer exist. Ask an administrator of the workspace for new rights.',
        OUTSIDE,
      );
    throw forbidden(`You can change content only in the folders ${listed(names)}. This is in another folder.`, OUTSIDE);
  }

  /** Members with limited rights may restore only records that they deleted themselves. */
  #requireOwn(binId: string): void {
    const back = this.#deps.bin.concerns(this.#actor.workspaceId, binId);
    if (!back) return;
    if (back.userId !== this.#actor.userId)
      throw forbidden('Somebody else deleted this. Ask an administrator of the workspace to restore it.', OUTSIDE);
  }

  #requireScreens(act: RecordAct): void {
    const { store, bin } = this.#deps;
    const { workspaceId, limits } = this.#actor;
    if (limits.groupIds === null) return;
    switch (act.on) {
      case 'new':
      case 'content':
      case 'place':
      case 'newFolder':
      case 'folder':
      case 'emptied':
        return;
      case 'membership':
        throw forbidden(
          `You can change only the screens of ${this.#groups()}. Only people with rights for all screens can add or remove screens and change groups.`,
          OUTSIDE,
        );
      case 'everything':
        throw forbidden(
          `You can change only the screens of ${this.#groups()}. This affects other screens, too.`,
          OUTSIDE,
        );
      case 'tags':
        return this.#requireTags(act);
      case 'tag':
        throw forbidden(
          `You can change only the screens of ${this.#groups()}. Other screens can have the tag ${act.id}, too.`,
          OUTSIDE,
        );
      case 'tagged':
        return this.#requireAll(store.tagged(workspaceId, String(act.id)));
      case 'screen':
        return this.#requireScreen(String(act.id));
      case 'group':
        return this.#requireGroup(String(act.id));
      case 'screens':
        if (store.nameOf('screen', workspaceId, String(act.id)) !== undefined) this.#requireScreen(String(act.id));
        else this.#requireGroup(String(act.id));
        return;
      case 'shown':
        return this.#requireShown('content', String(act.id));
      case 'playlist':
      case 'layout':
      case 'widget':
      case 'kiosk':
        return this.#requireShown(act.on, String(act.id));
      case 'item': {
        const item = store.itemOf(workspaceId, Number(act.id));
        if (item) this.#requireShown('playlist', item.playlistId);
        return;
      }
      case 'request': {
        const playlist = store.playlistOfRequest(workspaceId, String(act.id));
        if (playlist !== undefined) this.#requireShown('playlist', playlist);
        return;
      }
      case 'slot': {
        const playlist = store.playlistOfSlot(workspaceId, String(act.id));
        if (playlist !== undefined) this.#requireShown('playlist', playlist);
        return;
      }
      case 'wall':
        if (store.nameOf('wall', workspaceId, String(act.id)) !== undefined)
          this.#requireAll(store.panels(String(act.id)));
        return;
      case 'panel': {
        this.#requireScreen(String(act.id));
        const wall = store.wallOf(String(act.id));
        if (wall !== undefined) this.#requireAll(store.panels(wall));
        return;
      }
      case 'schedule': {
        const plan = store.planOfSchedule(workspaceId, String(act.id));
        if (plan !== undefined) this.#requireScreens(on('plan', plan));
        return;
      }
      case 'plan': {
        const plan = store.plan(workspaceId, String(act.id));
        for (const target of plan ? targets(plan.targets, 'tag') : []) this.#requireScreens(target);
        return;
      }
      case 'message': {
        const message = store.message(workspaceId, String(act.id));
        if (!message) return;
        this.#requireAll(message.deviceIds);
        for (const target of targets(message.targets, 'tagged')) this.#requireScreens(target);
        return;
      }
      case 'alert': {
        const alert = store.alert(workspaceId, String(act.id));
        const of = alert && ALERTS[alert.kind as AlertKind]?.of;
        if (of === 'server') this.#requireScreens(everything);
        else if (of)
          this.#requireScreens(on(({ device: 'screen', widget: 'widget', content: 'shown' } as const)[of], alert.ref));
        return;
      }
      case 'bin': {
        for (const { kind, id } of bin.concerns(workspaceId, String(act.id))?.owners ?? []) {
          const what = PLACES[kind];
          if (what === 'everything' || what === 'membership' || what === 'new') this.#requireScreens(everything);
          else if (what) this.#requireScreens(on(what, id));
        }
        return;
      }
      default:
        return act satisfies never;
    }
  }

  /**
   * Requires full rights for a change of tags that rules of groups use, because these tags decide which screens belong
   * to a group.
   */
  #requireTags({ tags, id }: Extract<Act, { on: 'tags' }>): void {
    const { store } = this.#deps;
    const folded = (list: readonly string[]) => new Set(list.map((tag) => tag.toLowerCase()));
    const wanted = folded(tags);
    const had = folded(id === undefined ? [] : store.tagsOf(id));
    const isTouched = (tag: string) => wanted.has(tag) !== had.has(tag);
    const ruling = store.ruleTags(this.#actor.workspaceId).find((tag) => isTouched(tag.toLowerCase()));
    if (ruling !== undefined)
      throw forbidden(
        `You can change only the screens of ${this.#groups()}. The tag ${ruling} adds screens to a group, so you cannot change it.`,
        OUTSIDE,
      );
  }

  #requireScreen(id: string): void {
    const name = this.#deps.store.nameOf('screen', this.#actor.workspaceId, id);
    if (name === undefined || this.#within().has(id)) return;
    throw forbidden(`You can change only the screens of ${this.#groups()}. ${name} is not in these groups.`, OUTSIDE);
  }

  #requireAll(ids: readonly string[]): void {
    for (const id of ids) this.#requireScreen(id);
  }

  #requireGroup(id: string): void {
    const name = this.#deps.store.nameOf('group', this.#actor.workspaceId, id);
    if (name === undefined || this.#actor.limits.groupIds?.includes(id)) return;
    throw forbidden(`You can change only the groups ${this.#groups()}, not ${name}.`, OUTSIDE);
  }

  /**
   * @throws ApiError 403 when a screen outside the member's groups shows the record, will show it, or has it assigned
   */
  #requireShown(what: Shown, id: string): void {
    const { store, programs } = this.#deps;
    const { workspaceId } = this.#actor;
    const name = store.nameOf(what satisfies Named, workspaceId, id);
    if (name === undefined) return;
    const screens = [
      ...programs.devicesMadeOf(workspaceId, [...madeOf(store, workspaceId, { what, id })]),
      ...(what === 'playlist' || what === 'layout' ? store.assignedTo(`${what}_id`, id) : []),
    ];
    const outside = screens.find((screen) => !this.#within().has(screen));
    if (outside === undefined) return;
    const screen = store.nameOf('screen', workspaceId, outside) ?? '';
    throw forbidden(`You can change only the screens of ${this.#groups()}. ${name} is also on ${screen}.`, OUTSIDE);
  }

  #within(): ReadonlySet<string> {
    const { workspaceId, limits } = this.#actor;
    return (this.#reach ??= this.#deps.store.membersOf(workspaceId, limits.groupIds ?? []));
  }

  #groups(): string {
    const { workspaceId, limits } = this.#actor;
    const names = this.#deps.store.names('group', workspaceId, limits.groupIds ?? []);
    if (names.length === 0)
      throw forbidden(
        'The groups for which you have rights no longer exist. Ask an administrator of the workspace for new rights.',
        OUTSIDE,
      );
    return listed(names);
  }
}

/** Maximum number of names in a sentence. */
const NAMED = 5;
const listed = (names: readonly string[]): string =>
  [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');

/**
 * Returns the records by which programs show a record (`Compiled.uses`): the record itself, and widgets that contain
 * it, also through a kiosk page or another widget, and designs that show it.
 */
export const madeOf = (
  store: Pick<RightsStore, 'naming'>,
  workspaceId: string,
  { what, id }: { readonly what: Shown; readonly id: string },
): Set<string> => {
  const uses = new Set<string>(what === 'kiosk' ? [] : [`${TOPIC[what]} ${id}`]);
  if (what === 'playlist' || what === 'layout') return uses;
  const seen = new Set<string>();
  const todo = [id];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { widgets, kiosk, designs } = store.naming(workspaceId, next);
    for (const widget of widgets) uses.add(`widgets ${widget}`);
    for (const design of designs) uses.add(`content ${design.id}`);
    todo.push(...widgets, ...kiosk, ...designs.map((design) => design.id));
  }
  return uses;
};
