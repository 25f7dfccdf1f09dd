/**
 * Tests a property: after any sequence of edits, screens have the same programs as a freshly started server would
 * assign.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ownedSite, TestClock, tempFolder } from '../../test/harness.ts';
import { callAs } from '../../test/people.ts';
import { type PairedPlayer, pairPlayer } from '../../test/player-client.ts';
import { WidgetPageFiles } from '../features/widgets/widget-pages.ts';
import { WidgetsStore } from '../features/widgets/widgets.store.ts';
import { Bus } from '../kernel/bus.ts';
import { ProgramsStore } from './programs.store.ts';
import { Programs } from './programs.ts';

const EDITS = 60;
const START = { start_time: '2026-03-10T08:00', end_time: '2026-03-10T20:00', timezone: 'UTC' };
const PATIENCE_MS = 5_000;

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token, owner } = await ownedSite(t, { clock });
  const asOwner = callAs(site, token);
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await asOwner(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const screens: PairedPlayer[] = [];
  const pair = async () => {
    const screen = await pairPlayer(t, site, token, `Screen ${screens.length}`);
    screens.push(screen);
    // Waits until all messages that the server sent after pairing have arrived.
    await call('PUT', `/api/devices/${screen.deviceId}`, { orientation: '180' });
  };
  for (let n = 0; n < 4; n++) await pair();
  const pages = new WidgetPageFiles({
    folder: join(tempFolder(t), 'pages'),
    widgets: new WidgetsStore(site.app.db),
    kiosk: { page: () => undefined },
  });
  pages.start();
  const whole = new Programs({
    store: new ProgramsStore(site.app.db),
    widgets: pages,
    players: { connected: () => [] },
    bus: new Bus(() => {}),
    clock,
    onError: (error) => assert.fail(String(error)),
  });
  const told = ({ client }: PairedPlayer) => {
    const said = client.heard.findLast(({ type }) => type === 'program');
    return said && { id: said['id'], placement_id: said['placement_id'] };
  };
  const wanted = ({ deviceId }: PairedPlayer) => {
    const assigned = whole.assigned(deviceId);
    return assigned && { id: assigned.id, placement_id: assigned.placement_id };
  };
  /** Screens are notified shortly after the answer to the edit, so the check waits. */
  const check = async (done: readonly string[]) => {
    whole.reset();
    const until = performance.now() + PATIENCE_MS;
    const isTold = () => screens.every((one) => JSON.stringify(told(one)) === JSON.stringify(wanted(one)));
    while (!isTold() && performance.now() < until) await new Promise((next) => setTimeout(next, 5));
    assert.deepEqual(screens.map(told), screens.map(wanted), `after ${done.join(', ')}`);
  };
  return { call, clock, screens, pair, check, workspace: owner.workspaceId };
};
type Kit = Awaited<ReturnType<typeof setUp>>;

/**
 * Ids of existing records by kind. An edit selects a record by a number, and does nothing when there is no record of
 * the kind.
 */
class Things {
  readonly ids: Record<string, string[]> = {};
  add(kind: string, id: string): string {
    (this.ids[kind] ??= []).push(id);
    return id;
  }
  one(kind: string, n: number): string | undefined {
    const all = this.ids[kind] ?? [];
    return all[n % Math.max(1, all.length)];
  }
  take(kind: string, n: number): string | undefined {
    const id = this.one(kind, n);
    if (id !== undefined) this.ids[kind] = this.ids[kind]!.filter((other) => other !== id);
    return id;
  }
}

