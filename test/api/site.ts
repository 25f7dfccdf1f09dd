/**
 * A complete store on the real server: two organizations with a workspace each (A and B), a second workspace of the
 * first organization (A2), users of every role, tokens of every scope, invalid credentials, and in A and B at least one
 * record of every kind. Devices are simulated players on real sockets that answer every command, overlay and screenshot
 * request.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { generateSync } from 'otplib';
import { newId } from '../../server/kernel/ids.ts';
import { campaign } from '../../shared/contract/body-examples.ts';
import { freePort, type Site, startSite } from '../harness.ts';
import { type Call, callAs, colleague, login, must, PASSWORD, type Person, person } from '../people.ts';
import { type PairedPlayer, pairPlayer, playOf } from '../player-client.ts';
import { upload } from '../uploads.ts';
import { clip, picture } from './media.ts';

/** Id for watching the progress of the server's last restore. */
export const WATCHED_RESTORE = 'watched';

/** The records of one workspace, mostly as ids, with its owner and players. */
export interface Room {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly owner: Person;
  readonly call: Call;
  readonly folder: string;
  readonly image: string;
  readonly video: string;
  /** Content with a remote address whose copy was never fetched. */
  readonly remote: string;
  readonly widget: string;
  readonly kiosk: string;
  readonly message: string;
  /** A saved report that is not sent by mail. */
  readonly report: string;
  /** A store at headquarters; no server is enrolled as this store. */
  readonly store: string;
  readonly order: string;
  readonly campaign: string;
  /**
   * A slot: a place in a campaign's playlist that the workspace fills. `stayed`: the campaign, which remained in the
   * workspace after the store left headquarters.
   */
  readonly slot: string;
  readonly stayed: string;
  /** A saved view (filter of a list) of the owner. */
  readonly view: string;
  /** An entry of the bin: a deleted playlist. */
  readonly bin: string;
  /** A version of the playlist. */
  readonly version: string;
  /** The owner's request to publish a playlist, which the owner has withdrawn. */
  readonly request: string;
  /** A published playlist: the image for 10 s, then the video for its own length of 3 s. */
  readonly playlist: string;
  readonly item: number;
  readonly secondItem: number;
  readonly layout: string;
  readonly zone: string;
  readonly group: string;
  /** A screen that plays `playlist`, is in `group`, and has a schedule. */
  readonly device: string;
  /** A screen in `wall`. */
  readonly panel: string;
  readonly player: PairedPlayer;
  readonly panelPlayer: PairedPlayer;
  readonly program: string;
  readonly asset: string;
  readonly schedule: string;
  /** A plan for `group` and for a tag; the plan is switched off. */
  readonly plan: string;
  readonly wall: string;
  readonly invite: string;
  /** In workspace A the backup of the server; in B the name of a backup that does not exist. */
  readonly backup: string;
  /** A release and its rollout, which includes the device of A; in B unknown ids. */
  readonly release: string;
  readonly rollout: string;
  readonly releaseFile: string;
  /** Id of an access token. */
  readonly token: string;
  /** A workspace member who is not an owner. */
  readonly member: Person;
}

export interface People {
  /** The first user: has the role platform_admin. */
  readonly staff: Person;
  readonly operator: Person;
  /** Has the role org_owner in A and A2. */
  readonly owner: Person;
  readonly admin: Person;
  readonly editor: Person;
  readonly viewer: Person;
  /** A user who is in no workspace. */
  readonly loner: Person;
  /** A workspace_admin of A whose password was reset; `token` is a session. */
  readonly gated: Person;
}

export interface Credentials {
  readonly read: string;
  readonly write: string;
  readonly full: string;
  /** Token of scope full, made by an administrator who is now a viewer. */
  readonly viewers: string;
  /** Token of scope full whose owner must change the password. */
  readonly gated: string;
  readonly mfa: string;
  /** Credentials that are invalid now, by the reason. */
  readonly dead: Readonly<Record<string, string>>;
}

export interface Store {
  readonly site: Site;
  readonly people: People;
  readonly tokens: Credentials;
  readonly a: Room;
  readonly b: Room;
  readonly a2: string;
  readonly staff: Call;
}

