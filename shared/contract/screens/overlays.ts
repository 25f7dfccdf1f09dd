/** Overlays, picture-in-picture (resource API, Overlay). */
import { z } from 'zod';
import { atOnce, nothing, on } from '../acts.ts';
import { endpointsOf, full } from '../endpoint.ts';
import { between, Color, Id, Int, Success, textOf, whole } from '../fields.ts';

const endpoint = endpointsOf('Overlays');
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address' })
  .max(4000, 'must be at most 4000 characters');

export const NewOverlay = z.object({
  /** Id of a device, or id of a group for all its members. */
  device_id: Id,
  type: z.enum(['image', 'web'], 'must be image or web'),
  uri: httpUrl,
  position: z
    .enum(
      ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'center'],
      'must be top-left, top-right, bottom-left, bottom-right or center',
    )
    .default('top-right'),
  /** Size of the overlay in pixels. */
  width: whole(40, 3840).default(480),
  height: whole(40, 3840).default(360),
  /** Duration in seconds; 0: until cleared. */
  duration: whole(0, 86_400).default(0),
  title: textOf(200).nullish(),
  title_color: Color.nullish(),
  background_color: Color.nullish(),
  opacity: between(0, 1).default(1),
  /** Radius of the corners in pixels. */
  border_radius: whole(0, 512).default(0),
  close_button: z.boolean().nullish(),
});
export type NewOverlay = z.infer<typeof NewOverlay>;

export const OverlayResult = z.object({
  device_id: z.string(),
  name: z.string(),
  status: z.enum(['sent', 'shown', 'failed', 'offline', 'cleared']),
  error: z.string().optional(),
});
export type OverlayResult = z.infer<typeof OverlayResult>;

const Delivered = Success.extend({
  target: z.enum(['device', 'group']),
  sent: Int,
  offline: Int,
  total: Int,
  results: z.array(OverlayResult),
});

export const showOverlay = endpoint('POST /api/pip', {
  name: 'showOverlay',
  summary: 'Show a picture or page on top of what plays',
  description:
    'One overlay at a time per device: the newest wins. Waits 2 s at the most; results say sent, shown, failed (these count as sent) or offline: those get it when they come back while it still counts.',
  access: full,
  acts: ({ body }) => [on('screens', body.device_id)],
  shows: atOnce,
  body: NewOverlay,
  response: Delivered.extend({ pip_id: z.string() }),
  errors: [404],
});

const Clear = z.object({ device_id: Id, pip_id: z.string().max(200).nullish() });
const clear = {
  summary: 'Clear an overlay',
  description: 'Without pip_id whatever shows.',
  access: full,
  body: Clear,
  response: Delivered,
  errors: [404],
  acts: ({ body }: { readonly body: z.output<typeof Clear> }) => [on('screens', body.device_id)],
  shows: nothing,
} as const;
export const deleteOverlay = endpoint('DELETE /api/pip', { name: 'deleteOverlay', ...clear });
export const clearOverlay = endpoint('POST /api/pip/clear', { name: 'clearOverlay', ...clear });