/** All kinds of edits. An edit takes three random numbers, and changes nothing when there is no suitable record. */
const edits: Record<string, (kit: Kit, things: Things, n: readonly [number, number, number]) => Promise<unknown>> = {
  async content({ call }, things, [a]) {
    const url = `https://youtu.be/${String(a % 1_000).padStart(11, 'a')}`;
    things.add('content', (await call('POST', '/api/content/videosite', { url })).id);
  },
  async contentName({ call }, things, [a, b]) {
    const id = things.one('content', a);
    if (id) await call('PUT', `/api/content/${id}`, { filename: `Clip ${b}` });
  },
  async contentValid({ call }, things, [a, b, c]) {
    const id = things.one('content', a);
    const valid_until = b % 3 === 0 ? null : `2026-03-${10 + (c % 20)}T12:00`;
    if (id) await call('PUT', `/api/content/${id}`, { valid_until });
  },
  async contentGone({ call }, things, [a]) {
    const id = things.take('content', a);
    if (id) await call('DELETE', `/api/content/${id}`);
  },
  async widget({ call }, things, [a, b]) {
    const [widget_type, config] =
      b % 2 === 0 ? ['text', { text: `Words ${a}` }] : ['webpage', { url: `https://store.test/${a}` }];
    things.add('widgets', (await call('POST', '/api/widgets', { widget_type, name: 'Widget', config })).id);
  },
  async widgetChange({ call }, things, [a, b]) {
    const id = things.one('widgets', a);
    if (id) await call('PUT', `/api/widgets/${id}`, { name: `Widget ${b}`, config: { background: '#112233' } });
  },
  async widgetValid({ call }, things, [a, b]) {
    const id = things.one('widgets', a);
    if (id) await call('PUT', `/api/widgets/${id}`, { valid_from: b % 2 === 0 ? null : '2026-03-11T12:00' });
  },
  async widgetGone({ call }, things, [a]) {
    const id = things.take('widgets', a);
    if (id) await call('DELETE', `/api/widgets/${id}`);
  },
  async playlist({ call }, things, [a]) {
    things.add('playlists', (await call('POST', '/api/playlists', { name: `Playlist ${a}` })).id);
  },
  async item({ call }, things, [a, b, c]) {
    const playlist = things.one('playlists', a);
    const [content_id, widget_id] = [things.one('content', b), things.one('widgets', b)];
    const subject = c % 2 === 0 ? content_id && { content_id } : widget_id && { widget_id };
    const zone_id = things.one('zones', c);
    if (playlist && subject)
      await call('POST', `/api/playlists/${playlist}/items`, { ...subject, ...(zone_id && { zone_id }) });
  },
  async publish({ call, clock }, things, [a]) {
    const id = things.one('playlists', a);
    clock.advance(20);
    if (id) await call('POST', `/api/playlists/${id}/publish`);
  },
  async playlistGone({ call }, things, [a]) {
    const id = things.take('playlists', a);
    if (id) await call('DELETE', `/api/playlists/${id}`);
  },
  async assign({ call, screens }, things, [a, b]) {
    const id = things.one('playlists', a);
    const device_id = screens[b % screens.length]!.deviceId;
    if (id) await call('POST', `/api/playlists/${id}/assign`, { device_id });
  },
  async unassign({ call, screens }, _things, [a]) {
    await call('DELETE', `/api/devices/${screens[a % screens.length]!.deviceId}/playlist`);
  },
  async own({ call, clock, screens }, things, [a, b]) {
    const content_id = things.one('content', a);
    clock.advance(20);
    const device = screens[b % screens.length]!.deviceId;
    if (content_id) await call('POST', `/api/assignments/device/${device}`, { content_id });
  },
  async mute({ call, screens, clock }, _things, [a, b, c]) {
    clock.advance(20);
    const items = await call('GET', `/api/assignments/device/${screens[a % screens.length]!.deviceId}`);
    const item = items[b % Math.max(1, items.length)];
    if (item) await call('PUT', `/api/assignments/${item.id}`, { muted: c % 2 === 0 });
  },
  async group({ call }, things, [a]) {
    things.add('groups', (await call('POST', '/api/groups', { name: `Group ${a}` })).id);
  },
  async join({ call, screens }, things, [a, b]) {
    const id = things.one('groups', a);
    const device_id = screens[b % screens.length]!.deviceId;
    if (id) await call('POST', `/api/groups/${id}/devices`, { device_id });
  },
  async leave({ call }, things, [a, b]) {
    const id = things.one('groups', a);
    const members = id ? await call('GET', `/api/groups/${id}/devices`) : [];
    const member = members[b % Math.max(1, members.length)];
    if (member) await call('DELETE', `/api/groups/${id}/devices/${member.id}`);
  },
  async groupPlaylist({ call }, things, [a, b]) {
    const [id, playlist_id] = [things.one('groups', a), things.one('playlists', b)];
    if (id && playlist_id) await call('POST', `/api/groups/${id}/assign-playlist`, { playlist_id });
  },
  async groupContent({ call, clock }, things, [a, b]) {
    clock.advance(20);
    const [id, content_id] = [things.one('groups', a), things.one('content', b)];
    if (id && content_id) await call('POST', `/api/groups/${id}/assign-content`, { content_id });
  },
  async groupDefault({ call }, things, [a, b, c]) {
    const group = things.one('groups', a);
    const default_content_id = c % 3 === 0 ? null : (things.one('content', b) ?? null);
    if (group) await call('PUT', `/api/groups/${group}`, { default_content_id });
  },
  async storeDefault({ call, workspace }, things, [a, b]) {
    const default_content_id = b % 3 === 0 ? null : (things.one('content', a) ?? null);
    await call('PUT', `/api/workspaces/${workspace}`, { default_content_id });
  },
  async groupGone({ call }, things, [a]) {
    const id = things.take('groups', a);
    if (id) await call('DELETE', `/api/groups/${id}`);
  },
  async layout({ call }, things, [a]) {
    const zones = [{ width_percent: 50 }, { x_percent: 50, width_percent: 50 }];
    const layout = await call('POST', '/api/layouts', { name: `Layout ${a}`, zones });
    things.add('layouts', layout.id);
    for (const { id } of layout.zones) things.add('zones', id);
  },
  async layoutChange({ call }, things, [a, b]) {
    const id = things.one('layouts', a);
    if (id) await call('PUT', `/api/layouts/${id}`, { name: `Layout ${b}` });
  },
  async zoneGone({ call }, things, [a, b]) {
    const id = things.one('layouts', a);
    const zones = id ? (await call('GET', `/api/layouts/${id}`)).zones : [];
    const zone = zones[b % Math.max(1, zones.length)];
    if (!zone) return;
    await call('DELETE', `/api/layouts/${id}/zones/${zone.id}`);
    things.ids['zones'] = things.ids['zones']!.filter((one) => one !== zone.id);
  },
  async zoneFill({ call }, things, [a, b, c]) {
    const layout = things.one('layouts', a);
    const zones: { id: string }[] = layout ? (await call('GET', `/api/layouts/${layout}`)).zones : [];
    const zone = zones[a % Math.max(1, zones.length)];
    const kind = (['content', 'widgets', 'playlists'] as const)[c % 3]!;
    const id = things.one(kind, b);
    const key = { content: 'content_id', widgets: 'widget_id', playlists: 'playlist_id' }[kind];
    if (zone && id) await call('PUT', `/api/layouts/${layout}/zones/${zone.id}`, { [key]: b % 7 === 6 ? null : id });
  },
  async layoutGone({ call }, things, [a]) {
    const id = things.take('layouts', a);
    if (!id) return;
    for (const zone of (await call('GET', `/api/layouts/${id}`)).zones)
      things.ids['zones'] = things.ids['zones']!.filter((one) => one !== zone.id);
    await call('DELETE', `/api/layouts/${id}`);
  },
  async deviceLayout({ call, screens }, things, [a, b]) {
    const layout_id = things.one('layouts', a) ?? null;
    await call('PUT', `/api/layouts/device/${screens[b % screens.length]!.deviceId}`, { layout_id });
  },
  async device({ call, screens }, things, [a, b, c]) {
    await call('PUT', `/api/devices/${screens[a % screens.length]!.deviceId}`, {
      name: `Screen ${b}`,
      orientation: ['0', '90', '180', '270'][b % 4],
      default_content_id: things.one('content', c) ?? null,
    });
  },
  async deviceGone({ call, screens, pair }, _things, [a]) {
    const [gone] = screens.splice(a % screens.length, 1);
    await call('DELETE', `/api/devices/${gone!.deviceId}`);
    await pair();
  },
  async schedule({ call, screens }, things, [a, b, c]) {
    const group_id = things.one('groups', b);
    const device_id = screens[b % screens.length]!.deviceId;
    const kind = (['content', 'widgets', 'playlists', 'layouts'] as const)[a % 4]!;
    const id = things.one(kind, a);
    if (!id) return;
    const shown = {
      [{ content: 'content_id', widgets: 'widget_id', playlists: 'playlist_id', layouts: 'layout_id' }[kind]]: id,
    };
    const target = c % 2 === 0 && group_id ? { group_id } : { device_id };
    things.add(
      'schedules',
      (await call('POST', '/api/schedules', { ...START, ...shown, ...target, title: `${a}` })).id,
    );
  },
  async scheduleChange({ call }, _things, [a, b, c]) {
    const schedules: { id: string }[] = await call('GET', '/api/schedules');
    const one = schedules[a % Math.max(1, schedules.length)];
    if (one)
      await call('PUT', `/api/schedules/${one.id}`, { title: `Changed ${b}`, enabled: c % 3 > 0, priority: b % 5 });
  },
  async scheduleGone({ call }, _things, [a]) {
    const schedules: { id: string }[] = await call('GET', '/api/schedules');
    const one = schedules[a % Math.max(1, schedules.length)];
    if (one) await call('DELETE', `/api/schedules/${one.id}`);
  },
  async wall({ call }, things, [a]) {
    things.add('walls', (await call('POST', '/api/walls', { name: `Wall ${a}`, grid_cols: 2, grid_rows: 1 })).id);
  },
  async hang({ call, screens }, things, [a, b, c]) {
    const id = things.one('walls', a);
    const devices = screens.slice(b % 2, (b % 2) + 1 + (c % 2)).map(({ deviceId }, n) => ({
      device_id: deviceId,
      grid_col: n,
      grid_row: 0,
    }));
    if (id) await call('PUT', `/api/walls/${id}/devices`, { devices });
  },
  async wallChange({ call }, things, [a, b]) {
    const id = things.one('walls', a);
    if (id) await call('PUT', `/api/walls/${id}`, { bezel_h_mm: b % 20 });
  },
  async wallContent({ call }, things, [a, b, c]) {
    const id = things.one('walls', a);
    const shown = c % 2 === 0 ? { playlist_id: things.one('playlists', b) } : { content_id: things.one('content', b) };
    if (id && Object.values(shown)[0]) await call('PUT', `/api/walls/${id}/content`, shown);
  },
  async wallGone({ call }, things, [a]) {
    const id = things.take('walls', a);
    if (id) await call('DELETE', `/api/walls/${id}`);
  },
};

