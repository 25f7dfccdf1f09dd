import { queryOptions } from '@tanstack/react-query';
import { checkPlayback, type PlaybackQuestion } from '../../shared/contract/playback.ts';
import { client } from './client.ts';

/**
 * Screens that cannot play a content or a playlist. Cached together with the playlists, since every change of a
 * content, a playlist or a screen affects the cached playlists too.
 */
export const playbackQuery = (question: PlaybackQuestion) =>
  queryOptions({
    queryKey: ['playlists', 'playback', question],
    queryFn: ({ signal }) => client.call(checkPlayback, { body: question, signal }),
    retry: false,
  });