/** Makes the player answer every request at once and successfully. */
export const obedient = ({ client }: Pick<PairedPlayer, 'client'>): void => {
  let showing = '';
  client.socket.on('message', (data: Buffer) => {
    const said = JSON.parse(data.toString());
    if (said.type === 'command') client.say({ type: 'command.result', id: said.id, status: 'done' });
    if (said.type === 'device:pip-show') {
      showing = said.pip_id;
      client.say({ type: 'overlay.result', pip_id: showing, status: 'shown' });
    }
    if (said.type === 'device:pip-clear')
      client.say({ type: 'overlay.result', pip_id: said.pip_id ?? showing, status: 'cleared' });
    if (said.type === 'screenshot')
      client.say({ type: 'screenshot.result', id: said.id, mime: 'image/png', data: PNG });
    if (said.type === 'program') client.say({ type: 'program.ready', id: said.id });
  });
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const tokenOf = async (
  site: Site,
  who: Pick<Person, 'token'>,
  scope: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; token: string }> =>
  must(
    await site.call('POST', '/api/tokens', { token: who.token, body: { name: `${scope} token`, scope, ...more } }),
    201,
  );

const delivered = async (
  player: PairedPlayer,
  device: { content: string; playlist: string; item: number; name: string },
): Promise<void> => {
  const started_at = Date.now() - 60_000;
  const play = {
    item_id: device.item,
    playlist_id: device.playlist,
    content_id: device.content,
    content_name: device.name,
  };
  const plays = [0, 1, 2].map((i) =>
    playOf({ ...play, started_at: started_at + i * 10_000, ended_at: started_at + (i + 1) * 10_000 }),
  );
  player.client.say({ type: 'plays', first: 1, plays });
  await player.client.next('plays.ack');
};

/**
 * Inserts a campaign that headquarters had sent before the workspace left the chain. It begins later and is for none of
 * these screens.
 */
const stay = (
  site: Site,
  { workspaceId, playlist, slot, stayed }: { workspaceId: string; playlist: string; slot: string; stayed: string },
): void => {
  const { db } = site.app;
  const limits = { name: 'Bakery', max_items: 5, max_seconds: 60, kinds: ['image', 'video', 'pdf', 'widget'] };
  db.write(() => {
    db.raw
      .prepare(
        `INSERT INTO campaign_plans (workspace_id, campaign, edition, title, rank, screen_tags, playlist_id, start_time, end_time, timezone, created_at)
           VALUES (?, ?, 1, 'Advent', 'must', '["nowhere"]', ?, '2099-12-01T00:00:00', '2099-12-24T00:00:00', 'UTC', 1)`,
      )
      .run(workspaceId, stayed, playlist);
    db.raw
      .prepare('INSERT INTO chain_slots (workspace_id, id, campaign, limits) VALUES (?, ?, ?, ?)')
      .run(workspaceId, slot, stayed, JSON.stringify(limits));
    for (const items of ['playlist_items', 'published_items'])
      db.raw.prepare(`UPDATE ${items} SET slot_id = ? WHERE playlist_id = ? AND sort_order = 1`).run(slot, playlist);
  });
};

/** Creates at least one record of every kind. */
export const furnish = async (t: TestContext, site: Site, owner: Person, label: string): Promise<Room> => {
  const call = callAs(site, owner.token);
  const made = async (path: string, body: unknown) => must(await call('POST', path, body), 201);
  const folder = (await made('/api/folders', { name: `${label} folder` })).id;
  const image = must(await upload(site, owner.token, picture(label), `${label}.gif`), 201);
  const video = must(await upload(site, owner.token, await clip(2.4, label), `${label}.mp4`), 201).id;
  must(await call('PUT', `/api/content/${image.id}`, { folder: `${label} label`, folder_id: folder }));
  const remote = (await made('/api/content/remote', { url: `http://pictures.invalid/${label}.png` })).id;
  const widget = (await made('/api/widgets', { widget_type: 'clock', name: `${label} clock` })).id;
  const kiosk = (await made('/api/kiosk', { name: `${label} kiosk`, config: { title: `${label} welcome` } })).id;
  const playlist = (await made('/api/playlists', { name: `${label} playlist` })).id;
  const item = (await made(`/api/playlists/${playlist}/items`, { content_id: image.id })).id;
  const secondItem = (await made(`/api/playlists/${playlist}/items`, { content_id: video })).id;
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  const layout = await made('/api/layouts', {
    name: `${label} layout`,
    zones: [
      { name: `${label} zone`, width_percent: 70 },
      { x_percent: 70, width_percent: 30 },
    ],
  });

  const player = await pairPlayer(t, site, owner.token, `${label} screen`);
  const panelPlayer = await pairPlayer(t, site, owner.token, `${label} panel`);
  const [device, panel] = [player.deviceId, panelPlayer.deviceId];
  const group = (await made('/api/groups', { name: `${label} group` })).id;
  await made(`/api/groups/${group}/devices`, { device_id: device });
  must(await call('POST', `/api/playlists/${playlist}/assign`, { device_id: device }));
  const pushed = await player.client.next('program');
  player.client.say({ type: 'heartbeat', telemetry: { local_ip: '192.168.1.20', cpu_usage: 5, uptime_seconds: 60 } });
  await player.client.next('heartbeat.ack');
  obedient(player);
  obedient(panelPlayer);
  await delivered(player, { content: image.id, playlist, item, name: `${label}.gif` });
  must(await call('GET', `/api/devices/${device}/screenshot?fresh=true`));
  const message = (
    await made('/api/messages', {
      title: `${label} message`,
      text: `${label} words`,
      targets: [{ kind: 'group', id: group }],
    })
  ).id;
  const view = (await made('/api/views', { name: `${label} view`, query: { q: label } })).id;
  const store = (await made('/api/stores', { name: `${label} store`, region: 'North', tags: ['bakery'] })).id;
  const order = (
    await made('/api/stores/orders', { command: { type: 'screen_on' }, stores: { which: 'named', ids: [store] } })
  ).id;
  const planned = (await made('/api/campaigns', campaign(`${label} campaign`, { playlist, store }))).id;
  must(await call('POST', `/api/campaigns/${planned}/start`));
  await made(`/api/campaigns/${planned}/dry-run`, {});
  const [slot, stayed] = [newId(), newId()];
  stay(site, { workspaceId: owner.workspaceId!, playlist, slot, stayed });
  const report = (await made('/api/reports/saved', { name: `${label} report` })).id;
  const schedule = (
    await made('/api/schedules', {
      device_id: device,
      playlist_id: playlist,
      title: `${label} schedule`,
      start_time: '2026-01-05T09:00',
      end_time: '2026-01-05T10:00',
      recurrence: 'FREQ=DAILY',
    })
  ).id;
  const plan = (
    await made('/api/plans', {
      targets: [
        { kind: 'group', id: group },
        { kind: 'tag', id: 'window' },
      ],
      playlist_id: playlist,
      title: `${label} plan`,
      start_time: '2026-01-05T09:00',
      end_time: '2026-01-05T10:00',
      enabled: 0,
    })
  ).id;
  const wall = (await made('/api/walls', { name: `${label} wall` })).id;
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [{ device_id: panel, grid_col: 0, grid_row: 0 }] }));
  const member = await colleague(site, owner, `${label.toLowerCase()}-member@store.test`, 'workspace_editor');
  const invite = (
    await made(`/api/workspaces/${owner.workspaceId}/invites`, {
      email: `${label.toLowerCase()}-invited@store.test`,
      role: 'workspace_editor',
    })
  ).id;
  const token = (await tokenOf(site, owner, 'read')).id;
  const gone = (await made('/api/playlists', { name: `${label} gone` })).id;
  must(await call('DELETE', `/api/playlists/${gone}`));
  const bin = must(await call('GET', `/api/bin?ref=${gone}`))[0].id;
  const workspace = `/api/workspaces/${owner.workspaceId}`;
  must(await call('PUT', workspace, { approval: 1 }));
  const draft = (await made('/api/playlists', { name: `${label} draft` })).id;
  const request = (await made(`/api/playlists/${draft}/publish-request`, { note: `${label} note` })).id;
  must(await call('POST', `/api/publish-requests/${request}/withdraw`));
  must(await call('PUT', workspace, { approval: 0 }));
  const version = must(await call('GET', `/api/playlists/${playlist}/versions`))[0].id;
  const { organization_id: organizationId } = must(await call('GET', '/api/auth/me')).current_workspace;
  const program = pushed['id'] as string;
  return {
    workspaceId: owner.workspaceId!,
    organizationId,
    owner,
    call,
    folder,
    image: image.id,
    video,
    remote,
    widget,
    kiosk,
    message,
    report,
    store,
    order,
    campaign: planned,
    slot,
    stayed,
    view,
    playlist,
    item,
    secondItem,
    layout: layout.id,
    zone: layout.zones[0].id,
    group,
    device,
    panel,
    player,
    panelPlayer,
    program,
    asset: image.sha256,
    schedule,
    plan,
    wall,
    invite,
    token,
    member,
    bin,
    version,
    request,
    backup: `vitrine-${label.toLowerCase()}.vitrine`,
    release: newId(),
    rollout: newId(),
    releaseFile: '0'.repeat(64),
  };
};

