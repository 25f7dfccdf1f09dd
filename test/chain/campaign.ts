/** What headquarters gives its stores to show, for tests. */
import type { CampaignBody } from '../../shared/contract/campaigns.ts';
import { must } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { upload } from '../uploads.ts';
import type { Server } from './rig.ts';

const DAY_MS = 86_400_000;
/** Local, in whatever zone: from two days ago, for a year. */
const day = (offset: number): string => `${new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)}T00:00:00`;

export const campaignOf = (more: Partial<CampaignBody>): CampaignBody => ({
  ...{ name: 'Advent', note: '', rank: 'must', playlist_id: null, layout_id: null, whole_screen: true },
  ...{ start_time: day(-2), end_time: day(300), recurrence: null, recurrence_end: null, begins: 'whole' },
  ...{ where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
  ...more,
});

/** Its picture and a published playlist of it. */
export const playlistOf = async (
  server: Server,
  name: string,
  color: string,
): Promise<{ playlist: string; content: string }> => {
  const { id: content } = must(await upload(server.site, server.owner.token, await jpegOf(color), `${name}.jpg`), 201);
  const { id: playlist } = must(await server.call('POST', '/api/playlists', { name }), 201);
  must(await server.call('POST', `/api/playlists/${playlist}/items`, { content_id: content, duration_sec: 10 }), 201);
  must(await server.call('POST', `/api/playlists/${playlist}/publish`));
  return { playlist, content };
};
