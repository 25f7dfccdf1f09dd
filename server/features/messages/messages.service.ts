/**
 * Messages to screens and their results. Each message is one overlay (server/realtime/screens/overlays.ts), with the message's
 * id as `pip_id` on all its screens.
 */
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import {
  type DrawnMessage,
  MAX_FIRST_RESULTS,
  MAX_MESSAGES,
  type Message,
  type MessageScreen,
  type MessageState,
  type MessageTarget,
  type NewMessage,
  templateColors,
  usualDuration,
} from '../../../shared/contract/screens/messages.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { OverlayArea } from '../../../shared/protocol/overlay-area.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { NewOverlay, Overlays } from '../../realtime/screens/overlays.ts';
import type { GroupsService } from '../groups/groups.service.ts';
import type { PageDocument } from '../widgets/pages/document.ts';
import { messagePage } from './message-page.ts';
import type { MessagePages } from './message-pages.ts';
import { countsOf, type Holding, type Mark, markAfter, stateOf } from './message-states.ts';
import type { DueMessage, MessageRow, MessagesStore, StoredMessage, TargetWords } from './messages.store.ts';

/** Interval in milliseconds for storing and announcing the reports of screens. */
const HEARD_EVERY_MS = 500;
/** Maximum number of failure reasons stored per message. For further screens, only the failure itself is stored. */
const MAX_REASONS = 100;
/** Maximum number of names in the activity log. */
const MAX_NAMES = 3;

/** Sort order of screens: problems first. */
const ORDER: readonly MessageState[] = ['failed', 'offline', 'sent', 'missed', 'ended', 'shown'];

/** Sizes in pixels for older players that do not support areas. They apply to a screen of 1920 × 1080. */
const PIXELS = { width: 3840, height: 3840, position: 'center' } as const;
const CORNER_PIXELS = { width: 720, height: 390 } as const;
/** Corner radius in pixels, for messages that do not reach the edges. */
const ROUND = 24;

interface Said {
  readonly status: 'shown' | 'failed' | 'cleared';
  readonly error?: string | undefined;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'log'> {
  readonly store: MessagesStore;
  readonly pages: Pick<MessagePages, 'make'>;
  readonly devices: { nameOf(workspaceId: string, id: string): string | undefined };
  readonly groups: Pick<GroupsService, 'target'>;
  readonly overlays: Pick<Overlays, 'show' | 'clear'>;
  readonly isOnline: (deviceId: string) => boolean;
  /** Origin at which players reach this server, without a slash at the end. */
  readonly origin: () => string;
}

type Holdings = ReadonlyMap<string, ReadonlyMap<string, Holding>>;
type Sent = Message & { results: MessageScreen[] };

export class MessagesService implements Lifecycle {
  readonly name = 'messages';
  readonly #deps: Deps;
  /** Reports that are not stored yet, by message and device. */
  readonly #heard = new Map<string, Map<string, Said>>();
  #timer: NodeJS.Timeout | undefined;
  #undo: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#undo = this.#deps.bus.on('overlay', ({ deviceId, pip_id, ...said }) => this.#hear(pip_id, deviceId, said));
  }

  stop(): void {
    this.#undo?.();
    this.#writeHeard();
  }