/** Edits that create are three times as frequent as edits that delete; otherwise there would never be many records. */
const names = Object.keys(edits).flatMap((name) => Array<string>(name.endsWith('Gone') ? 1 : 3).fill(name));
const number = fc.nat(1_000);
const one = fc.tuple(fc.constantFrom(...names), fc.tuple(number, number, number));
/** First edits of each random run: a store shows something in a zone, and the zone is then deleted. */
const beginning =
  'layout content widget playlist item publish assign zoneFill deviceLayout zoneGone group join schedule wall hang wallContent'.split(
    ' ',
  );

test('screens have the programs that a complete recompilation gives, after many edits', {
  timeout: 300_000,
}, async (t) => {
  const runs = fc.array(one, { minLength: EDITS, maxLength: EDITS });
  await fc.assert(
    fc.asyncProperty(runs, async (random) => {
      const kit = await setUp(t);
      const things = new Things();
      const done: string[] = [];
      const first = beginning.map((name) => [name, [0, 0, 0]] as const);
      for (const [name, numbers] of [...first, ...random]) {
        done.push(`${name} ${numbers.join(' ')}`);
        await edits[name]!(kit, things, numbers).catch((error: Error) => {
          throw new Error(`${done.join(', ')}: ${error.message}`);
        });
        await kit.check(done);
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
