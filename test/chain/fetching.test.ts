/**
 * Downloads of campaign files by a real store: over HTTPS, into its library and to its screens, with limits for speed
 * and hours.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FileServer, sha256 } from '../../server/store-link/testing/file-server.ts';
import { newKey } from '../../server/store-link/testing/journal.ts';
import { type CampaignDoc, PHASES, type Phase } from '../../shared/chain/campaign.ts';
import { enrolmentText } from '../../shared/chain/enrolment-code.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, pairPlayer } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { openShowing, shows } from './campaign-rig.ts';
import { openStore, type Server } from './rig.ts';

const WAIT_MS = 20_000;

const enrolled = async (t: TestContext): Promise<{ hq: FileServer; store: Server }> => {
  const hq = await FileServer.open(t);
  const store = await openStore(t);
  const code = enrolmentText({ secret: '0123456789abcdef', fingerprint: hq.met.fingerprint });
  must(await store.call('POST', '/api/chain', { address: hq.met.address, code }), 201);
  return { hq, store };
};

/** A campaign with one picture, from two days ago until 300 days from now, in all zones of a screen. */
const campaignOf = (picture: Buffer): CampaignDoc => {
  const day = (offset: number) => `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)}T00:00:00`;
  const file = { sha256: sha256(picture), size: picture.length, mime: 'image/jpeg' };
  const always = { valid_from: null, valid_until: null };
  return {
    ...{ vitrine: 'campaign', version: 1, id: 'advent', name: 'Advent', edition: 1, made_ms: 1, rank: 'must' },
    ...{ screen_tags: [], start_time: day(-2), end_time: day(300), recurrence: null, recurrence_end: null },
    ...{ begins: 'whole', playlist_id: 'advent-list', layout_id: null, widgets: [], layouts: [] },
    contents: [
      {
        ...{ id: 'star', filename: 'Star.jpg', mime_type: 'image/jpeg', kind: 'image', duration_sec: null },
        ...{ width: 16, height: 9, remote_url: null, file, thumbnail: null, ...always },
      },
    ],
    playlists: [
      {
        ...{ id: 'advent-list', name: 'Advent', description: '', published_ms: 1, transition: null },
        items: [
          {
            ...{ content_id: 'star', widget_id: null, zone_id: null, duration_sec: 10, muted: false, blocks: [] },
            ...{ transition: null, ...always },
          },
        ],
      },
    ],
  };
};

test('campaign is downloaded from headquarters and shown on a screen, and each phase is reported', async (t) => {
  const { hq, store } = await enrolled(t);
  const { deviceId, secret } = await pairPlayer(t, store.site, store.owner.token, 'Till');
  const player = await connectPlayer(t, store.site);
  player.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE });
  const { id: before } = await player.next('program');
  player.say({ type: 'program.ready', id: before });
  const picture = await jpegOf('#aa2200');
  hq.put(picture);
  const campaign = campaignOf(picture);
  hq.want([campaign]);
  store.site.app.chain.hurry();
  const program = await player.next('program');
  assert.deepEqual(readFileSync(join(store.site.data, 'media', sha256(picture).slice(0, 2), sha256(picture))), picture);
  const told = () => hq.presences.flatMap(({ campaigns = [] }) => campaigns);
  await until('it is armed', WAIT_MS, () => told().some(({ phase }) => phase === 'armed'));
  player.say({ type: 'program.ready', id: program.id });
  const last = await until('it is shown', WAIT_MS, () => told().find(({ phase }) => phase === 'showing'));
  assert.deepEqual(last, {
    ...{ id: 'advent', edition: 1, phase: 'showing', applied: 1, bytes_left: 0, rate: null },
    ...{ screens: 1, ready: 1, why: '' },
  });
  const order = (phase: Phase) => PHASES.indexOf(phase);
  const phases = told().map(({ phase }) => order(phase));
  assert.deepEqual(
    phases,
    phases.toSorted((a, b) => a - b),
  );
  assert.deepEqual(readdirSync(join(store.site.data, 'chain', 'parts', store.owner.workspaceId!)), []);
});

