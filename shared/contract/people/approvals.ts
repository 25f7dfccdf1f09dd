/**
 * Publishing with approval: members without the right to publish send a request, and approvers decide about exactly the
 * requested state. An addition to the contract, active in workspaces with `approval`.
 */
import { z } from 'zod';
import { nothing, on } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Epoch, Int, paging, queryId, queryWord, textOf } from '../fields.ts';

const endpoint = endpointsOf('Approval');

/** Maximum number of characters of a requester's note or of an approver's answer. */
export const MAX_WORDS = 1000;
const Words = textOf(MAX_WORDS)
  .nullish()
  .transform((text) => text?.trim() ?? '');

/**
 * Record whose content changed after a member requested the publication. `playlist`: the items of the playlist, or
 * their default transition, changed.
 */
export const ChangedRecord = z.object({
  kind: z.enum(['playlist', 'content', 'widget', 'kiosk']),
  id: z.string(),
  /** Name of the record; empty: the record was deleted. */
  name: z.string(),
});
export type ChangedRecord = z.infer<typeof ChangedRecord>;
/** Maximum number of changed records in a request. */
export const MAX_CHANGED = 20;

export const PublishRequest = z.object({
  id: z.string(),
  playlist_id: z.string(),
  playlist_name: z.string(),
  /** Revision (ETag) of the playlist in the request. */
  revision: Int,
  /** User who sent the request. */
  user_id: z.string().nullable(),
  user_name: z.string(),
  note: z.string(),
  created_at: Epoch,
  state: z.enum(['waiting', 'approved', 'refused', 'withdrawn']),
  /**
   * Whether the playlist or its contents changed while the request was waiting. Nobody can approve such a request;
   * the member must send a new request.
   */
  is_stale: z.boolean(),
  /** Records that changed after a waiting request: at most MAX_CHANGED. */
  changed: z.array(ChangedRecord),
  decided_at: Epoch.nullable(),
  decided_by: z.string().nullable(),
  decided_by_name: z.string().nullable(),
  /** Text that the approver wrote with the decision. */
  answer: z.string(),
});
export type PublishRequest = z.infer<typeof PublishRequest>;

export const requestPublish = endpoint('POST /api/playlists/{id}/publish-request', {
  name: 'askToPublish',
  summary: 'Ask for approval of a playlist as it is now',
  description:
    'One request of a playlist waits at a time: while it is of the present draft another is 409, an older one gives way. 409 also when there is nothing to publish, or publishing needs no approval in the workspace.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: nothing,
  body: z.object({ note: Words }),
  status: 201,
  response: PublishRequest,
  errors: [409, 412],
});

export const listPublishRequests = endpoint('GET /api/publish-requests', {
  name: 'listPublishRequests',
  summary: 'What waits for approval, the longest first; or what was decided, the newest first',
  description: 'Without a state: all, the newest first.',
  access: read,
  query: z.object({ state: queryWord(['waiting', 'decided']), playlist_id: queryId, ...paging(50, 200) }),
  response: z.array(PublishRequest),
  errors: [404],
});

const decided = {
  access: write,
  shows: nothing,
  response: PublishRequest,
} as const;

export const withdrawPublishRequest = endpoint('POST /api/publish-requests/{id}/withdraw', {
  name: 'withdrawPublishRequest',
  summary: 'Withdraw what one has asked for',
  acts: ({ params }) => [on('request', params.id)],
  ...decided,
  errors: [409],
});

/** Text that the approver writes with the decision. */
export const Answer = z.object({ answer: Words });

export const approvePublishRequest = endpoint('POST /api/publish-requests/{id}/approve', {
  name: 'approvePublishRequest',
  summary: 'Approve: what was asked for is published',
  description:
    'For members who approve and administrators (403). 409 `request_stale` when the playlist was edited since, or a content, widget or kiosk page that it shows was changed; 409 when somebody else has decided.',
  acts: ({ params }) => [on('request', params.id)],
  ...decided,
  body: Answer,
  errors: [409],
});

export const refusePublishRequest = endpoint('POST /api/publish-requests/{id}/refuse', {
  name: 'refusePublishRequest',
  summary: 'Refuse, and say why',
  description: 'For members who approve and administrators (403). 409 when somebody else has decided.',
  acts: ({ params }) => [on('request', params.id)],
  ...decided,
  body: Answer,
  errors: [409],
});
