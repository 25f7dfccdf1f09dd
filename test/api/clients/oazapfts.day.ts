/**
 * An integrator's typical work with the functions that oazapfts generates from the published document. The status
 * narrows the type of each answer, so no type casts are needed.
 */
import * as api from './client.ts';
import type { Done, Given } from './day.ts';

/** Checks the status of an answer, and returns the data of this status. */
const expect = <A extends { status: number }, S extends A['status']>(
  answer: A,
  status: S,
): Extract<A, { status: S }> => {
  if (!has(answer, status)) throw new Error(`answered ${answer.status}`);
  return answer;
};
const has = <A extends { status: number }, S extends A['status']>(
  answer: A,
  status: S,
): answer is Extract<A, { status: S }> => answer.status === status;

const signIn = (token: string): void => {
  api.defaults.headers = { authorization: `Bearer ${token}` };
};

export const day = async ({ origin, picture, code, play }: Given): Promise<Done> => {
  api.defaults.baseUrl = origin;
  const registered = expect(await api.register({ email: 'owner@store.test', password: 'correct horse' }), 201).data;
  if (!('token' in registered)) throw new Error('the address must be confirmed first');
  signIn(registered.token);
  const { token } = expect(await api.createToken({ name: 'Till system', scope: 'full' }), 201).data;
  const device: api.Device = expect(await api.pairDevice({ code, name: 'Window' }), 201).data;

  signIn(token);
  const content: api.Content = expect(await api.uploadContent({ file: picture }), 201).data;
  const made = expect(await api.createPlaylist({ name: 'Offers' }), 201);
  const playlist: api.Playlist = made.data;
  const ifMatch = made.headers.get('ETag') ?? '';
  const item: api.PlaylistItem = expect(
    await api.addPlaylistItem(playlist.id, { content_id: content.id, duration_sec: 8 }, { ifMatch }),
    201,
  ).data;
  const stale = await api.addPlaylistItem(playlist.id, { content_id: content.id }, { ifMatch });
  expect(
    await api.replacePlaylistItemSchedules(playlist.id, item.id, {
      blocks: [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '24:00' }],
    }),
    200,
  );
  const { status: published } = expect(await api.publishPlaylist(playlist.id), 200).data;
  const items = expect(await api.listPlaylistItems(playlist.id), 200);
  expect(await api.assignPlaylist(playlist.id, { device_id: device.id }), 200);
  const devices = expect(await api.listDevices({ limit: 10, offset: 0 }), 200);

  const times = { start_time: '2026-03-02T09:00', end_time: '2026-03-02T10:00', recurrence: 'FREQ=WEEKLY;BYDAY=MO' };
  expect(await api.createSchedule({ device_id: device.id, playlist_id: playlist.id, ...times }), 201);
  const week: api.ScheduleInstance[] = expect(await api.weekOfSchedules(device.id, { date: '2026-03-04' }), 200).data;

  const wall: api.Wall = expect(await api.createWall({ name: 'Entrance', grid_cols: 2, grid_rows: 1 }), 201).data;
  expect(await api.replaceWallDevices(wall.id, { devices: [{ device_id: device.id, grid_col: 1, grid_row: 0 }] }), 200);
  expect(await api.setWallContent(wall.id, { content_id: content.id }), 200);
  const { tile } = expect(await api.getDeviceWallConfig(wall.id, device.id), 200).data;

  const overlay = expect(
    await api.showOverlay({ device_id: device.id, type: 'image', uri: 'http://till.store.test/sale.png' }),
    200,
  ).data;
  expect(await api.clearOverlay({ device_id: device.id, pip_id: overlay.pip_id }), 200);

  await play(item);
  const report = expect(await api.listPlays({ limit: 1, deviceId: device.id }), 200);
  const csv = expect(await api.exportPlays({ format: 'csv' }), 200).data;
  const file = expect(await api.getContentFile(content.id), 200);

  const missing = expect(await api.getPlaylist('nothing'), 404);
  const wrong = expect(await api.setWallContent(wall.id, {}), 400);
  const { success: deleted } = expect(await api.deletePlaylist(playlist.id), 200).data;
  return {
    role: registered.user.role,
    mimeType: content.mime_type,
    duration: item.duration_sec,
    published,
    device: devices.data[0]?.name ?? '',
    totals: {
      devices: devices.headers.get('X-Total-Count'),
      items: items.headers.get('X-Total-Count'),
      plays: report.headers.get('X-Total-Count'),
    },
    week: week.map((one) => one.instance_start),
    tiles: [tile.x > 0 ? 1 : 0, tile.y],
    stale: stale.status,
    overlay: overlay.results[0]?.status,
    plays: report.data.map((one) => one.content_name),
    csv: csv.split('\n')[0] ?? '',
    // Reads the size from the header, because this generator's functions parse every answer that is not a JSON error as
    // text, whatever their types say.
    fileBytes: Number(file.headers.get('Content-Length')),
    missing: [missing.status, missing.data.error],
    wrong: [wrong.status, wrong.data.error],
    deleted,
  };
};
