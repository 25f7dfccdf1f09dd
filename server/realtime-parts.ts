/** The part of the composition root that makes what lives on sockets: players, admin windows, and the devices feature on top of them. */
import type { TlsOffer } from '../shared/protocol/server-proof.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { DevicePages } from './features/devices/device-pages.ts';
import { deviceRoutes } from './features/devices/devices.routes.ts';
import { DevicesService, type InForce, type PlaylistItems } from './features/devices/devices.service.ts';
import { DevicesStore } from './features/devices/devices.store.ts';
import { type CodeLock, PairingService } from './features/devices/pairing.service.ts';
import { PlaysIngestStore } from './features/reports/plays-ingest.store.ts';
import { PlaysIngest } from './features/reports/plays-ingest.ts';
import type { Bound } from './http/api.ts';
import type { ClientAddresses } from './http/client-address.ts';
import type { SameOrigin } from './http/same-origin.ts';
import type { Upgrade } from './http/server.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import { newId } from './kernel/ids.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';
import type { Log } from './kernel/log.ts';
import type { Screens } from './planning-parts.ts';
import { Claims } from './realtime/claims.ts';
import { Commands } from './realtime/commands.ts';
import { DeliveryStore } from './realtime/delivery.store.ts';
import { DeviceAuth } from './realtime/device-auth.ts';
import { PlayerFaults } from './realtime/fault-log.ts';
import { Identify } from './realtime/identify.ts';
import { LiveStore } from './realtime/live.store.ts';
import { LiveBook, type LiveDevice } from './realtime/live-book.ts';
import { type LiveAuthenticate, LiveGateway } from './realtime/live-gateway.ts';
import { Overlays } from './realtime/overlays.ts';
import { PairingDesk, type Waiting } from './realtime/pairing-desk.ts';
import { type PlayerAssets, type ProgramBytes, type Proving, playerRoutes } from './realtime/player.routes.ts';
import { PlayerGateway } from './realtime/player-gateway.ts';
import { PlayerHub } from './realtime/player-hub.ts';
import { PlayerTalk, type Walls } from './realtime/player-talk.ts';
import { PlayersStore } from './realtime/players.store.ts';
import { PreciseClock } from './realtime/precise-clock.ts';
import { ProgramPush, type ProgramSource } from './realtime/program-push.ts';
import { Screenshots } from './realtime/screenshots.ts';
import { type ServerIdentity, SignIn } from './realtime/sign-in.ts';
import { WallSync } from './realtime/wall-sync.ts';
import { Wheel } from './realtime/wheel.ts';
import type { TrustedClock } from './upkeep/trusted-clock.ts';

/** The programs of all devices (server/programs). */
interface Programs extends ProgramSource, ProgramBytes, InForce, Walls {
  attach(players: ProgramPush): void;
}

export interface RealtimeParts {
  readonly routes: readonly Bound[];
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  readonly devices: DevicesService;
  readonly hub: PlayerHub;
  readonly screens: Screens;
  /** How a device is now; undefined: not heard since the start. */
  readonly live: (deviceId: string) => LiveDevice | undefined;
  /** Of players' HTTP requests. */
  readonly auth: DeviceAuth;
  /** These start before HTTP, in this order … */
  readonly before: readonly Lifecycle[];
  /** … and these after it, so that at the end the sockets are closed before HTTP waits for them. */
  readonly after: readonly Lifecycle[];
}

/** What the planning features ask of screens (planning-parts). */
const screensOf = (parts: {
  wallSync: WallSync;
  hub: PlayerHub;
  book: LiveBook;
  commands: Commands;
  identify: Identify;
  overlays: Overlays;
  devices: DevicesService;
  programs: Programs;
}): Screens => {
  const { wallSync, hub, book, commands, identify, overlays, devices, programs } = parts;
  const plays = (deviceId: string, playlistId: string) => programs.program(deviceId)?.program.playlists.some((playlist) => playlist.id === playlistId) ?? false;
  return {
    devices: (workspaceId, ids) => devices.records(workspaceId, ids),
    deviceName: (workspaceId, id) => devices.nameOf(workspaceId, id),
    command: async (workspaceId, ids, command, payload) => (await commands.send(workspaceId, ids, command, payload)).results,
    identify: (workspaceId, ids, seconds) => identify.send(workspaceId, ids, seconds),
    show: (workspaceId, ids, overlay) => overlays.show(workspaceId, ids, overlay),
    clear: (workspaceId, ids, pipId) => overlays.clear(workspaceId, ids, pipId),
    status: (deviceId) => book.get(deviceId)?.status ?? 'offline',
    sync: (deviceId) => {
      const { error_p50_ms, error_p99_ms } = book.get(deviceId)?.sync ?? {};
      return typeof error_p50_ms === 'number' && typeof error_p99_ms === 'number' ? { error_p50_ms, error_p99_ms } : undefined;
    },
    inStep: (wallId) => wallSync.of(wallId),
    muteChanged: (workspaceId, item) => {
      const players = [...hub.connected(workspaceId)].filter((deviceId) => plays(deviceId, item.playlistId));
      hub.sayAll(players, { type: 'device:mute-changed', item_id: item.itemId, content_id: item.contentId, widget_id: item.widgetId, muted: item.muted });
    },
  };
};