/** Returns the mfa_token of a user with two-step sign-in, after the first step. */
const secondStep = async (site: Site): Promise<string> => {
  const user = await person(site, 'second-step@store.test');
  const call = callAs(site, user.token);
  const { secret } = must(await call('POST', '/api/auth/totp/setup'));
  must(
    await call('POST', '/api/auth/totp/enable', {
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) }),
    }),
  );
  return must(await login(site, user.email)).mfa_token;
};

const tokensOf = async (
  site: Site,
  owner: Person,
  people: { gated: Person; demoted: Person; left: Person; late: Person },
): Promise<Credentials> => {
  const { demoted, left, late } = people;
  const call = callAs(site, owner.token);
  const members = `/api/workspaces/${owner.workspaceId}/members`;
  const viewers = await tokenOf(site, demoted, 'full');
  must(await call('PUT', `${members}/${demoted.id}`, { role: 'workspace_viewer' }));
  const orphan = await tokenOf(site, left, 'full');
  must(await call('DELETE', `${members}/${left.id}`));
  const revoked = await tokenOf(site, owner, 'full');
  must(await call('DELETE', `/api/tokens/${revoked.id}`));
  const expired = await tokenOf(site, owner, 'full', { expires_at: Math.floor(Date.now() / 1000) + 3600 });
  const ended = must(await login(site, owner.email)).token as string;
  must(await site.call('POST', '/api/auth/logout', { token: ended }));
  // In tests, the clock stands still, so the expiry is written directly. These two credentials were never used, so no
  // cache contains them.
  site.app.db.write(() => {
    site.app.db.raw.prepare('UPDATE tokens SET expires_at = 1 WHERE id = ?').run(expired.id);
    site.app.db.raw.prepare("UPDATE sessions SET expires_at = 1 WHERE user_id = ? AND kind = 'session'").run(late.id);
  });
  return {
    read: (await tokenOf(site, owner, 'read')).token,
    write: (await tokenOf(site, owner, 'write')).token,
    full: (await tokenOf(site, owner, 'full')).token,
    viewers: viewers.token,
    gated: (await tokenOf(site, people.gated, 'full')).token,
    mfa: await secondStep(site),
    dead: {
      'a word': 'garbage',
      'an unknown token': `vtr_${'A'.repeat(43)}`,
      'a revoked token': revoked.token,
      'an expired token': expired.token,
      'a token whose owner has left': orphan.token,
      'an expired session': late.token,
      'an ended session': ended,
    },
  };
};

