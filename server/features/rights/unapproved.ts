/** Refuses requests that would put content on screens without an approved playlist, for members who need approval. */
import type { Showing } from '../../../shared/contract/acts.ts';
import { forbidden } from '../../../shared/contract/errors.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { BinService } from '../bin/bin.service.ts';
import { findUse, type Subject } from './in-use.ts';
import type { RightsStore } from './rights.store.ts';

/** Error code of each refusal in this file. */
export const APPROVAL = 'approval_required';

interface Deps {
  readonly store: RightsStore;
  readonly bin: Pick<BinService, 'concerns' | 'usesOf'>;
}

/** @throws ApiError 403 for content without approval. An unknown record passes, and answers 404 later. */
export const requireApproved = (
  deps: Deps,
  { workspaceId, userId }: Pick<Actor, 'userId'> & { readonly workspaceId: string },
  showing: Showing,
): void => {
  const { store, bin } = deps;
  switch (showing.by) {
    case 'itself':
      throw unapproved();
    case 'edit':
      return requireUnseen(deps, workspaceId, showing);
    case 'item': {
      const item = store.itemOf(workspaceId, showing.id);
      // Every edit of a screen's own playlist is published at once, and so is muting an item, so both are refused.
      if (item && (item.owner !== null || (showing.isMuted && item.isPublished === 1))) throw unapproved();
      return;
    }
    case 'draft': {
      const own = store.ownPlaylist(workspaceId, showing.playlist);
      if (own)
        throw forbidden(
          `${own.name} is the playlist of the screen ${own.screen} only. Every edit of this playlist is published at once, so only approvers can edit it. Use another playlist and ask for approval, or ask an approver to edit this playlist.`,
          APPROVAL,
        );
      return;
    }
    case 'fallback': {
      const { of, ids, content_id } = showing;
      if (content_id && ids.some((id) => store.fallbackOf(of, id) !== content_id)) throw unapproved();
      return;
    }
    case 'wall':
      if (showing.content_id && showing.content_id !== (showing.id && store.contentOfWall(showing.id)))
        throw unapproved();
      return;
    case 'plan':
    case 'schedule': {
      const { by, id } = showing;
      const planId = id && by === 'schedule' ? store.planOfSchedule(workspaceId, id) : id;
      const before = planId ? store.plan(workspaceId, planId) : undefined;
      const { content_id, widget_id } = after(before, showing);
      if (content_id || widget_id)
        throw forbidden(
          'Publishing needs approval here. Plan a playlist instead of a single content item or widget, or ask an approver to do it.',
          APPROVAL,
        );
      return;
    }
    case 'zones':
      for (const { id, content_id, widget_id } of showing.zones) {
        const before = showing.layout && id ? store.zone(showing.layout, id) : undefined;
        if ((content_id && content_id !== before?.content_id) || (widget_id && widget_id !== before?.widget_id))
          throw unapproved();
      }
      return;
    case 'bin': {
      const back = bin.concerns(workspaceId, showing.id);
      if (!back) return;
      if (back.kind === 'file') return requireUnseen(deps, workspaceId, { of: 'content', id: back.ref });
      // The deleted content had been approved where it was used, so the member may restore it.
      if (back.owners.length > 0 && back.userId !== userId) throw unapproved();
      // A design that names the content may have been approved while the content was in the bin.
      if (back.kind === 'content') requireNoDesign(deps, workspaceId, back);
      return;
    }
    default:
      return showing satisfies never;
  }
};

const unapproved = () =>
  forbidden(
    'Publishing needs approval here. Add this to a playlist and ask for approval, or ask an approver to do it.',
    APPROVAL,
  );

/** Returns what a plan shows after a change. Setting the content clears the widget, and the other way round. */
const after = (
  before: { readonly content_id: string | null; readonly widget_id: string | null } | undefined,
  { content_id, widget_id }: Extract<Showing, { by: 'plan' | 'schedule' }>,
) => {
  if (content_id === undefined && widget_id === undefined) return { content_id: null, widget_id: null, ...before };
  if (content_id === undefined) return { content_id: widget_id ? null : (before?.content_id ?? null), widget_id };
  if (widget_id === undefined) return { content_id, widget_id: content_id ? null : (before?.widget_id ?? null) };
  return { content_id, widget_id };
};

/** @throws ApiError 403 when screens get the record, or may get it without another decision */
const requireUnseen = (deps: Deps, workspaceId: string, { of, id }: Subject): void => {
  const name = deps.store.nameOf(of, workspaceId, id);
  if (name === undefined) return;
  const use = findUse(deps, workspaceId, { of, id });
  if (use?.where === 'bin')
    throw forbidden(
      `${name} was on screens with ${use.inBin}, which is in the bin and can be restored, so only approvers can change it. Add new content to a playlist instead, or ask an approver to change it.`,
      APPROVAL,
    );
  if (use?.design !== undefined)
    throw forbidden(
      `${name} is part of the design “${use.design}”, which is on screens or waiting for approval, so only approvers can change it. Ask an approver to change it.`,
      APPROVAL,
    );
  if (use)
    throw forbidden(
      `${name} is on screens or waiting for approval, so only approvers can change it. Add new content to a playlist instead, or ask an approver to change it.`,
      APPROVAL,
    );
};

/** @throws ApiError 403 when a design on screens shows the deleted content as soon as it is restored */
const requireNoDesign = (
  deps: Deps,
  workspaceId: string,
  { ref, name }: { readonly ref: string; readonly name: string },
): void => {
  const use = findUse(deps, workspaceId, { of: 'content', id: ref });
  if (use?.where !== 'live' || use.design === undefined) return;
  throw forbidden(
    `${name} is part of the design “${use.design}”, which is on screens or waiting for approval, so only approvers can restore it. Ask an approver to restore it.`,
    APPROVAL,
  );
};
