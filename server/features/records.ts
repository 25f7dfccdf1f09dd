import { type CopyBody, nameOfCopy, stemOfCopy } from '../../shared/contract/content/copies.ts';
import { badRequest, notFound } from '../../shared/contract/errors.ts';
import type { ActivityAction } from '../../shared/contract/server/activity.ts';
import type { Topic } from '../../shared/protocol/live.ts';
import { announce } from '../kernel/bus.ts';
import type { Parts } from '../kernel/parts.ts';
import { checkRevision } from '../kernel/revision.ts';
import type { WorkspaceActor } from '../kernel/trust/actor.ts';

type Actor = Pick<WorkspaceActor, 'workspaceId' | 'userId' | 'userName' | 'ip'>;

interface Deps<Row> extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly topic: Topic;
  /** Name of the kind at the start of a sentence: `Kiosk page`. */
  readonly noun: string;
  readonly store: {
    find(workspaceId: string, id: string): Row | undefined;
    count(workspaceId: string): number;
    namesFrom?(workspaceId: string, start: string): string[];
  };
  /** Name of the record in the activity log. */
  readonly nameOf: (row: Row) => string;
  /**
   * Device that the activity log names with the change.
   * @default none
   */
  readonly deviceOf?: (row: Row) => string | null;
}

interface Edit {
  readonly action: ActivityAction;
  /** The client's If-Match header. */
  readonly ifMatch?: string | undefined;
  /** Whether the change may affect what screens show. @default true */
  readonly screens?: boolean;
}

/**
 * Finds and changes playlists that contain a content or widget. Both methods are called within the write transaction
 * that deletes the content or widget.
 */
export interface PlaylistReferences {
  playlistsWith(subject: { readonly contentIds?: readonly string[]; readonly widgetIds?: readonly string[] }): string[];
  itemsGone(playlistIds: readonly string[]): void;
}

/**
 * Common steps of services: finds a record or throws 404, compares the client's revision, and writes, logs and
 * announces a change together.
 */
export class Records<Row extends { readonly id: string; readonly revision?: number }> {
  readonly #deps: Deps<Row>;

  constructor(deps: Deps<Row>) {
    this.#deps = deps;
  }

  /** Called before a record is made. @throws ApiError 400 */
  requireRoom({ workspaceId }: Pick<Actor, 'workspaceId'>, max: number): void {
    const { store, noun } = this.#deps;
    if (store.count(workspaceId) >= max) throw badRequest(`A workspace can have at most ${max} ${noun.toLowerCase()}s`);
  }

  /** Returns the name for a copy of `original`: the requested name, else a free one. */
  nameOfCopy({ workspaceId }: Pick<Actor, 'workspaceId'>, original: string, { name, language }: CopyBody): string {
    if (name) return name;
    const taken = new Set(this.#deps.store.namesFrom?.(workspaceId, stemOfCopy(original).slice(0, 180)));
    return nameOfCopy(original, { language, isTaken: (one) => taken.has(one) });
  }

  /** Returns the record. @throws ApiError 404 when the actor's workspace has no record with this id */
  get(actor: Pick<Actor, 'workspaceId'>, id: string): Row {
    const row = this.#deps.store.find(actor.workspaceId, id);
    if (!row) throw notFound(this.#deps.noun);
    return row;
  }

  /** Returns the record. @throws ApiError 404, and 412 when its revision is not the client's */
  getFor(actor: Pick<Actor, 'workspaceId'>, id: string, ifMatch: string | undefined): Row {
    const row = this.get(actor, id);
    checkRevision(ifMatch, row.revision, `The ${this.#deps.noun.toLowerCase()}`);
    return row;
  }

  /**
   * Changes a record in one write transaction, and logs and announces the change. The activity log has the earlier name
   * of the record; webhooks and MQTT get its new name.
   * @throws ApiError 404, 412, and errors of `change`
   */
  edit<T>(actor: Actor, id: string, { action, ifMatch, screens }: Edit, change: (row: Row) => T): T {
    return this.#deps.db.write(() => {
      const row = this.getFor(actor, id, ifMatch);
      const result = change(row);
      this.changed(actor, action, row, { screens, now: this.#deps.store.find(actor.workspaceId, id) });
      return result;
    });
  }

  /**
   * Logs and announces a change, within its write transaction.
   * @param also.screens whether screens may show something else now (default true)
   * @param also.ids ids of the announced records (default: this record)
   * @param also.now the record after the change (default: `row`)
   */
  changed(
    actor: Actor,
    action: ActivityAction,
    row: Row,
    also: {
      readonly screens?: boolean | undefined;
      readonly ids?: readonly string[];
      readonly now?: Row | undefined;
    } = {},
  ): void {
    const { nameOf, topic, deviceOf } = this.#deps;
    const name = nameOf(row);
    this.#deps.activity.add({
      workspaceId: actor.workspaceId,
      actor,
      action,
      details: name,
      record: { id: row.id, name: nameOf(also.now ?? row) },
      deviceId: deviceOf?.(row) ?? null,
    });
    announce(this.#deps, actor, {
      topic,
      ids: also.ids ?? [row.id],
      ...(also.screens !== undefined && { screens: also.screens }),
    });
  }
}
