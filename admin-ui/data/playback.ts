import { queryOptions } from '@tanstack/react-query';
import { checkPlayback, type PlaybackQuestion } from '../../shared/contract/playback.ts';
import { client } from './client.ts';

/**
 * Which screens cannot play a content or a playlist. Kept with playlists: whatever changes a content, a playlist or a
 * screen changes those too.
 */
export const playbackQuery = (question: PlaybackQuestion) =>
  queryOptions({
    queryKey: ['playlists', 'playback', question],
    queryFn: ({ signal }) => client.call(checkPlayback, { body: question, signal }),
    retry: false,
  });
