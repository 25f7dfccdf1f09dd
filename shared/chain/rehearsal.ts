/** What a campaign would change in a store: asked before it is sent, of the store, which alone knows what it shows. */
import { z } from 'zod';
import { RANKS } from '../program/ranks.ts';

/** As many are named. */
export const MAX_NAMED = 50;
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Text = z.string().max(500);

/** What of a campaign decides about what it changes (campaign.ts, CampaignDoc). */
export const Rehearsal = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  rank: z.enum(RANKS),
  screen_tags: z.array(z.string().min(1).max(50)).max(20),
  start_time: z.string().max(30),
  end_time: z.string().max(30),
  recurrence: z.string().max(1_000).nullable(),
  recurrence_end: z.string().max(10).nullable(),
  /** It brings a layout of its own. */
  has_layout: z.boolean(),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

const Other = z.object({
  what: z.enum(['schedule', 'playlist', 'campaign']),
  name: Text,
  /** On so many screens. */
  screens: Count,
});
export const RehearsalAnswer = z.object({
  /** Of the store, and those that the campaign is for. */
  screens: Count,
  meant: Count,
  /** Would show something else at some time while it runs, as far as is looked ahead. */
  changes: Count,
  changed_names: z.array(Text).max(MAX_NAMED),
  /** What would not be shown then, on most screens first. */
  hidden: z.array(Other).max(MAX_NAMED),
  /** What goes before it. */
  before: z.array(Other).max(MAX_NAMED),
});
export type RehearsalAnswer = z.infer<typeof RehearsalAnswer>;
