import { queryOptions } from '@tanstack/react-query';
import { checkPlayback, type PlaybackQuestion } from '../../shared/contract/content/playback.ts';
import { client } from './requests/client.ts';

/**
 * Query for the screens that cannot play a content or a playlist. Cached with the playlists, since every change of a
 * content, a playlist or a screen also refreshes the playlists.
 */
export const playbackQuery = (question: PlaybackQuestion) =>
  queryOptions({
    queryKey: ['playlists', 'playback', question],
    queryFn: ({ signal }) => client.call(checkPlayback, { body: question, signal }),
    retry: false,
  });