/**
 * Creates a rollout that waits for A's device, which will not update, and a rollout for A's store, which does not
 * exist.
 */
const rollOut = async (
  site: Site,
  staff: Person,
  { device, rollout, workspaceId, store }: Room,
): Promise<Pick<Room, 'release' | 'rollout' | 'releaseFile'>> => {
  const to = { path: '/api/updates/releases' };
  const file = 'Vitrine-9.0.0-linux-x64.tar.gz';
  const release = must(await upload(site, staff.token, picture('release'), file, to), 201);
  // The signature is invalid: this server runs from sources and cannot check it.
  must(await upload(site, staff.token, Buffer.from(`${'ab'.repeat(64)}\n`), `${file}.sig`, to), 201);
  site.app.db.write(() => {
    const insert = site.app.db.raw.prepare(
      "INSERT INTO rollouts (id, release_id, status, stage, first_device_id, group_ids, minutes, created_at, updated_at) VALUES (?, ?, 'running', 'first', ?, '[]', 1440, unixepoch(), unixepoch())",
    );
    insert.run(rollout, release.id, device);
    site.app.db.raw
      .prepare(
        "INSERT INTO rollout_devices (rollout_id, device_id, status, told_at) VALUES (?, ?, 'told', unixepoch())",
      )
      .run(rollout, device);
    // Inserts a rollout to stores, with the same id as the rollout to screens.
    site.app.db.raw
      .prepare(
        `INSERT INTO hq_rollouts (id, workspace_id, version, files, waves, status, wave_at, healthy_minutes, visitor, created_at, updated_at)
           VALUES (?, ?, '9.0.0', '[]', '[{"name":"First"}]', 'running', unixepoch() * 1000, 30, '{"name":"A"}', unixepoch() * 1000, unixepoch() * 1000)`,
      )
      .run(rollout, workspaceId);
    site.app.db.raw
      .prepare(
        "INSERT INTO hq_rollout_stores (rollout, store, wave, state, at) SELECT ?, id, 0, 'waiting', unixepoch() * 1000 FROM hq_stores WHERE ref = ?",
      )
      .run(rollout, store);
  });
  return { release: release.id, rollout, releaseFile: release.files[0].sha256 };
};

