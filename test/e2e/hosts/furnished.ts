/** A small shop in which no page of the admin window is empty. */
import type { TestContext } from 'node:test';
import { designFile } from '../../designs.ts';
import { firstUser, type Site } from '../../harness.ts';
import { must } from '../../people.ts';
import { pairPlayer, playOf } from '../../player-client.ts';
import { jpegOf } from '../../sample-media.ts';
import { upload } from '../../uploads.ts';

/** Values for the parameters of a path. */
export type Samples = Readonly<Record<string, string>>;

/** Creates one record of every kind, so that no page is empty. */
export const furnish = async (t: TestContext, site: Site): Promise<{ token: string; samples: Samples }> => {
  const { token } = await firstUser(site);
  const make = async (path: string, body?: unknown, status = 201, method = 'POST') =>
    must(await site.call(method, path, { token, ...(body !== undefined && { body }) }), status);
  await make('/api/server/settings', { name: 'Kaufhaus Brunnen' }, 200, 'PUT');
  const players = [
    await pairPlayer(t, site, token, 'Window left'),
    await pairPlayer(t, site, token, 'Café, above the counter'),
  ];
  const beat = () => {
    for (const [i, { client }] of players.entries()) client.say({ type: 'heartbeat', telemetry: {}, screen_on: i > 0 });
  };
  beat();
  const alive = setInterval(beat, 5_000);
  t.after(() => clearInterval(alive));
  await make(
    `/api/devices/${players[0]!.deviceId}`,
    {
      timezone: 'Europe/Berlin',
      opening_hours: [
        { days: [1, 2, 3, 4, 5], start: '08:00', end: '20:00' },
        { days: [6], start: '09:00', end: '16:00' },
      ],
    },
    200,
    'PUT',
  );
  const image = await jpegOf('#b4532a', 640, 360);
  const contents: { id: string; filename: string }[] = [];
  for (const name of ['Autumn window.jpg', 'Winter preview 2027 (final, approved by Ines, do not change).jpg'])
    contents.push(must(await upload(site, token, Buffer.concat([image, Buffer.from(name)]), name), 201));
  const playlist = await make('/api/playlists', { name: 'Shop window, autumn' });
  for (const { id } of contents) await make(`/api/playlists/${playlist.id}/items`, { content_id: id });
  await make(`/api/playlists/${playlist.id}/publish`, undefined, 200);
  await make(`/api/playlists/${playlist.id}/assign`, { device_id: players[0]!.deviceId }, 200);
  const plays = Array.from({ length: 60 }, (_, i) => {
    const started_at = Date.now() - (i + 1) * 2 * 3_600_000;
    const { id: content_id, filename: content_name } = contents[i % 3 === 0 ? 1 : 0]!;
    return playOf({
      id: `play-${i}`,
      playlist_id: playlist.id,
      content_id,
      content_name,
      started_at,
      ended_at: started_at + 10_000,
    });
  });
  players[0]!.client.say({ type: 'plays', first: 1, plays });
  await players[0]!.client.next('plays.ack');
  const old = await make('/api/playlists', { name: 'Last summer' });
  await make(`/api/playlists/${old.id}`, undefined, 200, 'DELETE');
  const layout = await make('/api/layouts/template-l-bar/duplicate', { name: 'Window with ticker' });
  const group = await make('/api/groups', { name: 'Shop windows', color: '#b4532a' });
  await make(`/api/groups/${group.id}/devices`, { device_id: players[0]!.deviceId });
  const today = new Date().toISOString().slice(0, 10);
  await make('/api/schedules', {
    device_id: players[0]!.deviceId,
    playlist_id: playlist.id,
    title: 'Breakfast',
    start_time: `${today}T07:30`,
    end_time: `${today}T10:30`,
    recurrence: 'FREQ=DAILY',
  });
  const wall = await make('/api/walls', {
    name: 'Stairway',
    grid_cols: 2,
    grid_rows: 1,
    bezel_h_mm: 8,
    playlist_id: playlist.id,
  });
  await make(
    `/api/walls/${wall.id}/devices`,
    { devices: [{ device_id: players[1]!.deviceId, grid_col: 0, grid_row: 0 }] },
    200,
    'PUT',
  );
  const widget = await make('/api/widgets', {
    widget_type: 'text',
    name: 'Welcome',
    config: { html: '<p>Welcome</p>' },
  });
  const kiosk = await make('/api/kiosk', { name: 'Where is what', config: { title: 'Where is what?' } });
  await make('/api/tokens', { name: 'Till', scope: 'read' });
  const { current_workspace_id: workspace } = must(await site.call('GET', '/api/auth/me', { token }));
  const invite = await make(`/api/workspaces/${workspace}/invites`, {
    email: 'jonas@store.test',
    role: 'workspace_editor',
  });
  const design = must(await upload(site, token, designFile([]), 'Offer'), 201);
  const samples = {
    contentId: design.id,
    screenId: players[0]!.deviceId,
    playlistId: playlist.id,
    layoutId: layout.id,
    groupId: group.id,
    wallId: wall.id,
    widgetId: widget.id,
    kioskId: kiosk.id,
    inviteId: invite.id,
    token: 'vtl_example',
  };
  return { token, samples };
};
