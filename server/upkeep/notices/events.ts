/** Internal form of notices; their types are declared in shared/contract/server/notices.ts. */
import type { NoticeFacts, NoticeType } from '../../../shared/contract/server/notices.ts';

export interface Screen {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
}

/** Maximum number of records listed in a notice. The field `count` is the number of all records. */
export const MOST_LISTED = 100;

export type EventFacts = NoticeFacts;
/** Types of notices whose only content is a sentence. */
export type SentenceType = Exclude<Extract<EventFacts, { message: string }>['type'], `disk.${'low' | 'full' | 'ok'}`>;

export type Notice = EventFacts & {
  readonly id: string;
  /** Time as ISO 8601 in UTC. */
  readonly at: string;
  readonly server: { readonly id: string; readonly name: string };
};

/** Receiver of notices: webhook or MQTT. Never throws and never blocks. */
export interface Outlet {
  send(notice: Notice): void;
}

/**
 * Activities that are sent as notices. For each, two JSON fields: the field for a single record, and the field for a
 * list of records.
 */
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
