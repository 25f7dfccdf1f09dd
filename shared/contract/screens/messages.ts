/**
 * Messages: a text or a picture that screens show at once. An addition to the contract. Each message is an overlay
 * whose id (`pip_id`) is the same on all its screens; it needs neither a web address nor HTML.
 */
import { z } from 'zod';
import { overlayAreas } from '../../protocol/overlay-area.ts';
import { atOnce, nothing, on, targets } from '../acts.ts';
import { endpointsOf, full, open, read, stream, write } from '../endpoint.ts';
import { Color, Epoch, Id, Int, nameOf, paging, queryFlag, queryWord, Ref, textOf, whole } from '../fields.ts';

/** Maximum number of targets of one message. */
export const MAX_MESSAGE_TARGETS = 500;
/** Maximum number of messages that a workspace stores. The newest messages stay. */
export const MAX_MESSAGES = 500;
/** Maximum number of results in the answer to a new message; `/screens` returns all results. */
export const MAX_FIRST_RESULTS = 100;

const endpoint = endpointsOf('Messages');

export const messageTemplates = ['notice', 'alarm', 'welcome', 'offer'] as const;
export type MessageTemplate = (typeof messageTemplates)[number];

export const MessageColors = z.object({ background: Color, text: Color });
export type MessageColors = z.infer<typeof MessageColors>;

/** Default colours of a template. */
export const templateColors: Readonly<Record<MessageTemplate, MessageColors>> = {
  notice: { background: '#16305c', text: '#ffffff' },
  alarm: { background: '#c8102e', text: '#ffffff' },
  welcome: { background: '#0f5c4d', text: '#ffffff' },
  offer: { background: '#ffd21f', text: '#1a1a1a' },
};

/** Default duration of a message in seconds. An alarm stays until a person withdraws it (0). */
export const usualDuration = (template: MessageTemplate): number => (template === 'alarm' ? 0 : 300);

/** Text, template and colours of a message. */
const drawn = {
  template: z.enum(messageTemplates).default('notice'),
  title: textOf(120).nullish(),
  text: textOf(1_000).nullish(),
  /** Colours; absent: the colours of the template. */
  colors: MessageColors.nullish(),
};
export type DrawnMessage = Pick<NewMessage, keyof typeof drawn>;

/** Screen, group or tag that shows the message, or all screens. The `id` of a tag is the tag itself. */
export const MessageTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('device'), id: Id }),
  z.object({ kind: z.literal('group'), id: Id }),
  z.object({ kind: z.literal('tag'), id: nameOf(50) }),
  z.object({ kind: z.literal('all') }),
]);
export type MessageTarget = z.infer<typeof MessageTarget>;

const saysSomething = (message: Partial<Record<'title' | 'text' | 'content_id', string | null | undefined>>) =>
  Boolean(message.title?.trim() || message.text?.trim() || message.content_id);

export const NewMessage = z
  .object({
    ...drawn,
    /** Id of a stored picture that is shown instead of the text; the title is shown above the picture. */
    content_id: Ref.optional(),
    /** Area of the screen that the message covers, relative to the size of the screen. */
    position: z.enum(overlayAreas).default('full'),
    /** Seconds on the screen; 0: until it is withdrawn. @default 0 for an alarm, else 300 */
    duration: whole(0, 86_400).optional(),
    targets: z
      .array(MessageTarget)
      .min(1, 'must name at least one screen, group or tag, or all')
      .max(MAX_MESSAGE_TARGETS, `must be at most ${MAX_MESSAGE_TARGETS} targets`),
  })
  .refine(saysSomething, { path: ['text'], message: 'must not be empty without a title or an image' });
export type NewMessage = z.infer<typeof NewMessage>;

/**
 * States of a message on a screen. `sent`: delivered, but the player has not confirmed that the message is visible.
 * `offline`: the screen receives the message if it reconnects in time. `ended`: the message was shown and is over (its
 * time ended, or it was withdrawn, closed or replaced). `missed`: the message is over and was never shown there.
 */
export const messageStates = ['shown', 'sent', 'offline', 'failed', 'ended', 'missed'] as const;
export type MessageState = (typeof messageStates)[number];

export const MessageScreen = z.object({
  device_id: z.string(),
  /** Name of the screen; empty after the screen was deleted. */
  name: z.string(),
  status: z.enum(messageStates),
  /** Reason of the failure, from the player. */
  error: z.string().optional(),
});
export type MessageScreen = z.infer<typeof MessageScreen>;

