/** Rules of groups (resource API, Groups). */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import type { AnswerOf, BodyOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { CommandBody, CommandResult, Device, IdentifyResult } from '../../../shared/contract/screens/devices.ts';
import {
  type countGroups,
  type createGroup,
  type Group,
  MAX_GROUPS,
  type updateGroup,
} from '../../../shared/contract/screens/groups.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/screens/schedules.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { Slices, Turns } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { Commands } from '../../realtime/screens/commands.ts';
import type { Identify } from '../../realtime/screens/identify.ts';
import type { DeviceTags } from '../devices/device-tags.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import type { PlanFollower } from '../plans/plan-follower.ts';
import type { AssignmentsService } from '../playlists/assignments.service.ts';
import { Records } from '../records.ts';
import type { MembersService } from '../workspaces/members.service.ts';
import type { GroupRow, GroupsStore } from './groups.store.ts';

const toGroup = ({ revision: _etag, ...row }: GroupRow, deviceCount: number): Group => ({
  ...row,
  device_count: deviceCount,
});

/** @throws ApiError 409 when a rule decides who is a member */
const requireChosen = ({ name, rule_tags }: GroupRow): void => {
  if (rule_tags)
    throw new ApiError(
      409,
      `The group ${name} contains all screens with the tags ${rule_tags.join(', ')}. Change the tags of the screen, or remove the rule of the group.`,
      { code: 'group_has_rule' },
    );
};

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: GroupsStore;
  readonly devices: Pick<DevicesService, 'records'>;
  readonly assignments: Pick<AssignmentsService, 'requirePlayable' | 'add'>;
  readonly plans: Pick<PlanFollower, 'groupGoes'>;
  readonly tags: Pick<DeviceTags, 'spelled'>;
  readonly members: Pick<MembersService, 'forget'>;
  readonly programs: Pick<Programs, 'basePlaylist'>;
  readonly commands: Pick<Commands, 'send'>;
  readonly identify: Pick<Identify, 'send'>;
  readonly isOnline: (deviceId: string) => boolean;
}

/** Maximum number of member names in an answer: more do not fit on the card of a group. */
const NAMES_SHOWN = 5;

