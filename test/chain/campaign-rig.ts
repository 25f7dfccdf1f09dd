/** Campaigns of headquarters for tests, and screens of stores that report what they show. */
import type { TestContext } from 'node:test';
import type { CampaignBody } from '../../shared/contract/headquarters/campaigns.ts';
import type { Program } from '../../shared/program/program.ts';
import { resolve } from '../../shared/program/resolve.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, pairPlayer } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import type { Server } from './rig.ts';

export const WAIT_MS = 20_000;
const DAY_MS = 86_400_000;
/** Returns local midnight of a day relative to today, without a time zone, as plans have it. */
const day = (offset: number): string => `${new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)}T00:00:00`;

export const campaignOf = (more: Partial<CampaignBody>): CampaignBody => ({
  ...{ name: 'Advent', note: '', rank: 'must', playlist_id: null, layout_id: null, whole_screen: true },
  ...{ start_time: day(-2), end_time: day(300), recurrence: null, recurrence_end: null, begins: 'whole' },
  ...{ where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
  ...more,
});

/** Uploads a picture, and publishes a playlist with this picture. */
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

/** Opens a screen that fetches each new program and reports that it has the program. */
export const openShowing = async (t: TestContext, store: Server) => {
  const { deviceId, secret, credential, client } = await pairPlayer(t, store.site, store.owner.token, 'Till');
  client.socket.terminate();
  const player = await connectPlayer(t, store.site);
  player.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE });
  let program: Program | undefined;
  const take = async (): Promise<void> => {
    const { id, url } = (await player.next('program')) as unknown as { id: string; url: string };
    program = must(await store.site.call('GET', url, { token: credential }));
    player.say({ type: 'program.ready', id });
  };
  await take();
  void (async () => {
    for (;;) await take();
  })().catch(() => {});
  return {
    deviceId,
    /** Returns the names of the items that the screen shows within the next minute. */
    shown: (at = Date.now()): string[] => {
      const found = new Set<string>();
      for (let i = 0; i < 6; i++)
        for (const { cue } of resolve(program!, 'UTC', at + i * 10_000).zones) if (cue) found.add(cue.item.name);
      return [...found].sort();
    },
  };
};

export const shows = (screen: { shown(): string[] }, what: string[]): Promise<unknown> =>
  until(
    () => `it shows ${what}, not ${screen.shown()}`,
    WAIT_MS,
    () => screen.shown().join() === what.join(),
  );
