/** What a notice is inside the server; its types are declared in shared/contract/notices.ts. */
import type { NoticeFacts, NoticeType } from '../../../shared/contract/notices.ts';

export interface Screen {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
}

/** Most records that one notice lists; `count` is the number of all. */
export const MOST_LISTED = 100;

export type EventFacts = NoticeFacts;
/** Types of notices that consist of one sentence. */
export type SentenceType = Exclude<Extract<EventFacts, { message: string }>['type'], `disk.${'low' | 'full' | 'ok'}`>;

export type Notice = EventFacts & {
  readonly id: string;
  /** In ISO 8601, UTC. */
  readonly at: string;
  readonly server: { readonly id: string; readonly name: string };
};

/** Where notices go. It never throws and never waits. */
export interface Outlet {
  send(notice: Notice): void;
}

/** Activities that are sent as notices, with the member that names the record and the one that lists many. */
export const REPORTED = {
  'playlist.published': ['playlist', 'playlists'],
  'playlist.approval_asked': ['playlist', 'playlists'],
  'playlist.deleted': ['playlist', 'playlists'],
  'plan.created': ['plan', 'plans'],
  'plan.updated': ['plan', 'plans'],
  'plan.deleted': ['plan', 'plans'],
  'schedule.created': ['schedule', 'schedules'],
  'schedule.updated': ['schedule', 'schedules'],
  'schedule.deleted': ['schedule', 'schedules'],
  'message.sent': ['sent_message', 'sent_messages'],
  'message.withdrawn': ['sent_message', 'sent_messages'],
} as const satisfies Partial<Record<NoticeType, readonly [string, string]>>;
export type ReportedType = keyof typeof REPORTED;