test('store refuses a forged or older document of headquarters, reports it, and leaves its screens unchanged', async (t) => {
  const { hq, store } = await enrolled(t);
  const screen = await openShowing(t, store);
  const [star, tree] = [await jpegOf('#aa2200'), await jpegOf('#0000aa')];
  for (const picture of [star, tree]) hq.put(picture);
  hq.want([campaignOf(tree)]);
  const { signed: older } = hq.desired!;
  hq.want([campaignOf(star)]);
  store.site.app.chain.hurry();
  await shows(screen, ['Star.jpg']);
  const told = () =>
    hq.presences.flatMap(({ incidents }) => incidents.map(({ kind, details }) => `${kind}: ${details}`));
  const sentence =
    'The instructions from headquarters were not accepted: the document is not signed by headquarters. Screens keep their current content.';
  const incident = async (): Promise<string> => (await store.get('/api/chain')).link.incidents[0]?.details ?? '';
  hq.want([campaignOf(tree)], newKey());
  await until('headquarters receives the incident', WAIT_MS, () => {
    store.site.app.chain.hurry();
    return told().some((line) => line.startsWith(`desired_refused: ${sentence}`));
  });
  const forged = await incident();
  assert.ok(forged.startsWith(sentence), forged);
  // An older document is less serious than a forged one. So the message about the forged document stays, and only its
  // count grows.
  hq.desired = { rev: 4, signed: older };
  await until('the older document is refused', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    return (await incident()) !== forged;
  });
  assert.match((await incident()).slice(sentence.length), /^ This happened \d+ times\.$/);
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  assert.equal(hq.presences.at(-1)!.desired_rev, 2);
});

test('limits of download speed and hours are shown to users, apply at once, and are logged', async (t) => {
  const { hq, store } = await enrolled(t);
  const { link } = await store.get('/api/chain');
  assert.deepEqual([link.rate_kb, link.hours], [null, []]);
  const never = [{ days: [1], start: '03:00', end: '03:01', start_date: '2020-01-01', end_date: '2020-01-31' }];
  const limits = { rate_kb: 500, hours: never };
  const changed = must(await store.call('PUT', '/api/chain/fetching', limits));
  assert.deepEqual([changed.link.rate_kb, changed.link.hours], [500, never]);
  const [entry] = await store.get('/api/activity');
  assert.deepEqual([entry.action, entry.details], ['chain.fetching_changed', 'HQ']);
  for (const wrong of [
    { rate_kb: 7, hours: [] },
    { rate_kb: 1_000_001, hours: [] },
    { rate_kb: null, hours: [{}] },
  ])
    assert.equal((await store.call('PUT', '/api/chain/fetching', wrong)).status, 400);
  const picture = await jpegOf('#aa2200');
  hq.put(picture);
  hq.want([campaignOf(picture)]);
  store.site.app.chain.hurry();
  await until('its document is there', WAIT_MS, () =>
    hq.presences.some(({ campaigns = [] }) => campaigns.some(({ phase }) => phase === 'fetching')),
  );
  assert.equal(hq.asked.filter(({ path }) => path.endsWith(sha256(picture))).length, 0, 'not within these hours');
  must(await store.call('PUT', '/api/chain/fetching', { rate_kb: null, hours: [] }));
  await until('it comes', WAIT_MS, async () => (await store.get('/api/playlists')).length === 1);
});

test('store that leaves headquarters deletes unfinished downloads, and keeps complete files', async (t) => {
  const { hq, store } = await enrolled(t);
  const film = Buffer.alloc(2_000_000, 7);
  hq.put(film);
  hq.serving = ({ whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes 0-${whole.length - 1}/${whole.length}` });
    reply.write(whole.length === film.length ? whole.subarray(0, 500_000) : whole);
    if (whole.length !== film.length) reply.end();
  };
  hq.want([campaignOf(film)]);
  store.site.app.chain.hurry();
  const folder = join(store.site.data, 'chain', 'parts');
  await until(
    'a part is here',
    WAIT_MS,
    () =>
      existsSync(folder) &&
      readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith(sha256(film))),
  );
  must(await store.call('DELETE', '/api/chain'));
  assert.deepEqual(readdirSync(folder), []);
});

test('store outside a chain cannot set download limits', async (t) => {
  const store = await openStore(t);
  assert.equal((await store.call('PUT', '/api/chain/fetching', { rate_kb: null, hours: [] })).status, 404);
  assert.equal(existsSync(join(store.site.data, 'chain')), false);
});
