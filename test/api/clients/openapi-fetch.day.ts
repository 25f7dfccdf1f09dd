/**
 * An integrator's typical work with openapi-fetch. The types are generated from the published document
 * (openapi-typescript), so no type casts are needed.
 */
import createClient from 'openapi-fetch';
import type { Done, Given } from './day.ts';
import type { components, paths } from './schema.d.ts';

type Play = components['schemas']['PlayRow'];

/** Returns the data of a successful answer, or throws. */
const good = <T>({ data, error }: { data?: T | undefined; error?: components['schemas']['Error'] | undefined }): T => {
  if (data === undefined) throw new Error(error?.error ?? 'no answer');
  return data;
};

const clientOf = (baseUrl: string, token?: string) =>
  createClient<paths>({ baseUrl, headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });

export const day = async ({ origin, picture, code, play }: Given): Promise<Done> => {
  const registered = good(
    await clientOf(origin).POST('/api/auth/register', {
      body: { email: 'owner@store.test', password: 'correct horse' },
    }),
  );
  if (!('token' in registered)) throw new Error('the address must be confirmed first');
  const signedIn = clientOf(origin, registered.token);
  const { token } = good(await signedIn.POST('/api/tokens', { body: { name: 'Till system', scope: 'full' } }));
  const device = good(await signedIn.POST('/api/devices/pair', { body: { code, name: 'Window' } }));

  const api = clientOf(origin, token);
  const form = new FormData();
  form.set('file', picture, 'offer.gif');
  const content = good(await api.POST('/api/content', { body: { file: '' }, bodySerializer: () => form }));
  const playlist = await api.POST('/api/playlists', { body: { name: 'Offers' } });
  const params = { path: { id: good(playlist).id } };
  const header = { 'If-Match': playlist.response.headers.get('ETag') ?? '' };
  const item = good(
    await api.POST('/api/playlists/{id}/items', {
      params: { ...params, header },
      body: { content_id: content.id, duration_sec: 8 },
    }),
  );
  const stale = await api.POST('/api/playlists/{id}/items', {
    params: { ...params, header },
    body: { content_id: content.id },
  });
  const block = { days: [1, 2, 3, 4, 5], start: '08:00', end: '24:00' };
  good(
    await api.PUT('/api/playlists/{id}/items/{itemId}/schedules', {
      params: { path: { ...params.path, itemId: item.id } },
      body: { blocks: [block] },
    }),
  );
  const { status: published } = good(await api.POST('/api/playlists/{id}/publish', { params }));
  const items = await api.GET('/api/playlists/{id}/items', { params });
  good(await api.POST('/api/playlists/{id}/assign', { params, body: { device_id: device.id } }));
  const devices = await api.GET('/api/devices', { params: { query: { limit: 10, offset: 0 } } });

  const times = { start_time: '2026-03-02T09:00', end_time: '2026-03-02T10:00', recurrence: 'FREQ=WEEKLY;BYDAY=MO' };
  good(await api.POST('/api/schedules', { body: { device_id: device.id, playlist_id: good(playlist).id, ...times } }));
  const week = good(
    await api.GET('/api/schedules/week', { params: { query: { device_id: device.id, date: '2026-03-04' } } }),
  );

  const wall = {
    path: { id: good(await api.POST('/api/walls', { body: { name: 'Entrance', grid_cols: 2, grid_rows: 1 } })).id },
  };
  good(
    await api.PUT('/api/walls/{id}/devices', {
      params: wall,
      body: { devices: [{ device_id: device.id, grid_col: 1, grid_row: 0 }] },
    }),
  );
  good(await api.PUT('/api/walls/{id}/content', { params: wall, body: { content_id: content.id } }));
  const { tile } = good(
    await api.GET('/api/walls/{id}/device-config/{deviceId}', {
      params: { path: { ...wall.path, deviceId: device.id } },
    }),
  );

  const overlay = good(
    await api.POST('/api/pip', {
      body: { device_id: device.id, type: 'image', uri: 'http://till.store.test/sale.png' },
    }),
  );
  good(await api.POST('/api/pip/clear', { body: { device_id: device.id, pip_id: overlay.pip_id } }));

  await play(item);
  const report = await api.GET('/api/reports/plays', { params: { query: { limit: 1, device_id: device.id } } });
  const plays: readonly Play[] = good(report);
  const csv = good(await api.GET('/api/reports/export', { params: { query: { format: 'csv' } }, parseAs: 'text' }));
  const file = good(await api.GET('/api/content/{id}/file', { params: { path: { id: content.id } }, parseAs: 'blob' }));

  const missing = await api.GET('/api/playlists/{id}', { params: { path: { id: 'nothing' } } });
  const wrong = await api.PUT('/api/walls/{id}/content', { params: wall, body: {} });
  const { success: deleted } = good(await api.DELETE('/api/playlists/{id}', { params }));
  return {
    role: registered.user.role,
    mimeType: content.mime_type,
    duration: item.duration_sec,
    published,
    device: good(devices)[0]?.name ?? '',
    totals: {
      devices: devices.response.headers.get('X-Total-Count'),
      items: items.response.headers.get('X-Total-Count'),
      plays: report.response.headers.get('X-Total-Count'),
    },
    week: week.map((one) => one.instance_start),
    tiles: [tile.x > 0 ? 1 : 0, tile.y],
    stale: stale.response.status,
    overlay: overlay.results[0]?.status,
    plays: plays.map((one) => one.content_name),
    csv: csv.split('\n')[0] ?? '',
    fileBytes: file.size,
    missing: [missing.response.status, missing.error?.error ?? ''],
    wrong: [wrong.response.status, wrong.error?.error ?? ''],
    deleted,
  };
};
