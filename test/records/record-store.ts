/**
 * Fills a store with one record of every kind and saves it for later versions, and writes the digest of its schema:
 * `node test/records/record-store.ts`. Run once for each version with a new migration (server/db/landed.test.ts).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import sharp from 'sharp';
import { App } from '../../server/app.ts';
import { configFrom } from '../../server/config.ts';
import { NEWEST_FILE, newestFile } from '../../server/db/foreign-schema.ts';
import { DEVICE, hashOf, PlayerClient, playOf } from '../player-client.ts';

// Writes the digest of the schema. With it a start recognizes the schema without running the migrations.
writeFileSync(NEWEST_FILE, `${JSON.stringify(newestFile(), null, 2)}\n`);

const FOLDER = join(import.meta.dirname, '..', '..', 'server', 'db');
const data = mkdtempSync(join(tmpdir(), 'vitrine-store-'));
const app = new App({ config: configFrom({ data, host: '127.0.0.1', port: 0, https_port: 0, discovery: '0' }) });
await app.start();
const origin = `http://127.0.0.1:${app.port}`;

let token = '';
const send = async (method: string, path: string, body: object) => {
  const isForm = body instanceof FormData;
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(!isForm && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(origin + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
};
const make = (path: string, body: object) => send('POST', path, body);

({ token } = await make('/api/auth/register', { email: 'owner@store.test', password: 'correct horse', name: 'Owner' }));
const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#336699' } })
  .png()
  .toBuffer();
const form = new FormData();
form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'blue.png');
const content = await make('/api/content', form);
await make('/api/folders', { name: 'Summer' });
const playlist = await make('/api/playlists', { name: 'Morning' });
const widget = await make('/api/widgets', { widget_type: 'clock', name: 'Clock', config: {} });
await make(`/api/playlists/${playlist.id}/items`, { content_id: content.id, duration_sec: 7 });
await make(`/api/playlists/${playlist.id}/items`, { widget_id: widget.id, duration_sec: 9 });
await make(`/api/playlists/${playlist.id}/publish`, {});
await make('/api/layouts', {
  name: 'Two',
  zones: [{ name: 'A', x_percent: 0, y_percent: 0, width_percent: 50, height_percent: 100 }],
});
await make('/api/kiosk', { name: 'Map', config: {} });
const group = await make('/api/groups', { name: 'Windows' });

const player = new PlayerClient(origin);
await player.opened;
player.say({ type: 'hello', protocol: 1, secret_hash: hashOf('5ec2e7'.padEnd(64, '0')), device: DEVICE });
const { code } = await player.next('pairing');
const device = await make('/api/devices/pair', { code, name: 'Till' });
await player.next('program');
player.say({ type: 'heartbeat', telemetry: { cpu_usage: 12, local_ip: '10.0.0.7' } });
const played = { content_id: content.id, content_name: 'blue.png', boot_id: 'first', uncertainty_ms: 0.3 };
player.say({ type: 'plays', first: 1, plays: [playOf(played), playOf({ ...played, completed: false })] });
await player.next('plays.ack');
await make(`/api/groups/${group.id}/devices`, { device_id: device.id });
await make(`/api/playlists/${playlist.id}/assign`, { device_id: device.id });
const times = {
  start_time: '2026-01-05T09:00:00',
  end_time: '2026-01-05T12:00:00',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO',
  timezone: 'Europe/Berlin',
};
await make('/api/schedules', { device_id: device.id, playlist_id: playlist.id, title: 'Mornings', ...times });
const wall = await make('/api/walls', { name: 'Wall', grid_cols: 2, grid_rows: 1 });
await send('PUT', `/api/walls/${wall.id}/devices`, { devices: [{ device_id: device.id, grid_col: 0, grid_row: 0 }] });
player.socket.terminate();
await app.stop();

const raw = new BetterSqlite3(join(data, 'vitrine.db'));
raw.pragma('journal_mode = DELETE');
raw.exec('VACUUM');
raw.close();
const version = readdirSync(join(FOLDER, 'migrations')).filter((file) => file.endsWith('.sql')).length;
writeFileSync(
  join(FOLDER, 'testing', 'landed', `${version}.db.gz`),
  gzipSync(readFileSync(join(data, 'vitrine.db')), { level: 9 }),
);
rmSync(data, { recursive: true });
