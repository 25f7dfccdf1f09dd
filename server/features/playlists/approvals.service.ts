/**
 * Rules of publishing with approval. A member requests the publication of a playlist as it is, and an approver decides
 * about exactly this version. A later edit needs a new request.
 */

import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, conflict, forbidden, notFound } from '../../../shared/contract/errors.ts';
import {
  type ChangedRecord,
  type listPublishRequests,
  MAX_CHANGED,
  type PublishRequest,
} from '../../../shared/contract/people/approvals.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { ApprovalsStore, RequestRow } from './approvals.store.ts';
import type { PlaylistsService } from './playlists.service.ts';
import type { Shown, ShownStore } from './shown.store.ts';

/** Maximum number of requests in the cache of changes. */
const MAX_REMEMBERED = 2_000;
/** Maximum number of names in an error message. */
const MAX_NAMED = 5;
/** Topics of the records that playlists show. */
const LIBRARY: ReadonlySet<string> = new Set(['content', 'playlists', 'widgets', 'kiosk']);

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: ApprovalsStore;
  readonly shown: ShownStore;
  readonly playlists: Pick<PlaylistsService, 'plain' | 'approve' | 'settle'>;
  /** Called for each request after the request is saved. */
  readonly asked: (workspaceId: string, requestId: string) => void;
}

