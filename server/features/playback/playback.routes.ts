import { checkPlayback } from '../../../shared/contract/content/playback.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { PlaybackService } from './playback.service.ts';

export const playbackRoutes = (service: PlaybackService): Bound[] => [
  bind(checkPlayback, ({ actor, body }) => service.check(actor, body)),
];