  list(
    actor: WorkspaceActor,
    { in_force, limit, offset }: { in_force: boolean; limit: number; offset: number },
  ): { records: Message[]; total: number } {
    const { store } = this.#deps;
    const holdings = this.#holdings(actor.workspaceId);
    if (!in_force)
      return {
        records: store.newest(actor.workspaceId, { limit, offset }).map((row) => this.#view(row, holdings)),
        total: store.count(actor.workspaceId),
      };
    const inForce = store
      .among(actor.workspaceId, [...holdings.keys()])
      .map((row) => this.#view(row, holdings))
      .filter((message) => message.in_force);
    return { records: inForce.slice(offset, offset + limit), total: inForce.length };
  }

  get(actor: WorkspaceActor, id: string): Message {
    return this.#view(this.#row(actor, id), this.#holdings(actor.workspaceId));
  }

  screens(
    actor: WorkspaceActor,
    id: string,
    { status, limit, offset }: { status: MessageState | undefined; limit: number; offset: number },
  ): { records: MessageScreen[]; total: number } {
    const holdings = this.#holdings(actor.workspaceId);
    const all = this.#states(this.#row(actor, id), holdings.get(id)).filter(
      (one) => status === undefined || one.status === status,
    );
    return { records: this.#named(actor, all.slice(offset, offset + limit)), total: all.length };
  }

  /**
   * @throws ApiError 404 for a target or picture that is not in this workspace, 400 for content that is not an image
   */
  async send(actor: WorkspaceActor, { targets, ...said }: NewMessage): Promise<Sent> {
    const { store, db, clock, overlays } = this.#deps;
    const to = this.#resolve(actor, targets);
    const message: StoredMessage = {
      template: said.template,
      title: said.title?.trim() ?? '',
      text: (!said.content_id && said.text?.trim()) || '',
      content_id: said.content_id ?? null,
      colors: said.colors ?? null,
      position: said.position,
      duration: said.duration ?? usualDuration(said.template),
      asset: this.#asset(actor, said),
      marks: '-'.repeat(to.deviceIds.length),
      errors: {},
    };
    const id = newId();
    db.write(() => {
      store.insert({
        id,
        workspace_id: actor.workspaceId,
        message,
        words: to.words,
        deviceIds: to.deviceIds,
        user_id: actor.userId,
        user_name: actor.userName,
        created_at: seconds(clock),
        until_ms: message.duration > 0 ? clock.now() + message.duration * 1_000 : null,
      });
      store.trim(actor.workspaceId, MAX_MESSAGES);
      this.#record(actor, 'message.sent', { id, message, words: to.words });
      announce(this.#deps, actor, { topic: 'overlays', ids: to.deviceIds });
    });
    await overlays.show(actor.workspaceId, to.deviceIds, this.#overlay(id, message));
    const holdings = this.#holdings(actor.workspaceId);
    const row = this.#row(actor, id);
    const first = this.#states(row, holdings.get(id)).slice(0, MAX_FIRST_RESULTS);
    return { ...this.#view(row, holdings), results: this.#named(actor, first) };
  }

  async again(actor: WorkspaceActor, id: string): Promise<Sent> {
    const { message, words } = this.#row(actor, id);
    const { asset: _asset, marks: _marks, errors: _errors, ...said } = message;
    const targets = words.map(({ kind, id }) => (kind === 'all' ? { kind } : { kind, id }));
    return this.send(actor, { ...said, targets });
  }

  /** A message that was withdrawn earlier stays unchanged. */
  async withdraw(actor: WorkspaceActor, id: string): Promise<Message> {
    const { store, db, clock, overlays } = this.#deps;
    const row = this.#row(actor, id);
    if (row.withdrawn_at === null) {
      const holders = [...(this.#holdings(actor.workspaceId).get(id)?.keys() ?? [])];
      db.write(() => {
        store.withdraw(id, seconds(clock));
        this.#record(actor, 'message.withdrawn', row);
        announce(this.#deps, actor, { topic: 'overlays', ids: holders });
      });
      await overlays.clear(actor.workspaceId, holders, id);
    }
    return this.get(actor, id);
  }

  preview(drawn: DrawnMessage): PageDocument {
    return messagePage(drawn);
  }

  /**
   * Returns the page for players that store no files.
   * @throws ApiError 404 when the message is over or shows a picture
   */
  shown(id: string): PageDocument {
    const { store, clock } = this.#deps;
    const row = store.findAnywhere(id);
    // The page stays available for twice the duration, because a screen that starts late shows the message for its full
    // duration.
    const isOver =
      !row ||
      row.withdrawn_at !== null ||
      row.message.content_id !== null ||
      (row.until_ms !== null && row.until_ms + row.message.duration * 1_000 < clock.now());
    if (isOver) throw notFound('Message');
    return messagePage(row.message);
  }

  #row(actor: WorkspaceActor, id: string): MessageRow {
    const row = this.#deps.store.find(actor.workspaceId, id);
    if (!row) throw notFound('Message');
    return row;
  }

  /** Resolves targets to their current screens, each once and in order. */
  #resolve(
    { workspaceId }: WorkspaceActor,
    targets: readonly MessageTarget[],
  ): { words: TargetWords; deviceIds: readonly string[] } {
    const { store, devices, groups } = this.#deps;
    const deviceIds = new Set<string>();
    const words = targets.map((target) => {
      if (target.kind === 'all') {
        for (const id of store.devices(workspaceId)) deviceIds.add(id);
        return { kind: target.kind, id: '', name: '' };
      }
      const { kind, id } = target;
      if (kind === 'tag') {
        for (const device of store.tagged(workspaceId, id)) deviceIds.add(device);
        return { kind, id, name: id };
      }
      if (kind === 'group') {
        const group = groups.target(workspaceId, id);
        if (!group) throw notFound('Group');
        for (const device of group.memberIds) deviceIds.add(device);
        return { kind, id, name: group.name };
      }
      const name = devices.nameOf(workspaceId, id);
      if (name === undefined) throw notFound('Device');
      deviceIds.add(id);
      return { kind, id, name };
    });
    return { words, deviceIds: [...deviceIds] };
  }

  #asset({ workspaceId }: WorkspaceActor, drawn: Omit<NewMessage, 'targets'>): Asset {
    const { store, pages } = this.#deps;
    if (!drawn.content_id) return pages.make(workspaceId, drawn);
    const picture = store.picture(workspaceId, drawn.content_id);
    if (picture) return picture;
    if (store.hasContent(workspaceId, drawn.content_id))
      throw badRequest('content_id: must be the id of an image that is stored on this server');
    throw notFound('Content');
  }

  #overlay(id: string, { template, position, duration, content_id, title, asset, ...said }: StoredMessage): NewOverlay {
    const isPicture = content_id !== null;
    const colors = said.colors ?? templateColors[template];
    return {
      pip_id: id,
      kind: isPicture ? 'image' : 'web',
      uri: `${this.#deps.origin()}/api/messages/${id}/shown`,
      ...PIXELS,
      ...(isCorner(position) && { ...CORNER_PIXELS, position }),
      duration,
      ...(isPicture && title && { title, title_color: colors.text }),
      background_color: colors.background,
      opacity: 1,
      border_radius: position === 'center' || isCorner(position) ? ROUND : 0,
      close_button: false,
      area: position,
      asset,
    };
  }

  #record(
    actor: WorkspaceActor,
    action: 'message.sent' | 'message.withdrawn',
    { id, message, words }: Pick<MessageRow, 'id' | 'message' | 'words'>,
  ): void {
    const [only] = words;
    const what = message.title || message.text.split('\n', 1)[0]!.slice(0, 120) || message.template;
    const ofOne = words.length === 1 && only?.kind === 'device' ? only.id : null;
    // A message to a single screen needs no names, because the log entry already names this device.
    const names = ofOne === null ? words.slice(0, MAX_NAMES).map(({ name }) => name) : [];
    const more = words.length > MAX_NAMES ? [`+${words.length - MAX_NAMES}`] : [];
    const where = [...names, ...more].filter(Boolean).join(', ');
    this.#deps.activity.add({
      workspaceId: actor.workspaceId,
      actor,
      action,
      details: where ? `${what}: ${where}` : what,
      deviceId: ofOne,
      record: { id, name: what },
    });
    announce(this.#deps, actor, { topic: 'messages', ids: [id] });
  }

  #view({ id, workspace_id: _, message, words, until_ms, ...row }: MessageRow, holdings: Holdings): Message {
    const { asset: _asset, marks, errors: _errors, ...said } = message;
    const counts = countsOf(marks, [...(holdings.get(id)?.values() ?? [])]);
    return {
      ...row,
      ...said,
      id,
      targets: words,
      until: until_ms === null ? null : Math.floor(until_ms / 1_000),
      in_force: row.withdrawn_at === null && counts.shown + counts.sent + counts.offline > 0,
      ...counts,
    };
  }

  #states(
    { id, message }: MessageRow,
    holding: ReadonlyMap<string, Holding> | undefined,
  ): Omit<MessageScreen, 'name'>[] {
    const states = this.#deps.store.deviceIds(id).map((device_id, at) => ({
      device_id,
      status: stateOf((message.marks[at] ?? '-') as Mark, holding?.get(device_id)),
      ...(message.errors[device_id] !== undefined && { error: message.errors[device_id] }),
    }));
    return states.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  }

  #named({ workspaceId }: WorkspaceActor, screens: readonly Omit<MessageScreen, 'name'>[]): MessageScreen[] {
    const names = this.#deps.store.names(
      workspaceId,
      screens.map(({ device_id }) => device_id),
    );
    return screens.map((screen) => ({ ...screen, name: names.get(screen.device_id) ?? '' }));
  }

  /** Returns the messages that screens of a workspace still have, by message and device. */
  #holdings(workspaceId: string): Holdings {
    this.#writeHeard();
    const { store, clock, isOnline } = this.#deps;
    const holdings = new Map<string, Map<string, Holding>>();
    for (const { id, device_id, status } of store.listDue(workspaceId, clock.now()) satisfies DueMessage[]) {
      let devices = holdings.get(id);
      if (!devices) holdings.set(id, (devices = new Map()));
      devices.set(device_id, { status, isOnline: isOnline(device_id) });
    }
    return holdings;
  }

  #hear(messageId: string, deviceId: string, said: Said): void {
    let heard = this.#heard.get(messageId);
    if (!heard) this.#heard.set(messageId, (heard = new Map()));
    // Stores the earlier report first when a message is cleared: the screen may have shown or failed the message since
    // the last write transaction.
    if (said.status === 'cleared' && heard.has(deviceId)) this.#writeHeard(messageId);
    this.#heard.set(messageId, heard);
    heard.set(deviceId, said);
    this.#timer ??= setTimeout(() => this.#writeHeard(), HEARD_EVERY_MS).unref();
  }

  /** @param only writes only this message */
  #writeHeard(only?: string): void {
    if (only === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const ids = only === undefined ? [...this.#heard.keys()] : [only];
    for (const id of ids) {
      const heard = this.#heard.get(id);
      this.#heard.delete(id);
      try {
        if (heard) this.#write(id, heard);
      } catch (error) {
        this.#deps.log.warn('What screens said of a message could not be written', { error });
      }
    }
  }

  #write(id: string, heard: Map<string, Said>): void {
    const { store, db } = this.#deps;
    const row = store.findAnywhere(id);
    // The reports are about an overlay that an API client created, not about a message, so they are dropped.
    if (!row) return void heard.clear();
    const { message } = row;
    const marks = [...message.marks] as Mark[];
    const errors = { ...message.errors };
    for (const [at, deviceId] of store.deviceIds(id).entries()) {
      const said = heard.get(deviceId);
      if (!said) continue;
      marks[at] = markAfter(marks[at] ?? '-', said.status);
      if (said.status === 'shown') delete errors[deviceId];
      if (said.error && Object.keys(errors).length < MAX_REASONS) errors[deviceId] = said.error.slice(0, 300);
    }
    heard.clear();
    db.write(() => {
      store.setMessage(id, { ...message, marks: marks.join(''), errors });
      announce(this.#deps, { workspaceId: row.workspace_id, userId: null }, { topic: 'messages', ids: [id] });
    });
  }
}

type Corner = Extract<OverlayArea, `${string}-${string}`>;
const isCorner = (position: OverlayArea): position is Corner => position.includes('-');
