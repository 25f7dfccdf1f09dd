/**
 * Fills an empty server with a small shop (contents, playlists, screens) for work on the window, and keeps its screens
 * alive with the player protocol. Not part of the product.
 *
 *   node server/main.ts --data DIR --port 8811 --no-discovery
 *   node admin-ui/dev/shop.ts http://localhost:8811
 */
import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';

const origin = process.argv[2] ?? 'http://localhost:8811';
const owner = { email: 'ines@brunnen.example', password: 'eine lange Leiter', name: 'Ines Brunner' };

let token = '';
type Row = { id: string; token: string; current_workspace_id: string };
const api = async (method: string, path: string, body?: unknown): Promise<Row> => {
  const form = body instanceof FormData;
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !form && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
  });
  const data = (await answer.json().catch(() => null)) as Row;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(data)}`);
  return data;
};

const poster = (w: number, h: number, [a, b]: [string, string], title: string, sub: string, mark: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${a}"/><stop offset="1" stop-color="${b}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="${w * 0.82}" cy="${h * 0.25}" r="${Math.min(w, h) * 0.28}" fill="#fff" opacity=".14"/><circle cx="${w * 0.9}" cy="${h * 0.75}" r="${Math.min(w, h) * 0.2}" fill="#fff" opacity=".1"/>
    <text x="${w * 0.07}" y="${h * 0.48}" font-family="DejaVu Sans, sans-serif" font-weight="700" font-size="${w * 0.085}" fill="#fff">${title}</text>
    <text x="${w * 0.07}" y="${h * 0.6}" font-family="DejaVu Sans, sans-serif" font-size="${w * 0.036}" fill="#fff" opacity=".85">${sub}</text>
    <text x="${w * 0.07}" y="${h * 0.2}" font-family="DejaVu Sans, sans-serif" font-weight="700" font-size="${w * 0.03}" fill="#fff" opacity=".7">${mark}</text></svg>`),
  );

const posters: [string, number, number, [string, string], string, string][] = [
  [
    'Autumn window.jpg',
    3840,
    2160,
    ['#b4532a', '#6d1f2e'],
    'Autumn is here',
    'New coats and scarves on the first floor',
  ],
  ['Bread of the day.jpg', 1920, 1080, ['#c98a2b', '#7a3d14'], 'Bread of the day', 'Spelt and walnut, 4.20'],
  ['Opening hours.png', 1920, 1080, ['#25408f', '#12224f'], 'Open till eight', 'Monday to Saturday'],
  ['Espresso.jpg', 2560, 1440, ['#3a2a22', '#0e0a08'], 'One more espresso?', 'The second is on us before 9'],
  ['Gift cards.jpg', 1080, 1920, ['#8a2a63', '#3d1046'], 'Gift cards', 'For whoever has everything'],
  ['Loyalty – tenth coffee free.jpg', 1920, 1080, ['#1f6b52', '#0c3327'], 'The tenth is free', 'Ask for your card'],
  [
    'Winter preview 2027 (final, approved by Ines, do not change).jpg',
    3000,
    2000,
    ['#3f6f9c', '#13263e'],
    'Winter preview',
    'From the 1st of December',
  ],
  ['Sale.png', 1920, 1080, ['#c22f36', '#741017'], 'Sale', 'Up to 40 % off'],
];

const upload = async (name: string, bytes: Buffer, type: string) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return api('POST', '/content', form);
};

const pictures = new Map<string, string>();

/** Returns made-up plays of a program during the opening hours of the last week, as data for the reports. */
const playsOf = (program: unknown): object[] => {
  const items = [...JSON.stringify(program).matchAll(/"item_id":(\d+)[^{}]*?"content_id":"([^"]+)"/g)];
  if (items.length === 0) return [];
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const plays: object[] = [];
  for (let day = 6; day >= 0; day--) {
    for (let minute = 7 * 60; minute < 19 * 60; minute += 7 + (day % 3) * 4) {
      const [, item, content] = items[plays.length % items.length]!;
      const started_at = today - day * 86_400_000 + minute * 60_000;
      if (started_at > Date.now()) break;
      const ended_at = started_at + 10_000 + (plays.length % items.length) * 4_000;
      const content_name = names.get(content!) ?? content!;
      const more = {
        playlist_id: null,
        widget_id: null,
        zone_id: null,
        content_name,
        completed: plays.length % 11 > 0,
      };
      plays.push({
        id: crypto.randomUUID(),
        item_id: Number(item),
        content_id: content,
        started_at,
        ended_at,
        ...more,
      });
    }
  }
  return plays;
};
/** Names of contents by id. */
const names = new Map<string, string>();

