/**
 * Finds the screens that cannot play a content, before the content is shown. Called by the admin window, and by clients
 * that publish.
 */
import { z } from 'zod';
import { PlaybackReason } from '../../formats/playback.ts';
import { endpointsOf, read } from '../endpoint.ts';
import { Int, Ref } from '../fields.ts';
import { PlanTarget } from '../screens/plans.ts';

/** Maximum number of named screens per item; `total` is the number of all affected screens. */
export const MAX_NAMED_SCREENS = 20;
/** Maximum number of items in one answer. A playlist contains at most 2,000 items. */
export const MAX_PLAYBACK_ITEMS = 200;
/** Maximum number of targets in one request. */
export const MAX_PLAYBACK_TARGETS = 1000;

const endpoint = endpointsOf('Playback');

export const PlaybackQuestion = z
  .object({
    content_id: Ref.optional(),
    playlist_id: Ref.optional(),
    layout_id: Ref.optional(),
    targets: z.array(PlanTarget).max(MAX_PLAYBACK_TARGETS, `must be at most ${MAX_PLAYBACK_TARGETS} targets`).nullish(),
  })
  .refine((b) => [b.content_id, b.playlist_id, b.layout_id].filter(Boolean).length === 1, {
    path: ['content_id'],
    message: 'send exactly one of content_id, playlist_id and layout_id',
  });
export type PlaybackQuestion = z.infer<typeof PlaybackQuestion>;

/** Content that some of the screens cannot play, or play without its sound. */
export const PlaybackProblem = z.object({
  content_id: z.string(),
  filename: z.string(),
  /** `fails`: these screens cannot play the content. `silent`: the picture plays, the sound does not. */
  verdict: z.enum(['fails', 'silent']),
  reason: PlaybackReason,
  /** The first 20 affected screens by name. */
  screens: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Number of all affected screens. */
  total: Int,
});
export type PlaybackProblem = z.infer<typeof PlaybackProblem>;

export const PlaybackAnswer = z.object({
  /** Number of checked screens. */
  screens: Int,
  /**
   * Number of checked screens whose players do not report which formats they play. Nothing is said about these screens.
   */
  unknown: Int,
  /** Contents that some screens cannot play. The content with the most affected screens comes first. */
  problems: z.array(PlaybackProblem),
});
export type PlaybackAnswer = z.infer<typeof PlaybackAnswer>;

export const checkPlayback = endpoint('POST /api/playback/check', {
  name: 'checkPlayback',
  summary:
    'Which screens cannot play a content, the contents of a playlist’s draft, or what the zones of a layout show',
  description:
    'Changes nothing. `targets`: screens, groups and tags, as for a plan. Without them: all screens for a content, the screens that show it now for a playlist, the screens that have it or are planned to have it for a layout. ' +
    'Of a layout, the contents of zones and the published items of the playlists of zones are compared. ' +
    'Compares the codecs and size of each video and sound with what the player of the screen reported (`formats` of the device). A screen or a file of which that is not known is never named as a problem.',
  access: read,
  body: PlaybackQuestion,
  response: PlaybackAnswer,
  errors: [404],
});