export const Message = z.object({
  id: z.string(),
  template: z.enum(messageTemplates),
  title: z.string(),
  text: z.string(),
  content_id: z.string().nullable(),
  colors: MessageColors.nullable(),
  position: z.enum(overlayAreas),
  duration: Int,
  targets: z.array(z.object({ kind: z.enum(['device', 'group', 'tag', 'all']), id: z.string(), name: z.string() })),
  user_id: z.string().nullable(),
  user_name: z.string(),
  created_at: Epoch,
  /**
   * Time at which the message ends on screens that showed it at once; null: the message stays until it is withdrawn.
   */
  until: Epoch.nullable(),
  withdrawn_at: Epoch.nullable(),
  /** Whether some screen shows the message, or may still show it. */
  in_force: z.boolean(),
  /** Number of selected screens. It is the sum of the numbers that follow. */
  total: Int,
  /** Number of screens that show the message now. */
  shown: Int,
  sent: Int,
  offline: Int,
  failed: Int,
  ended: Int,
  missed: Int,
});
export type Message = z.infer<typeof Message>;

const Sent = Message.extend({ results: z.array(MessageScreen) });

const RESULTS = `Waits 2 s at the most. results: the first ${MAX_FIRST_RESULTS} screens, those that do not show it first.`;

export const listMessages = endpoint('GET /api/messages', {
  name: 'listMessages',
  summary: 'Messages, newest first',
  description: `in_force keeps those that show somewhere or may still. A workspace remembers its newest ${MAX_MESSAGES}.`,
  access: read,
  query: z.object({ in_force: queryFlag, ...paging(20, 100) }),
  response: z.array(Message),
});
export const getMessage = endpoint('GET /api/messages/{id}', {
  name: 'getMessage',
  summary: 'A message',
  access: read,
  response: Message,
});
export const listMessageScreens = endpoint('GET /api/messages/{id}/screens', {
  name: 'listMessageScreens',
  summary: 'State of a message on each screen',
  description: 'Screens that do not show the message come first.',
  access: read,
  query: z.object({ status: queryWord(messageStates), ...paging(100, 500) }),
  response: z.array(MessageScreen),
});
export const sendMessage = endpoint('POST /api/messages', {
  name: 'sendMessage',
  summary: 'Show a text or a picture on screens now',
  description: `Without a duration an alarm stays until it is withdrawn, any other message for 300 seconds. One message or overlay at a time per screen: the newest wins. Screens that are off get it when they come back while it still counts. ${RESULTS}`,
  access: full,
  acts: ({ body }) => targets(body.targets, 'tagged'),
  shows: atOnce,
  body: NewMessage,
  status: 201,
  response: Sent,
  errors: [404],
});
export const repeatMessage = endpoint('POST /api/messages/{id}/again', {
  name: 'repeatMessage',
  summary: 'Show a message once more',
  description: `On the screens that its targets have now, as a message of its own. ${RESULTS}`,
  access: full,
  acts: ({ params }) => [on('message', params.id)],
  shows: atOnce,
  status: 201,
  response: Sent,
});
export const withdrawMessage = endpoint('DELETE /api/messages/{id}', {
  name: 'withdrawMessage',
  summary: 'Take a message off all of its screens',
  description: 'The message stays in the list. Screens that are offline end the message when they connect again.',
  access: full,
  acts: ({ params }) => [on('message', params.id)],
  shows: nothing,
  response: Message,
});
export const previewMessage = endpoint('POST /api/messages/preview', {
  name: 'previewMessage',
  summary: 'The page of a message, without showing it',
  description: 'Post it to the preview frame.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: z.object(drawn),
  response: stream('text/html'),
  perMinute: 240,
});
export const messageFrame = endpoint('GET /api/messages/preview/frame', {
  name: 'messageFrame',
  summary: 'An empty sandboxed page that shows the preview of a message',
  description: 'As that of widgets, for pages of messages.',
  access: open,
  response: stream('text/html'),
});
export const showMessage = endpoint('GET /api/messages/{id}/shown', {
  name: 'showMessage',
  summary: 'The page of a message',
  description: 'For players that do not take it as a file. 404 once it is over, and for a picture.',
  access: open,
  response: stream('text/html'),
});
