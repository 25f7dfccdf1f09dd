/**
 * Preview of a campaign in a store: which content the campaign would change. Headquarters requests the preview
 * before it sends the campaign, because only the store knows its content.
 */
import { z } from 'zod';
import { RANKS } from '../program/ranks.ts';

/** Maximum number of screen names, and of contents, in the answer. */
export const MAX_NAMED = 50;
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Text = z.string().max(500);

/** The parts of a campaign (CampaignDoc in campaign.ts) that decide which screens it changes, and when. */
export const StorePreview = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  rank: z.enum(RANKS),
  screen_tags: z.array(z.string().min(1).max(50)).max(20),
  start_time: z.string().max(30),
  end_time: z.string().max(30),
  recurrence: z.string().max(1_000).nullable(),
  recurrence_end: z.string().max(10).nullable(),
  /** Whether the campaign has its own layout. */
  has_layout: z.boolean(),
});
export type StorePreview = z.infer<typeof StorePreview>;

const Other = z.object({
  what: z.enum(['schedule', 'playlist', 'campaign']),
  name: Text,
  /** Number of screens that show this content. */
  screens: Count,
});
export const StorePreviewAnswer = z.object({
  /** Number of all screens of the store, and number of screens that the campaign selects. */
  screens: Count,
  meant: Count,
  /** Number of screens whose content would change while the campaign runs, within the examined time. */
  changes: Count,
  changed_names: z.array(Text).max(MAX_NAMED),
  /** Content that would be hidden by the campaign. Content on most screens comes first. */
  hidden: z.array(Other).max(MAX_NAMED),
  /** Content that would be shown instead of the campaign. */
  before: z.array(Other).max(MAX_NAMED),
});
export type StorePreviewAnswer = z.infer<typeof StorePreviewAnswer>;
