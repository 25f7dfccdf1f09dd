/**
 * NATS subjects for the messages between a store and headquarters: the verbs of wire.ts as requests, each on a subject
 * that contains the store and its key, so that the broker accepts the request from no other client. The broker's
 * credentials are made from this table. Tests check that no store can use the subjects of another store.
 */
import { z } from 'zod';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from './segment.ts';
import { CHAIN_VERBS, type ChainVerb, LISTEN_VERB, Refusal, SEGMENT_VERB } from './wire.ts';

/** The server of a store. A replaced PC has another key, so it has no subject in common with the previous PC. */
export interface Whose {
  /** Id of the store at headquarters. */
  readonly store: string;
  /** Public key of the server (Ed25519, raw, hex). */
  readonly key: string;
}

/** Verbs over NATS: all verbs that need a session. Signing in uses HTTPS. */
export type HubVerb = Exclude<ChainVerb, 'enrol' | 'challenge' | 'session'> | typeof LISTEN_VERB;
export const HUB_VERBS: readonly HubVerb[] = [
  ...(Object.keys(CHAIN_VERBS) as ChainVerb[]).filter((verb): verb is HubVerb & ChainVerb => !CHAIN_VERBS[verb].open),
  /** Reports that the store listens on its subject `down`. The store repeats this report while it listens. */
  LISTEN_VERB,
];

/** Subject of a request that has one answer. The request is JSON, or a whole file for `segment`. */
export const requestSubject = ({ store, key }: Whose, verb: HubVerb): string => `hq.${store}.${key}.${verb}`;
export const segmentSubject = ({ store, key }: Whose): string => `up.${store}.${key}.${SEGMENT_VERB}`;
/** Subject of messages from headquarters to a store, one line each. */
export const downSubject = ({ store, key }: Whose): string => `down.${store}.${key}`;
/** Prefix of the subjects of answers to a store's requests. */
export const inboxOf = ({ store, key }: Whose): string => `_INBOX.${store}.${key}`;

/** All subjects of one store, and whether the store may publish or subscribe to them; all other subjects are denied. */
const TABLE: readonly { readonly may: keyof Permissions; readonly subject: (whose: Whose) => string }[] = [
  ...HUB_VERBS.map((verb) => ({ may: 'publish', subject: (whose: Whose) => requestSubject(whose, verb) }) as const),
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

/** Returns the sender and the verb of a request by its subject. Undefined if the subject is invalid. */
export const senderOf = (subject: string): (Whose & { readonly verb: string }) | undefined => {
  const [, store, key, verb] = /^(?:hq|up)\.([\w-]+)\.([0-9a-f]{64})\.([a-z]+)$/.exec(subject) ?? [];
  return store !== undefined && key !== undefined && verb !== undefined ? { store, key, verb } : undefined;
};
/**
 * Returns whether an answer may be sent to this subject. This check is needed because the sender chooses the reply
 * subject, and headquarters may publish everywhere.
 */
export const isInboxOf = (whose: Whose, reply: string | undefined): reply is string =>
  reply?.startsWith(`${inboxOf(whose)}.`) === true && /^[\w.-]{1,250}$/.test(reply);
/** Returns whether a store can have subjects: its id must be one token of a subject. */
export const hasSubjects = ({ store, key }: Whose): boolean =>
  /^[\w-]{1,64}$/.test(store) && /^[0-9a-f]{64}$/.test(key);

/** Maximum number of bytes of a message. The largest message is a segment. */
export const MAX_MESSAGE_BYTES = MAX_SEGMENT_BYTES + MAX_HEADER_BYTES;
/** Answer of headquarters to a request: the result, or the reason for a refusal. */
export const HubAnswer = z.object({ answer: z.unknown().optional(), refused: Refusal.optional() });