export class GroupsService {
  readonly #deps: Deps;
  readonly #records: Records<GroupRow>;
  readonly #turns = new Turns();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Group', topic: 'groups', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor): Group[] {
    return this.#deps.store.list(actor.workspaceId).map(({ row, device_count }) => toGroup(row, device_count));
  }

  /**
   * Returns the number of online members and other numbers for each group. Simultaneous requests run one after the
   * other, because ten thousand memberships take ten milliseconds.
   */
  async counts(actor: WorkspaceActor): Promise<AnswerOf<typeof countGroups>> {
    await this.#turns.next();
    const members = this.#deps.store.allMembers(actor.workspaceId);
    return [...Map.groupBy(members, ({ group_id }) => group_id)].map(([group_id, all]) => ({
      group_id,
      online: all.filter(({ device_id }) => this.#deps.isOnline(device_id)).length,
      inheriting: all.filter(({ inherits }) => inherits === 1).length,
      names: all.slice(0, NAMES_SHOWN).map(({ name }) => name),
    }));
  }

  create(actor: WorkspaceActor, body: BodyOf<typeof createGroup>): Group {
    const { store, db, clock } = this.#deps;
    this.#records.requireRoom(actor, MAX_GROUPS);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name: body.name,
        ...(body.color && { color: body.color }),
        rule_tags: this.#rule(actor, body.rule_tags),
        created_at: seconds(clock),
      });
      this.#fit(row);
      this.#records.changed(actor, 'group.created', row, { screens: row.rule_tags !== null });
      return toGroup(row, store.memberIds(row.id).length);
    });
  }

  /**
   * Copies a group with its colour and its members, or its rule. No screen changes, because the copy has no playlist,
   * no default content and no plans.
   */
  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Group {
    const { store, db, clock } = this.#deps;
    const original = this.#records.get(actor, id);
    this.#records.requireRoom(actor, MAX_GROUPS);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name: this.#records.nameOfCopy(actor, original.name, body),
        color: original.color,
        rule_tags: original.rule_tags,
        created_at: seconds(clock),
      });
      store.copyMembers(original.id, row.id);
      this.#records.changed(actor, 'group.created', row, { screens: false });
      return toGroup(row, store.memberIds(row.id).length);
    });
  }

  update(actor: WorkspaceActor, id: string, body: BodyOf<typeof updateGroup>): Group {
    const { db, store } = this.#deps;
    const before = this.#records.get(actor, id);
    const { default_content_id: content } = body;
    if (content && !store.exists(actor.workspaceId, 'content', content)) throw notFound('Content');
    return db.write(() => {
      const row = store.update(before.id, {
        name: body.name ?? before.name,
        color: body.color ?? before.color,
        ...definedOnly({ default_content_id: content }),
        ...(body.rule_tags !== undefined && { rule_tags: this.#rule(actor, body.rule_tags) }),
      });
      const refitted = this.#fit(row);
      this.#records.changed(actor, 'group.updated', row, { screens: content !== undefined || refitted });
      return toGroup(row, this.#deps.store.memberIds(row.id).length);
    });
  }

  /** Deletes a group. The plans of the group continue for each of its members. */
  delete(actor: WorkspaceActor, id: string): { schedules_converted: number; devices: number } {
    const { db, bin, store } = this.#deps;
    const row = this.#records.get(actor, id);
    return db.write(() => {
      const members = store.memberIds(row.id);
      const { all, own } = store.countSchedules(actor.workspaceId, row.id);
      const after = all - own + own * members.length;
      if (own > 0 && after > MAX_SCHEDULES)
        throw badRequest(
          `Each of the ${own} schedules of ${row.name} would become ${members.length} schedules, one for each screen. A workspace can have at most ${MAX_SCHEDULES} schedules. Delete the schedules of the group first, or move them to another group.`,
        );
      bin.storeRecord(actor, 'group', row);
      const schedules_converted = this.#deps.plans.groupGoes(actor, row.id, members);
      store.delete(row.id);
      this.#deps.members.forget('group_ids', actor, [row.id]);
      this.#records.changed(actor, 'group.deleted', row);
      if (schedules_converted > 0) announce(this.#deps, actor, { topic: 'schedules', screens: false });
      return { schedules_converted, devices: members.length };
    });
  }

  /**
   * Called within the write transaction that restores a group. The members of a group with a rule are determined from
   * the current screens.
   */
  afterRestore(actor: WorkspaceActor, id: string): void {
    this.#fit(this.#records.get(actor, id));
  }

  devices(actor: WorkspaceActor, id: string): Device[] {
    return this.#deps.devices.records(
      actor.workspaceId,
      this.#deps.store.memberIdsByName(this.#records.get(actor, id).id),
    );
  }

  addDevice(actor: WorkspaceActor, id: string, deviceId: string): { playlist_id: string | null } {
    const row = this.#records.get(actor, id);
    requireChosen(row);
    const name = this.#deviceName(actor, deviceId);
    return this.#deps.db.write(() => {
      this.#deps.store.addMember(row.id, deviceId);
      this.#recordMember(actor, 'group.device_added', row, deviceId, name);
      return { playlist_id: row.playlist_id };
    });
  }

  // — methods for bulk changes of screens (features/devices); join and leave run within its write transaction —

  /** Returns the group's name. @throws ApiError 404, and 409 when a rule decides who is a member */
  requireChosen(workspaceId: string, id: string): string {
    const row = this.#records.get({ workspaceId }, id);
    requireChosen(row);
    return row.name;
  }

  /** Returns false when the device was a member already. */
  join(id: string, deviceId: string): boolean {
    return this.#deps.store.addMember(id, deviceId);
  }

  /** Returns whether the device was a member. */
  leave(id: string, deviceId: string): boolean {
    return this.#deps.store.removeMember(id, deviceId);
  }

  removeDevice(actor: WorkspaceActor, id: string, deviceId: string): void {
    const row = this.#records.get(actor, id);
    requireChosen(row);
    const name = this.#deviceName(actor, deviceId);
    this.#deps.db.write(() => {
      if (!this.#deps.store.removeMember(row.id, deviceId)) throw notFound('Device in this group');
      this.#recordMember(actor, 'group.device_removed', row, deviceId, name);
    });
  }

  /**
   * Adds a content to each member's own playlist, in slices, because two thousand screens take a second.
   * @returns the number of members, each of which now has the content in its own playlist
   * @throws ApiError with the number of finished screens when it is interrupted
   */
  async assignContent(
    actor: WorkspaceActor,
    id: string,
    body: { content_id: string; duration_sec?: number | null | undefined },
  ): Promise<number> {
    const { assignments, store, db } = this.#deps;
    const row = this.#records.get(actor, id);
    const item = { content_id: body.content_id, duration_sec: body.duration_sec ?? undefined };
    assignments.requirePlayable(actor, item);
    const members = store.memberIds(row.id);
    const slices = new Slices({ durable: () => db.durable() });
    let done = 0;
    try {
      for (const member of members) {
        // A device that was deleted meanwhile gets no content.
        if (store.device(actor.workspaceId, member)) assignments.add(actor, member, item);
        done++;
        await slices.next();
      }
    } catch (error) {
      if (error instanceof ApiError && done > 0)
        throw new ApiError(
          error.status,
          `${done} of the ${members.length} screens got the content. The other screens did not get the content: ${error.message}`,
        );
      throw error;
    }
    db.write(() => this.#records.changed(actor, 'group.content_assigned', row, { screens: false }));
    return members.length;
  }

  /** @returns how many members now play the playlist */
  assignPlaylist(actor: WorkspaceActor, id: string, playlistId: string): number {
    const { store, db, programs } = this.#deps;
    const row = this.#records.get(actor, id);
    if (!store.exists(actor.workspaceId, 'playlist', playlistId)) throw notFound('Playlist');
    return db.write(() => {
      store.update(row.id, { playlist_id: playlistId });
      this.#records.changed(actor, 'group.playlist_assigned', row);
      return store.memberIds(row.id).filter((member) => programs.basePlaylist(member) === playlistId).length;
    });
  }

  async command(actor: WorkspaceActor, id: string, { type, payload }: CommandBody): Promise<CommandResult[]> {
    const row = this.#records.get(actor, id);
    const members = this.#deps.store.memberIds(row.id);
    this.#deps.db.write(() =>
      this.#deps.activity.add({
        workspaceId: actor.workspaceId,
        actor,
        action: 'group.command',
        details: `${type}: ${row.name}`,
      }),
    );
    return (await this.#deps.commands.send(actor.workspaceId, members, type, payload ?? {})).results;
  }

  identify(actor: WorkspaceActor, id: string, { seconds }: { seconds: number }): IdentifyResult[] {
    const row = this.#records.get(actor, id);
    this.#deps.db.write(() =>
      this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action: 'group.identify', details: row.name }),
    );
    return this.#deps.identify.send(actor.workspaceId, this.#deps.store.memberIds(row.id), seconds);
  }

  /** Returns a group for overlays; undefined when the workspace has no group with this id. */
  target(workspaceId: string, id: string): { name: string; memberIds: string[] } | undefined {
    const row = this.#deps.store.find(workspaceId, id);
    return row && { name: row.name, memberIds: this.#deps.store.memberIds(row.id) };
  }

  #rule(actor: WorkspaceActor, tags: readonly string[] | null | undefined): string[] | null {
    return tags ? this.#deps.tags.spelled(actor.workspaceId, tags) : null;
  }

  /** Updates the members by the rule, if the group has one. @returns whether any member changed */
  #fit({ id, workspace_id, rule_tags }: GroupRow): boolean {
    return rule_tags !== null && this.#deps.store.fit({ id, tags: rule_tags }, { workspaceId: workspace_id });
  }

  #recordMember(
    actor: WorkspaceActor,
    action: ActivityAction,
    row: GroupRow,
    deviceId: string,
    deviceName: string,
  ): void {
    this.#deps.activity.add({
      workspaceId: actor.workspaceId,
      actor,
      action,
      details: `${deviceName}: ${row.name}`,
      deviceId,
    });
    announce(this.#deps, actor, { topic: 'groups', ids: [row.id] });
  }

  #deviceName(actor: WorkspaceActor, deviceId: string): string {
    const device = this.#deps.store.device(actor.workspaceId, deviceId);
    if (!device) throw notFound('Device');
    return device.name;
  }
}