/** @param more.data data folder of the caller, for example on a separate disk */
export const startStore = async (t: TestContext, more: { data?: string } = {}): Promise<Store> => {
  const site = await startSite(t, {
    ...more,
    env: { VITRINE_HTTPS_PORT: String(await freePort()), VITRINE_CHAIN_ROLE: 'hq' },
  });
  await site.app.tls.https.settled;
  const first = await person(site, 'staff@vitrine.test');
  const staff = callAs(site, first.token);
  const owner = await person(site, 'owner@a.test', { name: 'Anna', createOrg: true });
  const ownerB = await person(site, 'owner@b.test', { name: 'Bob', createOrg: true });
  const member = (name: string, role: 'workspace_viewer' | 'workspace_editor' | 'workspace_admin') =>
    colleague(site, owner, `${name}@a.test`, role);
  const [admin, editor, viewer] = [
    await member('admin', 'workspace_admin'),
    await member('editor', 'workspace_editor'),
    await member('viewer', 'workspace_viewer'),
  ];
  const [demoted, left, gated] = [
    await member('demoted', 'workspace_admin'),
    await member('left', 'workspace_admin'),
    await member('gated', 'workspace_admin'),
  ];
  const operator = await person(site, 'operator@vitrine.test', { createOrg: false });
  must(await staff('PUT', `/api/auth/users/${operator.id}/role`, { role: 'platform_operator' }));
  const loner = await person(site, 'loner@nowhere.test', { createOrg: false });
  const late = await person(site, 'late@nowhere.test', { createOrg: false });

  const backup = must(await staff('POST', '/api/server/backups', {}), 201).name;
  // Writes the file that a restore of yesterday would have left.
  writeFileSync(
    join(site.data, 'last-restore.json'),
    JSON.stringify({
      watch: WATCHED_RESTORE,
      backup,
      made_at: 1_760_000_000,
      at: 1_760_000_100,
      by: first.email,
      safety: backup,
      error: null,
      set_aside: null,
      media_missing: 0,
      differences: [],
      plays: 0,
    }),
  );
  const room = await furnish(t, site, owner, 'Aurora');
  const a = { ...room, backup, ...(await rollOut(site, first, room)) };
  const b = await furnish(t, site, ownerB, 'Boreas');
  const a2 = must(await a.call('POST', '/api/workspaces', { name: 'Second' }), 201).id;
  const tokens = await tokensOf(site, owner, { gated, demoted, left, late });
  must(await staff('PUT', `/api/auth/users/${gated.id}/password`, { password: `${PASSWORD} anew` }));
  const gatedNow = { ...gated, token: must(await login(site, gated.email, `${PASSWORD} anew`)).token };
  return {
    site,
    people: { staff: first, operator, owner, admin, editor, viewer, loner, gated: gatedNow },
    tokens,
    a,
    b,
    a2,
    staff,
  };
};
