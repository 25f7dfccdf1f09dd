/**
 * Every kind of item on a real screen: server, player and browser are separate processes. All kinds are shown at once,
 * each in a zone of one layout. Each zone is checked by its pixels when it is first shown, after an edit, after each
 * process was killed, and without the server.
 */
// Suite: journeys
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { pdf } from '../../player/screen/testing/documents.ts';
import { BLUE, distance, GREEN, type Picture, type Rgb } from '../../player/screen/testing/pictures.ts';
import { type WidgetType, widgetTypeNames } from '../../shared/contract/content/widget-types.ts';
import { callerOf, firstUser, ownPort, type Site, tempFolder } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { pairPlayer } from '../player-client.ts';
import { clip } from '../sample-media.ts';
import { serve } from '../serve.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { end, lineOf } from './hosts/child.ts';
import { ScreenProcess } from './hosts/screen-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SIZE = { width: 960, height: 540 };

type Call = ReturnType<typeof mustCallAs>;

/** The server on which items are created: request functions and addresses. */
interface Store {
  readonly call: Call;
  readonly site: Pick<Site, 'origin' | 'call'>;
  readonly token: string;
  /** Address of another web server: `/rrggbb` is a page of this colour, `/feed` is a feed. */
  readonly web: string;
}

/** The content of a zone. */
type Fill = { readonly content_id: string } | { readonly widget_id: string } | { readonly playlist_id: string };

interface Made {
  readonly fill: Fill;
  /** Changes the item to another colour through the API. */
  edit(colour: Rgb): Promise<unknown>;
}

interface Kind {
  readonly name: string;
  make(store: Store, colour: Rgb): Promise<Made>;
  /** Returns whether a zone shows the item in this colour. Default: compares the middle of the zone. */
  shows?(look: Look, colour: Rgb): boolean;
}

/** Returns the colour at a point of the zone. `x` and `y` are shares of its width and height, 0 to 1. */
type Look = (x: number, y: number) => Rgb;

const hex = (colour: Rgb): string => colour.map((value) => value.toString(16).padStart(2, '0')).join('');
const isNear = (a: Rgb, b: Rgb): boolean => distance(a, b) < 24;

const plain = (colour: Rgb) => {
  const [r, g, b] = colour;
  return sharp({ create: { width: 320, height: 180, channels: 3, background: { r, g, b } } });
};
const bmp = async (colour: Rgb): Promise<Buffer> => {
  const [width, height] = [16, 9];
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + width * height * 4, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(32, 28);
  const [r, g, b] = colour;
  return Buffer.concat([head, ...Array.from({ length: width * height }, () => Buffer.from([b, g, r, 255]))]);
};
const svg = async (colour: Rgb): Promise<Buffer> =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#${hex(colour)}"/></svg>`,
  );

const film = (codec: string) => (extension: string) => (colour: Rgb) =>
  clip(extension, `-f lavfi -i color=c=0x${hex(colour)}:s=160x90:r=10:d=3 ${codec} -pix_fmt yuv420p`);
const h264 = film('-c:v libx264 -preset ultrafast -colorspace bt709 -vf scale=out_color_matrix=bt709');
const vp8 = film('-c:v libvpx -deadline realtime');
const tone = (extension: string) => (colour: Rgb) =>
  clip(extension, `-f lavfi -i sine=d=3:f=${colour === GREEN ? 440 : 660}`);

/** An uploaded file, which is later replaced by another file. */
const file = (
  name: string,
  bytes: (colour: Rgb) => Promise<Buffer> | Buffer,
  more: Pick<Kind, 'shows'> = {},
): Kind => ({
  name,
  make: async ({ site, token }, colour) => {
    const { id } = must(await upload(site, token, await bytes(colour), name), 201);
    return {
      fill: { content_id: id },
      edit: async (next) =>
        must(
          await upload(site, token, await bytes(next), name, { method: 'PUT', path: `/api/content/${id}/replace` }),
          200,
        ),
    };
  },
  ...more,
});