export const createRealtime = (deps: {
  config: Pick<Config, 'hosted'>;
  addresses: ClientAddresses;
  sameOrigin: SameOrigin;
  db: Database;
  bus: Bus;
  clock: TrustedClock;
  /** Milliseconds that nobody can set. */
  mono: () => number;
  activity: ActivityLog;
  log: Log;
  identity: () => ServerIdentity;
  /** Every page of the database was read, and is whole. */
  isStoreWhole: () => boolean;
  /** Proves to players that this server is the one they know. */
  key: Proving;
  /** How players may reach it by HTTPS, signed for their nonce. */
  tlsOffer: (nonce: string) => TlsOffer;
  programs: Programs;
  items: PlaylistItems;
  /** Where a stored file is. */
  pathOf: (sha256: string) => string;
  /** Wrong pairing codes of a user. */
  lock: CodeLock;
  authenticate: LiveAuthenticate;
}): RealtimeParts => {
  const { config, db, bus, clock, mono, activity, log, programs } = deps;
  const wheel = new Wheel({ mono, onError: (error) => log.error('A timer failed', { error }) });
  const players = new PlayersStore(db);
  const delivery = new DeliveryStore(db);
  const hub = new PlayerHub();
  const book = new LiveBook({ db, store: new LiveStore(db), bus, clock, wheel, log });
  const faults = new PlayerFaults({ db, activity, bus, wheel });
  const push = new ProgramPush({ hub, book, wheel, faults });
  push.attach(programs);
  programs.attach(push);
  const commands = new Commands({ db, store: delivery, players, hub, wheel, clock });
  const identify = new Identify({ hub, book, players });
  const overlays = new Overlays({ db, store: delivery, players, hub, wheel, clock });
  const screenshots = new Screenshots({ db, store: delivery, hub, book, wheel, clock });
  const desk = new PairingDesk({
    clock,
    showCode: (waiting, code) => {
      const { id, name, fingerprint } = deps.identity();
      waiting.socket?.say({ type: 'pairing', code: code.text, expires_at: code.expiresAt, server: { id, name, fingerprint } });
    },
  });
  const signIn = new SignIn({
    store: players,
    bus,
    clock,
    wheel,
    desk,
    hub,
    book,
    programs: push,
    waitingFor: [overlays, commands],
    identity: deps.identity,
    isStoreWhole: deps.isStoreWhole,
  });
  const plays = new PlaysIngest({ db, store: new PlaysIngestStore(db), bus, clock, activity, log });
  const precise = new PreciseClock(clock, mono);
  const wallSync = new WallSync(() => precise.now());
  const talk = new PlayerTalk({ precise, wheel, book, walls: programs, wallSync, plays, commands, overlays, screenshots, programs: push, faults, time: clock });
  const claims = new Claims({ wheel, fingerprint: () => deps.identity().fingerprint });
  const playerGateway = new PlayerGateway({ wheel, signIn, talk, claims, log, addresses: deps.addresses, sameOrigin: deps.sameOrigin });
  const liveGateway = new LiveGateway({ bus, book, wheel, authenticate: deps.authenticate, addresses: deps.addresses, sameOrigin: deps.sameOrigin });
  desk.onChange(() => liveGateway.pendingChanged());

  const store = new DevicesStore(db);
  const pages = new DevicePages({ store, live: book, bus, run: newId().slice(-8) });
  const devices = new DevicesService({
    db,
    store,
    pages,
    live: book,
    bus,
    clock,
    activity,
    inForce: programs,
    items: deps.items,
    commands,
    identifier: identify,
    pictures: screenshots,
  });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const pairing = new PairingService<Waiting>({ db, store, bus, clock, activity, waiting: desk, claims, claimed: signIn, lock: deps.lock, hosted: config.hosted, zone });
  const assets: PlayerAssets = {
    find: (actor, sha256) => {
      const found = programs.program(actor.deviceId)?.program.assets.find((asset) => asset.sha256 === sha256) ?? players.asset(actor.workspaceId, sha256);
      return found && { path: deps.pathOf(sha256), size: found.size, mime: found.mime };
    },
  };
  return {
    routes: [...deviceRoutes(devices, pairing), ...playerRoutes({ programs, assets, server: deps.key, name: () => deps.identity().name, tls: deps.tlsOffer })],
    upgrades: new Map([
      ['/api/player', playerGateway.upgrade],
      ['/api/live', liveGateway.upgrade],
    ]),
    devices,
    hub,
    screens: screensOf({ wallSync, hub, book, commands, identify, overlays, devices, programs }),
    live: (deviceId) => book.get(deviceId),
    auth: new DeviceAuth({ store: players, bus }),
    before: [wheel, book, plays, signIn, commands],
    after: [playerGateway, liveGateway],
  };
};
