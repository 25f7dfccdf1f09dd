/**
 * What a store and headquarters say to each other by NATS: the verbs of wire.ts as requests, each on a subject that has
 * the store and its key in it, so that the broker lets nobody else say it. One table: credentials are made of it, and
 * tests try every store's against every other's.
 */
import { z } from 'zod';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from './segment.ts';
import { CHAIN_VERBS, type ChainVerb, LISTEN_VERB, Refusal, SEGMENT_VERB } from './wire.ts';

/** A store's server. A PC that was replaced has another key, and with it no subject in common with the new one. */
export interface Whose {
  /** Its id at headquarters. */
  readonly store: string;
  /** Ed25519, raw, hex. */
  readonly key: string;
}

/** What is asked over NATS: all that wants to be signed in. One signs in by HTTPS. */
export type HubVerb = Exclude<ChainVerb, 'enrol' | 'challenge' | 'session'> | typeof LISTEN_VERB;
export const HUB_VERBS: readonly HubVerb[] = [
  ...(Object.keys(CHAIN_VERBS) as ChainVerb[]).filter((verb): verb is HubVerb & ChainVerb => !CHAIN_VERBS[verb].open),
  /** Says that the store hears what is said on its subject `down`; said again as long as that is so. */
  LISTEN_VERB,
];

/** For requests, an answer each: JSON, and for `segment` a whole file. */
export const askSubject = ({ store, key }: Whose, verb: HubVerb): string => `hq.${store}.${key}.${verb}`;
export const segmentSubject = ({ store, key }: Whose): string => `up.${store}.${key}.${SEGMENT_VERB}`;
/** What headquarters says to a store, a line each. */
export const downSubject = ({ store, key }: Whose): string => `down.${store}.${key}`;
/** Answers to a store's requests lie beneath it. */
export const inboxOf = ({ store, key }: Whose): string => `_INBOX.${store}.${key}`;

/** All that there is of one store, and which of it is the store's to publish or to subscribe; nothing else is. */
const TABLE: readonly { readonly may: keyof Permissions; readonly subject: (whose: Whose) => string }[] = [
  ...HUB_VERBS.map((verb) => ({ may: 'publish', subject: (whose: Whose) => askSubject(whose, verb) }) as const),
  { may: 'publish', subject: segmentSubject },
  { may: 'subscribe', subject: downSubject },
  { may: 'subscribe', subject: (whose) => `${inboxOf(whose)}.>` },
];

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}
export const storePermissions = (whose: Whose): Permissions => {
  const of = (may: keyof Permissions) => TABLE.filter((row) => row.may === may).map(({ subject }) => subject(whose));
  return { publish: of('publish'), subscribe: of('subscribe') };
};
export const HQ_ASKED = 'hq.*.*.*';
export const HQ_SEGMENTS = `up.*.*.${SEGMENT_VERB}`;
export const HQ_PERMISSIONS: Permissions = {
  publish: ['down.*.*', '_INBOX.>'],
  subscribe: [HQ_ASKED, HQ_SEGMENTS],
};

/** Who asks, by the subject of a request, and what. Undefined: it is none. */
export const askedBy = (subject: string): (Whose & { readonly verb: string }) | undefined => {
  const [, store, key, verb] = /^(?:hq|up)\.([\w-]+)\.([0-9a-f]{64})\.([a-z]+)$/.exec(subject) ?? [];
  return store !== undefined && key !== undefined && verb !== undefined ? { store, key, verb } : undefined;
};
/** Whether an answer to it may go there: whoever asks writes what they like, and headquarters may publish everywhere. */
export const isInboxOf = (whose: Whose, reply: string | undefined): reply is string =>
  reply?.startsWith(`${inboxOf(whose)}.`) === true && /^[\w.-]{1,250}$/.test(reply);
/** Whether a store can have subjects: its id is one word of them. */
export const hasSubjects = ({ store, key }: Whose): boolean =>
  /^[\w-]{1,64}$/.test(store) && /^[0-9a-f]{64}$/.test(key);

/** Of a message, bytes: a segment is the largest. */
export const MAX_MESSAGE_BYTES = MAX_SEGMENT_BYTES + MAX_HEADER_BYTES;
/** An answer, or why there is none. */
export const HubAnswer = z.object({ answer: z.unknown().optional(), refused: Refusal.optional() });
