/** Changes many devices at once. The answer contains the changes that undo the request. */

import type { AnswerOf, BodyOf } from '../../../shared/contract/endpoint.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import { success } from '../../../shared/contract/fields.ts';
import type {
  BackChange,
  BulkChange,
  changeDevices,
  commandDevices,
  DeviceSet,
  identifyDevices,
} from '../../../shared/contract/screens/device-bulk.ts';
import type { CommandResult, IdentifyResult } from '../../../shared/contract/screens/devices.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { DeviceTags } from './device-tags.ts';
import type { DeviceEdit, DeviceRow, DevicesStore } from './devices.store.ts';

/** Membership of groups (features/groups). `join` and `leave` are called within a write transaction. */
interface Members {
  /** Returns the name of the group. @throws ApiError 404, and 409 when a rule decides who is a member */
  requireChosen(workspaceId: string, groupId: string): string;
  /** Returns whether the membership changed. */
  join(groupId: string, deviceId: string): boolean;
  leave(groupId: string, deviceId: string): boolean;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: DevicesStore;
  readonly tags: Pick<DeviceTags, 'replace'>;
  readonly members: Members;
  readonly commands: {
    send(
      workspaceId: string,
      deviceIds: readonly string[],
      command: BodyOf<typeof commandDevices>['command']['type'],
      payload: Record<string, unknown>,
    ): Promise<{ readonly results: CommandResult[] }>;
  };
  readonly identify: {
    send(workspaceId: string, deviceIds: readonly string[], seconds: number): IdentifyResult[];
  };
}

type Set = NonNullable<BackChange['set']>;
/** Result for one device: the earlier values, and the groups that the device joined and left. */
interface Done {
  readonly id: string;
  readonly before: Set;
  readonly joined: string | undefined;
  readonly left: string | undefined;
}

/** Number of devices changed per write transaction, which then takes about ten milliseconds. */
const SLICE = 100;
/** Fields that do not change what a screen shows. */
const UNSEEN: ReadonlySet<string> = new Set(['name', 'notes', 'tags']);