/** Simulates a player: shows its code, and after the claim sends heartbeats and pictures. */
const player = (
  name: string,
  options: {
    width: number;
    height: number;
    platform: string;
    picture: string;
    wifi?: boolean;
    quietAfter?: number;
  },
) =>
  new Promise<{ pending: string }>((resolve) => {
    const secret = randomBytes(32);
    let deviceId = '';
    const device = {
      name,
      platform: options.platform,
      version: '0.1.0',
      capabilities: ['screenshot', 'reboot', 'shutdown', 'screen', 'audio'],
      screen: { width: options.width, height: options.height },
    };
    let showing: unknown[] = [];
    let hasPlayed = false;
    const open = () => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/player`, 'vitrine.v1');
      const send = (message: unknown) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
      const beat = () =>
        send({
          type: 'heartbeat',
          telemetry: {
            local_ip: `192.168.20.${10 + (name.length % 200)}`,
            local_ip6: null,
            wifi_ssid: options.wifi ? 'Brunnen-Kasse' : null,
            wifi_rssi: options.wifi ? -58 - Math.round(Math.random() * 6) : null,
            battery_level: null,
            battery_charging: null,
            storage_free_mb: 21_400,
            storage_total_mb: 29_800,
            ram_free_mb: 1900 + Math.round(Math.random() * 200),
            ram_total_mb: 3900,
            cpu_usage: 9 + Math.round(Math.random() * 80) / 10,
            uptime_seconds: 86_400 * 12 + 7200,
          },
          showing,
        });
      socket.onopen = () =>
        send(
          deviceId
            ? { type: 'hello', protocol: 1, device_id: deviceId, secret: secret.toString('hex'), device }
            : { type: 'hello', protocol: 1, secret_hash: createHash('sha256').update(secret).digest('hex'), device },
        );
      let timer: ReturnType<typeof setInterval>;
      socket.onmessage = async (event) => {
        const message = JSON.parse(String(event.data));
        if (message.type === 'pairing') resolve({ pending: message.code });
        if (message.type === 'paired') deviceId = message.device_id;
        if (message.type === 'welcome' || message.type === 'paired') {
          clearInterval(timer);
          timer = setInterval(beat, 5000);
          beat();
        }
        if (message.type === 'program') {
          const program: unknown = await fetch(`${origin}${message.url}`, {
            headers: { Authorization: `Bearer ${deviceId}.${secret.toString('hex')}` },
          }).then((r) => r.json());
          const item = JSON.stringify(program).match(/"item_id":(\d+)[^{}]*?"content_id":"([^"]+)"/);
          showing = item
            ? [{ zone_id: null, item_id: Number(item[1]), content_id: item[2], widget_id: null, since: Date.now() }]
            : [];
          send({ type: 'program.ready', id: message.id });
          beat();
          const shown = playsOf(program);
          if (!hasPlayed)
            for (let at = 0; at < shown.length; at += 500)
              send({ type: 'plays', first: at + 1, plays: shown.slice(at, at + 500) });
          hasPlayed ||= shown.length > 0;
        }
        if (message.type === 'screenshot')
          send({ type: 'screenshot.result', id: message.id, mime: 'image/jpeg', data: pictures.get(options.picture) });
      };
      socket.onclose = () => {
        clearInterval(timer);
        if (!options.quietAfter) setTimeout(open, 2000);
      };
      if (options.quietAfter) setTimeout(() => socket.close(), options.quietAfter);
    };
    open();
  });

const registered = await api('POST', '/auth/register', { ...owner });
token = registered.token;
await api('PUT', '/server/settings', { name: 'Kaufhaus Brunnen', registration: 'closed' });
await api('PUT', `/workspaces/${registered.current_workspace_id}`, { organization_name: 'Kaufhaus Brunnen' });

const contents: Row[] = [];
for (const [name, w, h, colours, title, sub] of posters) {
  const image = poster(w, h, colours, title, sub, 'KAUFHAUS BRUNNEN');
  const png = name.endsWith('.png');
  contents.push(
    await upload(
      name,
      await (png ? image.png() : image.jpeg({ quality: 88 })).toBuffer(),
      png ? 'image/png' : 'image/jpeg',
    ),
  );
  pictures.set(
    name,
    (
      await image
        .resize({ width: Math.min(w, 1280) })
        .jpeg({ quality: 80 })
        .toBuffer()
    ).toString('base64'),
  );
}
const { execFileSync } = await import('node:child_process');
const { readFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { tmpdir } = await import('node:os');
const clip = join(tmpdir(), `vitrine-shop-${process.pid}.mp4`);
execFileSync('ffmpeg', [
  '-loglevel',
  'error',
  '-y',
  '-f',
  'lavfi',
  '-i',
  'gradients=s=1280x720:d=14:c0=0x25408f:c1=0xf0b43c:speed=0.02',
  '-f',
  'lavfi',
  '-i',
  'sine=d=14',
  '-c:v',
  'libx264',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
  '-shortest',
  clip,
]);
contents.push(await upload('Shop window film.mp4', readFileSync(clip), 'video/mp4'));

for (const [i, { id }] of contents.entries()) names.set(id, posters[i]?.[0] ?? 'Shop window film.mp4');

const playlist = async (name: string, picks: number[], publish: boolean) => {
  const made = await api('POST', '/playlists', { name });
  for (const pick of picks) await api('POST', `/playlists/${made.id}/items`, { content_id: contents[pick]?.id });
  if (publish) await api('POST', `/playlists/${made.id}/publish`);
  return made;
};
const autumn = await playlist('Shop window, autumn', [0, 8, 1, 3, 7], true);
const till = await playlist('Till', [5, 2], true);
await api('POST', `/playlists/${till.id}/items`, { content_id: contents[7]?.id });
await playlist('Winter (from December)', [6, 8], false);
await playlist('Empty so far', [], false);

const screens: [string, Parameters<typeof player>[1], string | null][] = [
  ['Window left', { width: 1920, height: 1080, platform: 'linux x64', picture: 'Autumn window.jpg' }, autumn.id],
  [
    'Window right',
    { width: 3840, height: 2160, platform: 'linux x64', picture: 'Espresso.jpg', wifi: true },
    autumn.id,
  ],
  ['Till 1', { width: 1920, height: 1080, platform: 'win32 x64', picture: 'Loyalty – tenth coffee free.jpg' }, till.id],
  [
    'Fitting room',
    { width: 1080, height: 1920, platform: 'linux arm64', picture: 'Gift cards.jpg', wifi: true },
    autumn.id,
  ],
  [
    'Café, above the counter',
    { width: 1920, height: 1080, platform: 'linux arm64', picture: 'Bread of the day.jpg', quietAfter: 40_000 },
    autumn.id,
  ],
  ['Stairs', { width: 1920, height: 1080, platform: 'linux x64', picture: 'Sale.png' }, null],
];
const devices = new Map<string, string>();
for (const [name, options, playlistId] of screens) {
  const { pending } = await player(name, options);
  const device = await api('POST', '/devices/pair', { code: pending, name });
  devices.set(name, device.id);
  if (playlistId) await api('POST', `/playlists/${playlistId}/assign`, { device_id: device.id });
}
/** Creates groups, layouts, plans and walls, so that no page of the window is empty. */
const deviceId = (name: string) => devices.get(name) ?? '';
const windows = await api('POST', '/groups', { name: 'Shop windows', color: '#b4532a' });
for (const name of ['Window left', 'Window right', 'Fitting room'])
  await api('POST', `/groups/${windows.id}/devices`, { device_id: deviceId(name) });
const ticker = await api('POST', '/layouts/template-l-bar/duplicate', { name: 'Window with ticker' });
const sunday = new Date(Date.now() - new Date().getUTCDay() * 86_400_000);
const planned = (weekday: number, time: string) =>
  `${new Date(sunday.getTime() + weekday * 86_400_000).toISOString().slice(0, 10)}T${time}`;
const plan = (from: string, to: string, what: Record<string, unknown>) =>
  api('POST', '/schedules', { start_time: from, end_time: to, ...what });
await plan(planned(1, '07:30'), planned(1, '10:30'), {
  device_id: deviceId('Window left'),
  playlist_id: till.id,
  title: 'Breakfast',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
});
await plan(planned(5, '09:30'), planned(5, '13:00'), {
  device_id: deviceId('Window left'),
  content_id: contents[7]?.id,
  priority: 5,
  color: '#a8323e',
});
await plan(planned(0, '20:00'), planned(1, '06:00'), {
  group_id: windows.id,
  playlist_id: autumn.id,
  title: 'Windows at night',
  recurrence: 'FREQ=DAILY',
});
await plan(planned(6, '11:00'), planned(6, '16:00'), {
  device_id: deviceId('Window left'),
  playlist_id: autumn.id,
  layout_id: ticker.id,
  title: 'Saturday',
});
const stairway = await api('POST', '/walls', {
  name: 'Stairway',
  grid_cols: 2,
  grid_rows: 1,
  bezel_h_mm: 8,
  playlist_id: autumn.id,
});
const panels = ['Till 1', 'Café, above the counter'].map((name, grid_col) => ({
  device_id: deviceId(name),
  grid_col,
  grid_row: 0,
}));
await api('PUT', `/walls/${stairway.id}/devices`, { devices: panels });
await player('STICK-7F3A', { width: 1920, height: 1080, platform: 'linux arm64', picture: 'Sale.png' });
process.stdout.write('The shop is open. Ctrl+C closes it.\n');