/** All sounds have the same quiet picture: light rings on a dark background that is never black. */
const isSoundPicture = (look: Look): boolean =>
  [
    [0.03, 0.05],
    [0.97, 0.05],
    [0.03, 0.95],
    [0.97, 0.95],
  ].every(([x, y]) => distance(look(x!, y!), [0, 0, 0]) > 12);
const sound = (extension: string): Kind => file(`sound.${extension}`, tone(extension), { shows: isSoundPicture });

/** Compares a point near the corner, which shows only the background, whatever the widget shows. */
const hasGround = (look: Look, colour: Rgb): boolean => isNear(look(0.02, 0.03), colour);

const configOf = (type: WidgetType, { web }: Pick<Store, 'web'>, colour: Rgb): Record<string, unknown> => {
  const ground = { background: `#${hex(colour)}` };
  switch (type) {
    case 'webpage':
      return { url: `${web}/${hex(colour)}` };
    case 'text':
      return { ...ground, html: '<p>Fresh bread</p>' };
    case 'rss':
    case 'social':
      return { ...ground, feed_url: `${web}/feed` };
    case 'directory-board':
    case 'directory-search':
      return { ...ground, categories: [{ name: 'First floor', entries: [{ name: 'Coats' }] }] };
    case 'weather':
      return { ...ground, location: 'Bergen', latitude: 60.39, longitude: 5.32 };
    case 'clock':
      return ground;
    default:
      return type satisfies never;
  }
};
const widget = (type: WidgetType): Kind => ({
  name: `widget ${type}`,
  make: async (store, colour) => {
    const { call } = store;
    const body = { name: type, widget_type: type, config: configOf(type, store, colour) };
    // A screen requests data once a minute, so the server fetches the data before the screen gets the widget.
    if (type === 'rss' || type === 'social' || type === 'weather')
      await until(`the data of ${type}`, 20_000, async () =>
        /"fetched_at":\d/.test(await call('POST', '/api/widgets/preview', { widget_type: type, config: body.config })),
      );
    const { id } = await call('POST', '/api/widgets', body, 201);
    return {
      fill: { widget_id: id },
      edit: (next) => call('PUT', `/api/widgets/${id}`, { config: configOf(type, store, next) }),
    };
  },
  shows: hasGround,
});

const kioskPage: Kind = {
  name: 'kiosk page',
  make: async ({ call }, colour) => {
    const configOf = (ground: Rgb) => ({ title: 'Welcome', style: { background: `#${hex(ground)}` } });
    const page = await call('POST', '/api/kiosk', { name: 'Desk', config: configOf(colour) }, 201);
    const config = { url: `/api/kiosk/${page.id}/render` };
    const { id } = await call('POST', '/api/widgets', { name: 'Desk', widget_type: 'webpage', config }, 201);
    return {
      fill: { widget_id: id },
      edit: (next) => call('PUT', `/api/kiosk/${page.id}`, { config: configOf(next) }),
    };
  },
  shows: hasGround,
};

const webPage: Kind = {
  name: 'web page',
  make: async ({ call, web }, colour) => {
    const body = { url: `${web}/${hex(colour)}`, name: 'Dashboard', mime_type: 'text/html' };
    const { id } = await call('POST', '/api/content/remote', body, 201);
    return {
      fill: { content_id: id },
      edit: (next) => call('PUT', `/api/content/${id}`, { remote_url: `${web}/${hex(next)}` }),
    };
  },
};