export class DeviceBulk {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Changes devices in slices, so that other work runs in the event loop in between.
   * @throws ApiError 404 and 409, before anything is changed
   */
  async change(
    actor: WorkspaceActor,
    { changes }: BodyOf<typeof changeDevices>,
  ): Promise<AnswerOf<typeof changeDevices>> {
    const { db } = this.#deps;
    this.#require(
      actor,
      changes.flatMap(({ device_ids }) => device_ids),
    );
    const groups = this.#references(actor, changes);
    const slices = new Slices({ durable: () => db.durable() });
    const all = changes.flatMap((change) => change.device_ids.map((id) => ({ id, change })));
    const done: Done[] = [];
    for (let at = 0; at < all.length; at += SLICE) {
      const some = all.slice(at, at + SLICE);
      done.push(...db.write(() => this.#changeSome(actor, some, groups)));
      await slices.next();
    }
    return { ...success, devices_updated: done.length, undo: backOf(done) };
  }

  /** @throws ApiError 404 when one of the devices does not exist; no device gets the command then */
  async command(
    actor: WorkspaceActor,
    { device_ids, command }: BodyOf<typeof commandDevices>,
  ): Promise<CommandResult[]> {
    this.#require(actor, device_ids);
    await this.#record(actor, device_ids, 'device.command', (name) => `${command.type}: ${name}`);
    return (await this.#deps.commands.send(actor.workspaceId, device_ids, command.type, command.payload)).results;
  }

  /** @throws ApiError 404 when one of the devices does not exist; no device identifies itself then */
  async identify(
    actor: WorkspaceActor,
    { device_ids, seconds: time }: BodyOf<typeof identifyDevices>,
  ): Promise<IdentifyResult[]> {
    this.#require(actor, device_ids);
    await this.#record(actor, device_ids, 'device.identify', (name) => name);
    return this.#deps.identify.send(actor.workspaceId, device_ids, time);
  }

  #require(actor: WorkspaceActor, ids: readonly string[]): void {
    if (this.#deps.store.countOf(actor.workspaceId, ids) < ids.length) throw notFound('Device');
  }

  /**
   * Checks the records that the changes name, and returns the names of the groups.
   * @throws ApiError for a record
   * outside the workspace
   */
  #references(actor: WorkspaceActor, changes: readonly BulkChange[]): ReadonlyMap<string, string> {
    const { store, members } = this.#deps;
    const { workspaceId } = actor;
    const named = (member: 'layout_id' | 'playlist_id' | 'default_content_id') =>
      new Set(changes.flatMap(({ set }) => set?.[member] ?? []));
    for (const id of named('layout_id')) if (!store.layoutExists(workspaceId, id)) throw notFound('Layout');
    for (const id of named('playlist_id')) if (!store.playlistExists(workspaceId, id)) throw notFound('Playlist');
    for (const id of named('default_content_id')) if (!store.contentExists(workspaceId, id)) throw notFound('Content');
    const groups = new Set(changes.flatMap(({ join, leave }) => [join ?? [], leave ?? []].flat()));
    return new Map([...groups].map((id) => [id, members.requireChosen(workspaceId, id)]));
  }

  #changeSome(
    actor: WorkspaceActor,
    some: readonly { readonly id: string; readonly change: BulkChange }[],
    groups: ReadonlyMap<string, string>,
  ): Done[] {
    const done = some.flatMap(({ id, change }) => this.#changeOne(actor, id, change, groups) ?? []);
    if (done.length === 0) return done;
    const keys = done.flatMap(({ before }) => Object.keys(before));
    const screens = keys.some((key) => !UNSEEN.has(key));
    announce(this.#deps, actor, { topic: 'devices', ids: done.map(({ id }) => id), screens });
    if (keys.includes('playlist_id')) announce(this.#deps, actor, { topic: 'playlists', screens: false });
    const moved = [...new Set(done.flatMap(({ joined, left }) => [joined ?? [], left ?? []].flat()))];
    if (moved.length > 0) announce(this.#deps, actor, { topic: 'groups', ids: moved });
    return done;
  }

  /** Returns undefined when the device does not change. */
  #changeOne(
    actor: WorkspaceActor,
    id: string,
    { set, join, leave }: BulkChange,
    groups: ReadonlyMap<string, string>,
  ): Done | undefined {
    const { store, members, clock } = this.#deps;
    const row = store.find(actor.workspaceId, id);
    // A device that was deleted meanwhile is skipped.
    if (!row) return;
    const { tags, ...fields }: Partial<DeviceSet> = definedOnly(set ?? {});
    const differs = ([key, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(row[key as keyof DeviceRow]);
    const change = Object.fromEntries(Object.entries(fields).filter(differs)) as DeviceEdit;
    const retagged = tags !== undefined && differs(['tags', tags]);
    const joined = join !== undefined && members.join(join, id) ? join : undefined;
    const left = leave !== undefined && members.leave(leave, id) ? leave : undefined;
    const keys = [...Object.keys(change), ...(retagged ? ['tags'] : [])] as (keyof Set & keyof DeviceRow)[];
    if (keys.length === 0 && joined === undefined && left === undefined) return;
    const before = Object.fromEntries(keys.map((key) => [key, row[key]])) as Set;
    if (keys.length > 0) store.update(actor.workspaceId, id, { ...change, updated_at: seconds(clock) });
    if (retagged) this.#deps.tags.replace(actor, id, tags);
    const say = (action: ActivityAction, details: string) =>
      this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action, details, deviceId: id });
    if ('playlist_id' in change) {
      const playlist = change.playlist_id;
      if (playlist) say('playlist.assigned', store.playlistName(playlist) ?? '');
      else say('device.playlist_cleared', row.name);
    }
    if (keys.some((key) => key !== 'playlist_id')) say('device.updated', row.name);
    if (joined !== undefined) say('group.device_added', `${row.name}: ${groups.get(joined)}`);
    if (left !== undefined) say('group.device_removed', `${row.name}: ${groups.get(left)}`);
    return { id, before, joined, left };
  }

  async #record(
    actor: WorkspaceActor,
    ids: readonly string[],
    action: ActivityAction,
    details: (name: string) => string,
  ): Promise<void> {
    const { db, store, activity } = this.#deps;
    const slices = new Slices({ durable: () => db.durable() });
    for (let at = 0; at < ids.length; at += SLICE) {
      db.write(() => {
        for (const { id, name } of store.namesOf(actor.workspaceId, ids.slice(at, at + SLICE)))
          activity.add({ workspaceId: actor.workspaceId, actor, action, details: details(name), deviceId: id });
      });
      await slices.next();
    }
  }
}

/** Returns the changes that undo this change. Devices with the same earlier values share a change. */
const backOf = (done: readonly Done[]): BackChange[] => {
  const alike = Map.groupBy(done, ({ before, joined, left }) => JSON.stringify([before, joined, left]));
  return [...alike.values()].map((some) => {
    const { before, joined, left } = some[0]!;
    return {
      device_ids: some.map(({ id }) => id),
      ...(Object.keys(before).length > 0 && { set: before }),
      ...(joined !== undefined && { leave: joined }),
      ...(left !== undefined && { join: left }),
    };
  });
};