export class ApprovalsService {
  readonly #deps: Deps;
  /** Changes since each request was made, valid until the library is edited. */
  readonly #changes = recent<string, { readonly library: number; readonly changed: readonly ChangedRecord[] }>(
    MAX_REMEMBERED,
  );
  /** Increases with each change of the library. */
  #library = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.on('changed', ({ topic }) => {
      if (LIBRARY.has(topic)) this.#library++;
    });
    deps.db.onLost(() => void this.#library++);
  }

  list(
    actor: WorkspaceActor,
    { limit, offset, ...filter }: QueryOf<typeof listPublishRequests>,
  ): { records: PublishRequest[]; total: number } {
    const { workspaceId } = actor;
    // Throws 404 for an unknown playlist.
    if (filter.playlist_id !== undefined) this.#deps.playlists.plain(actor, filter.playlist_id);
    const { rows, total } = this.#deps.store.page(workspaceId, filter, { limit, offset });
    return { records: rows.map((row) => this.#view(row)), total };
  }

  /** Counts the requests that the actor could decide about now. */
  waiting({ workspaceId, approves }: WorkspaceActor): number {
    if (!approves) return 0;
    return this.#deps.store.current(workspaceId).filter((row) => this.#remembered(row).length === 0).length;
  }

  requestApproval(actor: WorkspaceActor, playlistId: string, note: string, ifMatch?: string): PublishRequest {
    const { db, store, shown, playlists, clock, asked } = this.#deps;
    return db.write(() => {
      const { record, revision } = playlists.plain(actor, playlistId, ifMatch);
      if (!store.isNeeded(actor.workspaceId))
        throw conflict('Publishing needs no approval in this workspace. Publish it yourself.');
      if (record.status === 'published')
        throw conflict('This playlist has no changes to publish. Screens already show its current version.');
      const before = store.waiting(playlistId);
      if (before && this.#changedSince(before).length === 0)
        throw conflict(`${before.user_name} already asked for approval. Wait for the answer.`);
      if (before) playlists.settle(actor, before, 'withdrawn');
      const id = newId();
      const { workspaceId: workspace_id, userId: user_id, userName: user_name } = actor;
      const created_at = seconds(clock);
      const shows = JSON.stringify(shown.of(workspace_id, playlistId));
      store.insert({
        id,
        workspace_id,
        playlist_id: playlistId,
        revision,
        shows,
        user_id,
        user_name,
        note,
        created_at,
      });
      db.afterCommit(() => asked(workspace_id, id));
      return this.#changed(actor, 'playlist.approval_asked', store.find(workspace_id, id)!);
    });
  }

  withdraw(actor: WorkspaceActor, id: string): PublishRequest {
    return this.#deps.db.write(() => {
      const row = this.#waiting(actor, id);
      if (row.user_id !== actor.userId)
        throw forbidden(`Only ${row.user_name} can withdraw this request. Approvers can refuse it.`);
      this.#deps.playlists.settle(actor, row, 'withdrawn');
      return this.#changed(actor, 'playlist.approval_withdrawn', this.#find(actor, id));
    });
  }

  /**
   * Publishes the requested version.
   * @throws ApiError 409 when the playlist, or what it shows, was changed since, or
   * the request is decided
   */
  approve(actor: WorkspaceActor, id: string, answer: string): PublishRequest {
    return this.#deps.db.write(() => {
      const row = this.#decidable(actor, id);
      if (row.is_stale === 1)
        throw new ApiError(
          409,
          'The playlist has been edited since approval was requested. Ask for a new request, so that you approve the current version.',
          { code: 'request_stale' },
        );
      const changed = this.#changedSince(row);
      if (changed.length > 0)
        throw new ApiError(
          409,
          `The content of the playlist has changed since approval was requested: ${named(changed)}. Approval has to be requested again.`,
          { code: 'request_stale' },
        );
      this.#deps.playlists.approve(actor, row, answer);
      return this.#view(this.#find(actor, id));
    });
  }

  refuse(actor: WorkspaceActor, id: string, answer: string): PublishRequest {
    return this.#deps.db.write(() => {
      this.#deps.playlists.settle(actor, this.#decidable(actor, id), 'refused', answer);
      return this.#changed(actor, 'playlist.approval_refused', this.#find(actor, id));
    });
  }

  #decidable(actor: WorkspaceActor, id: string): RequestRow {
    const row = this.#waiting(actor, id);
    if (!actor.approves)
      throw forbidden('Only approvers and administrators can answer this request.', 'approval_required');
    return row;
  }

  /** @throws ApiError 404, and 409 when the request is decided */
  #waiting(actor: WorkspaceActor, id: string): RequestRow {
    const row = this.#find(actor, id);
    if (row.state === 'withdrawn') throw conflict('This request was withdrawn or replaced by a new one.');
    if (row.state !== 'waiting') throw conflict(`${row.decided_by_name} has already answered this request.`);
    return row;
  }

  #find({ workspaceId }: WorkspaceActor, id: string): RequestRow {
    const row = this.#deps.store.find(workspaceId, id);
    if (!row) throw notFound('Request');
    return row;
  }

  #changed(actor: WorkspaceActor, action: ActivityAction, row: RequestRow): PublishRequest {
    const { workspaceId } = actor;
    const record = { id: row.playlist_id, name: row.playlist_name };
    this.#deps.activity.add({ workspaceId, actor, action, details: record.name, record });
    announce(this.#deps, actor, { topic: 'approvals', ids: [row.playlist_id] });
    return this.#view(row);
  }

  #view(row: RequestRow): PublishRequest {
    const { workspace_id: _, shows: _shows, ...request } = row;
    const changed = row.state === 'waiting' ? this.#remembered(row) : [];
    return { ...request, is_stale: changed.length > 0, changed: changed.slice(0, MAX_CHANGED) };
  }

  /**
   * Returns the records that have changed since a request, from the database. A request from before the column `shows`
   * existed can only show that the playlist itself has changed.
   */
  #changedSince({ workspace_id, playlist_id, playlist_name, is_stale, shows }: RequestRow): ChangedRecord[] {
    const { shown } = this.#deps;
    const edited: ChangedRecord[] = is_stale === 1 ? [{ kind: 'playlist', id: playlist_id, name: playlist_name }] : [];
    if (shows === null) return edited;
    const changed = shown.changed(JSON.parse(shows) as Shown, shown.of(workspace_id, playlist_id));
    return [...edited, ...changed.filter(({ kind }) => kind !== 'playlist' || is_stale === 0)];
  }

  /** Caches `changedSince` until the library changes, because clients request counts and lists often. */
  #remembered(row: RequestRow): readonly ChangedRecord[] {
    const key = `${row.id} ${row.is_stale}`;
    const known = this.#changes.get(key);
    if (known?.library === this.#library) return known.changed;
    const changed = this.#changedSince(row);
    this.#changes.set(key, { library: this.#library, changed });
    return changed;
  }
}

/** Returns the names of changed records. Deleted records have no name. */
const named = (changed: readonly ChangedRecord[]): string => {
  const names = changed.flatMap(({ name }) => name || []);
  return [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ');
};