/** A playlist whose items alternate every second. The edit publishes other items. */
const playlist: Kind = {
  name: 'playlist',
  make: async ({ call, site, token }, colour) => {
    const { id } = await call('POST', '/api/playlists', { name: 'Turns' }, 201);
    const fill = async (ground: Rgb) => {
      const before: { id: number }[] = await call('GET', `/api/playlists/${id}/items`);
      for (const item of before) await call('DELETE', `/api/playlists/${id}/items/${item.id}`);
      const files = [
        ['turn.png', await plain(ground).png().toBuffer()],
        ['turn.pdf', pdf([ground])],
        ['turn.webm', await vp8('webm')(ground)],
      ] as const;
      for (const [name, bytes] of files) {
        const content = must(await upload(site, token, bytes, name), 201);
        await call('POST', `/api/playlists/${id}/items`, { content_id: content.id, duration_sec: 1 }, 201);
      }
      await call('POST', `/api/playlists/${id}/publish`);
    };
    await fill(colour);
    return { fill: { playlist_id: id }, edit: fill };
  },
};

/** Text in a corner. Its letters are in a font file that the player fetches, so no design shows without that file. */
const CORNER_TEXT = {
  ...{ type: 'text', id: 'text', size: 40 },
  place: { horizontal: 'left', vertical: 'top', dx: 0, dy: 0, width: 200, height: 80 },
  text: [{ style: 'title', list: null, runs: [{ text: 'Żurek' }] }],
};

/** A design whose page has this background. */
const design = (background: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ format: 'vitrine-design', version: 1, template: false, style: null },
      pages: [
        { ...{ id: 'page', layout: null, arrangements: {}, duration_ms: null }, background, elements: [CORNER_TEXT] },
      ],
    }),
  );

/** A design that shows a picture of the library; the edit replaces the picture, and leaves the design as it is. */
const designWithPicture: Kind = {
  name: 'design with a picture',
  make: async ({ site, token }, colour) => {
    const bytes = (of: Rgb) => plain(of).png().toBuffer();
    const picture = must(await upload(site, token, await bytes(colour), 'photo.png'), 201);
    const media = {
      ...{ content_id: picture.id, fit: 'fill', focus: { x: 0.5, y: 0.5 } },
      ...{ overlay: null, overlay_opacity: 0, zoom: false },
    };
    const made = must(await upload(site, token, design({ kind: 'media', media }), 'photo.design'), 201);
    return {
      fill: { content_id: made.id },
      edit: async (next) =>
        must(
          await upload(site, token, await bytes(next), 'photo.png', {
            method: 'PUT',
            path: `/api/content/${picture.id}/replace`,
          }),
          200,
        ),
    };
  },
};

const KINDS: readonly Kind[] = [
  file('picture.jpg', (colour) => plain(colour).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()),
  file('picture.png', (colour) => plain(colour).png().toBuffer()),
  file('picture.webp', (colour) => plain(colour).webp({ lossless: true }).toBuffer()),
  file('picture.avif', (colour) => plain(colour).avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()),
  file('picture.gif', (colour) => plain(colour).gif().toBuffer()),
  file('picture.bmp', bmp),
  file('picture.svg', svg),
  file('clip.mp4', h264('mp4')),
  file('clip.mov', h264('mov')),
  file('clip.mkv', h264('mkv')),
  file('clip.webm', vp8('webm')),
  ...['mp3', 'm4a', 'aac', 'ogg', 'wav', 'flac'].map(sound),
  file('pages.pdf', (colour) => pdf([colour, colour])),
  file('offer.design', (colour) => design({ kind: 'color', color: `#${hex(colour)}` })),
  designWithPicture,
  webPage,
  ...widgetTypeNames.map(widget),
  kioskPage,
  playlist,
];

const COLUMNS = 6;
const ROWS = Math.ceil(KINDS.length / COLUMNS);
/** Height of the grid in percent of the screen's height. The banner of the message takes the rest. */
const GRID_HEIGHT = 75;
const MESSAGE_POINT = [0.02, 0.97] as const;

const zoneOf = (index: number) => ({
  x_percent: ((index % COLUMNS) * 100) / COLUMNS,
  y_percent: (Math.floor(index / COLUMNS) * GRID_HEIGHT) / ROWS,
  width_percent: 100 / COLUMNS,
  height_percent: GRID_HEIGHT / ROWS,
});

