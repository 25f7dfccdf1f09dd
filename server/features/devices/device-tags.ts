/** Changes the tags of one or many screens, with the groups and plans that depend on tags. */

import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import { MAX_TAGS } from '../../../shared/contract/fields.ts';
import type { tagDevices } from '../../../shared/contract/screens/devices.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { TagsStore } from './tags.store.ts';

type Actor = Pick<WorkspaceActor, 'workspaceId' | 'userId' | 'userName' | 'ip'>;

/** Updates members of groups with rules (features/groups), within the write transaction that changes tags. */
interface Rules {
  follow(by: Actor, deviceIds: readonly string[]): void;
}

/** Updates plans for tags (features/plans), within the write transaction that changes tags. */
interface TagPlans {
  syncTags(workspaceId: string, tags: readonly string[]): void;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: TagsStore;
  readonly rules: Rules;
  readonly plans: TagPlans;
}

/** Number of devices changed per write transaction, which then takes a few milliseconds. */
const SLICE = 100;

const folded = (tag: string): string => tag.toLowerCase();
const byFold = (tags: readonly string[]): Map<string, string> => new Map(tags.map((tag) => [folded(tag), tag]));

export class DeviceTags {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(
    workspaceId: string,
    page: { limit: number; offset: number },
  ): { records: { tag: string; count: number }[]; total: number } {
    const { store } = this.#deps;
    return { records: store.list(workspaceId, page), total: store.count(workspaceId) };
  }

  /**
   * Returns tags in the spelling that the workspace already has, so that "Window" and "window" are the same tag.
   * @param except devices whose own spelling of tags is ignored
   */
  spelled(workspaceId: string, tags: readonly string[], except: readonly string[] = []): string[] {
    if (tags.length === 0) return [];
    const known = byFold(this.#deps.store.known(workspaceId, except));
    return tags.map((tag) => known.get(folded(tag)) ?? tag);
  }

  /** Replaces the tags of a device. Called within the write transaction that edits the device. */
  replace(actor: Actor, deviceId: string, tags: readonly string[]): void {
    const wanted = this.spelled(actor.workspaceId, tags, [deviceId]);
    const had = this.#deps.store.of(deviceId);
    const add = wanted.filter((tag) => !had.includes(tag));
    const remove = had.filter((tag) => !wanted.includes(tag));
    if (add.length + remove.length === 0) return;
    this.#deps.store.change(deviceId, { add, remove });
    this.#follow(actor, [deviceId], new Set([...add, ...remove]));
  }

  /**
   * Adds and removes tags of many devices in slices, so that other work runs in the event loop in between.
   * @returns the number of devices whose tags have changed
   * @throws ApiError 404 and 400, before anything is changed
   */
  async change(actor: WorkspaceActor, body: BodyOf<typeof tagDevices>): Promise<number> {
    const { store, db } = this.#deps;
    const ids = body.device_ids;
    if (store.named(actor.workspaceId, ids).length < ids.length) throw notFound('Device');
    const add = this.spelled(actor.workspaceId, body.add ?? []);
    const drop = new Set((body.remove ?? []).map(folded));
    const slices = new Slices({ durable: () => db.durable() });
    const changeOf = (id: string) => {
      const had = store.of(id);
      const has = byFold(had);
      return {
        id,
        add: add.filter((tag) => !has.has(folded(tag)) && !drop.has(folded(tag))),
        remove: had.filter((tag) => drop.has(folded(tag))),
        left: had.length,
      };
    };
    for (let at = 0; at < ids.length; at += SLICE) {
      const changes = ids.slice(at, at + SLICE).map(changeOf);
      const full = changes.find((one) => one.left - one.remove.length + one.add.length > MAX_TAGS);
      if (full) throw this.#tooMany(actor.workspaceId, full.id);
      await slices.next();
    }
    let done = 0;
    for (let at = 0; at < ids.length; at += SLICE) {
      // Skips devices that were deleted meanwhile.
      const left = store.named(actor.workspaceId, ids.slice(at, at + SLICE));
      done += db.write(() =>
        this.#changeSome(
          actor,
          left.map(({ id }) => changeOf(id)),
        ),
      );
      await slices.next();
    }
    if (done > 0) this.#record(actor, add, body.remove ?? [], done);
    return done;
  }

  #changeSome(
    actor: Actor,
    changes: readonly { id: string; add: readonly string[]; remove: readonly string[] }[],
  ): number {
    const { store, clock } = this.#deps;
    const really = changes.filter(({ add, remove }) => add.length + remove.length > 0);
    if (really.length === 0) return 0;
    const now = seconds(clock);
    for (const change of really) {
      store.change(change.id, change);
      store.edited(change.id, now);
    }
    const ids = really.map(({ id }) => id);
    this.#follow(actor, ids, new Set(really.flatMap(({ add, remove }) => [...add, ...remove])));
    announce(this.#deps, actor, { topic: 'devices', ids, screens: false });
    return really.length;
  }

  #follow(actor: Actor, deviceIds: readonly string[], tags: ReadonlySet<string>): void {
    this.#deps.rules.follow(actor, deviceIds);
    this.#deps.plans.syncTags(actor.workspaceId, [...tags]);
  }

  #record(actor: Actor, added: readonly string[], removed: readonly string[], count: number): void {
    const { db, activity } = this.#deps;
    const signed = [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)].join(' ');
    const details = `${signed} (${count})`;
    db.write(() => activity.add({ workspaceId: actor.workspaceId, actor, action: 'device.tagged', details }));
  }

  #tooMany(workspaceId: string, id: string) {
    const [device] = this.#deps.store.named(workspaceId, [id]);
    return badRequest(
      `add: ${device?.name ?? id} would have more than ${MAX_TAGS} tags. Remove some tags of this screen first.`,
    );
  }
}