/** Returns a function that reads the colours of one zone in a screenshot. */
const lookAt = (photo: Picture, index: number): Look => {
  const zone = zoneOf(index);
  return (x, y) =>
    photo.at(
      Math.floor(((zone.x_percent + x * zone.width_percent) / 100) * (photo.width - 1)),
      Math.floor(((zone.y_percent + y * zone.height_percent) / 100) * (photo.height - 1)),
    );
};

const startServer = async (
  t: TestContext,
  { port, data, web }: { readonly port: number; readonly data: string; readonly web: string },
) => {
  const args = ['server/main.ts', '--port', String(port), '--data', data, '--no-discovery'];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      VITRINE_ALLOWED_HOSTS: '127.0.0.1',
      VITRINE_HOST: '127.0.0.1',
      VITRINE_WEATHER_URL: web,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  await lineOf(child, /This computer/);
  return child;
};

const startWeb = async (t: TestContext): Promise<string> => {
  const { origin } = await serve(t, (request, response) => {
    if (request.url === '/feed')
      return response
        .writeHead(200, { 'content-type': 'application/rss+xml' })
        .end(
          '<rss version="2.0"><channel><title>Shop</title><item><title>Open until eight</title></item></channel></rss>',
        );
    if (request.url?.startsWith('/v1/forecast'))
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ current: { temperature_2m: 4, weather_code: 3 } }));
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Page</title><body style="margin:0;background:#${request.url?.slice(1)}"><p>.`);
  });
  return origin;
};

const pair = async (call: Call, name: string): Promise<string> => {
  const pending_id = await until(`the player ${name} has come`, 30_000, async () => {
    const pending: { pending_id: string; name: string }[] = await call('GET', '/api/devices/pending');
    return pending.find((one) => one.name === name)?.pending_id;
  });
  return (await call('POST', '/api/devices/pair', { pending_id }, 201)).id;
};

test('screen shows every kind of item: at first, after an edit, after each process was killed, and without the server', {
  timeout: 240_000,
}, async (t) => {
  const shots = join(ROOT, 'test-artefacts', 'every-kind');
  mkdirSync(shots, { recursive: true });
  const began = performance.now();
  const web = await startWeb(t);
  const port = await ownPort();
  const data = tempFolder(t);
  let server: ChildProcess = await startServer(t, { port, data, web });
  const origin = `http://127.0.0.1:${port}`;
  const site = { origin, call: callerOf(origin) } as Site;
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);

  const [grid, tile] = ['Grid', 'Tile'].map(
    (name) => new ScreenProcess(t, { server: origin, data: tempFolder(t), name, size: SIZE }),
  ) as [ScreenProcess, ScreenProcess];
  await Promise.all([grid.start(), tile.start()]);

  const made = await Promise.all(KINDS.map((kind) => kind.make({ call, site, token, web }, GREEN)));
  const zones = made.map(({ fill }, index) => ({ name: KINDS[index]!.name, ...zoneOf(index), ...fill }));
  const layout = await call('POST', '/api/layouts', { name: 'All', width: 960, height: 540, zones }, 201);
  const [gridId, tileId] = [await pair(call, 'Grid'), await pair(call, 'Tile')];
  await call('PUT', `/api/layouts/device/${gridId}`, { layout_id: layout.id });

  // The other half of the wall belongs to a player that shows nothing.
  const half = await pairPlayer(t, site, token, 'Other half');
  const wallPicture = async (left: Rgb, right: Rgb): Promise<Buffer> => {
    const overlay = await plain(right).png().toBuffer();
    return plain(left)
      .resize(640, 180, { fit: 'fill' })
      .composite([{ input: overlay, left: 320, top: 0 }])
      .png()
      .toBuffer();
  };
  const wallContent = must(await upload(site, token, await wallPicture(GREEN, [255, 255, 255]), 'wall.png'), 201);
  const wall = await call('POST', '/api/walls', { name: 'Wall', grid_cols: 2, grid_rows: 1 }, 201);
  const members = [tileId, half.deviceId].map((device_id, grid_col) => ({ device_id, grid_col, grid_row: 0 }));
  await call('PUT', `/api/walls/${wall.id}/devices`, { devices: members });
  await call('PUT', `/api/walls/${wall.id}`, { content_id: wallContent.id });

  const sendMessage = (colour: Rgb) =>
    call(
      'POST',
      '/api/messages',
      {
        text: 'We close at eight',
        position: 'bottom',
        duration: 0,
        colors: { background: `#${hex(colour)}`, text: '#ffffff' },
        targets: [{ kind: 'device', id: gridId }],
      },
      201,
    );
  let message = await sendMessage(GREEN);

  /** Waits until each kind shows this colour, and names the kinds that do not. */
  const allShow = async (when: string, colour: Rgb, ms = 30_000): Promise<void> => {
    let wrong: string[] = ['no picture'];
    const look = async (): Promise<boolean> => {
      const [photo, half] = [await grid.look(), await tile.look()];
      if (!photo || !half) return false;
      wrong = KINDS.flatMap(({ name, shows }, index) => {
        const at = lookAt(photo, index);
        const isRight = shows ? shows(at, colour) : isNear(at(0.5, 0.5), colour);
        return isRight ? [] : [`${name} (${at(0.5, 0.5).join(' ')})`];
      });
      const band = photo.at(MESSAGE_POINT[0] * photo.width, MESSAGE_POINT[1] * photo.height);
      if (!isNear(band, colour)) wrong.push(`message (${band.join(' ')})`);
      const corners = [0.02, 0.98].map((x) => half.at(x * (half.width - 1), half.height / 2));
      if (!corners.every((corner) => isNear(corner, colour))) wrong.push(`wall tile (${corners.join(' | ')})`);
      return wrong.length === 0;
    };
    const since = performance.now();
    try {
      await until(() => `${when}, these kinds are not shown: ${wrong.join(', ')}`, ms, look, 250);
    } finally {
      await Promise.all(
        [grid, tile].map(async (screen, index) => {
          const photo = await screen.photo();
          if (photo) writeFileSync(join(shots, `${when} ${index}.png`), photo);
        }),
      );
      const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1);
      t.diagnostic(`${when}: ${seconds(since)} s, ${seconds(began)} s since the start`);
    }
  };

  await allShow('at first', GREEN);

  await Promise.all(made.map((one) => one.edit(BLUE)));
  t.diagnostic(`edited, ${((performance.now() - began) / 1000).toFixed(1)} s since the start`);
  await call('DELETE', `/api/messages/${message.id}`);
  message = await sendMessage(BLUE);
  const replaceWall = (colour: Rgb) =>
    wallPicture(colour, [255, 255, 255]).then((bytes) =>
      upload(site, token, bytes, 'wall.png', { method: 'PUT', path: `/api/content/${wallContent.id}/replace` }),
    );
  must(await replaceWall(BLUE), 200);
  await allShow('after an edit', BLUE);

  for (const type of ['GPU', 'renderer', 'browser'] as const) {
    await Promise.all([grid.killBrowser(type), tile.killBrowser(type)]);
    await allShow(`after the ${type} process was killed`, BLUE);
  }

  await end(server);
  await Promise.all([grid.kill(), tile.kill()]);
  await Promise.all([grid.start(), tile.start()]);
  await allShow('without the server, after the player was killed', BLUE);

  server = await startServer(t, { port, data, web });
  await Promise.all(made.map((one) => one.edit(GREEN)));
  await call('DELETE', `/api/messages/${message.id}`);
  await sendMessage(GREEN);
  must(await replaceWall(GREEN), 200);
  await allShow('after the server was killed and came back', GREEN, 60_000);
});
