/** Creates the sockets of players and admin windows, and the devices feature on top of them. */

import type { TlsOffer } from '../../shared/protocol/server-proof.ts';
import type { CodeLock } from '../features/devices/pairing.service.ts';
import type { MessagePages } from '../features/messages/message-pages.ts';
import type { PlanFollower } from '../features/plans/plan-follower.ts';
import type { MuteEvents } from '../features/playlists/assignments.service.ts';
import type { PlaylistsStore } from '../features/playlists/playlists.store.ts';
import { OldPlaysStore } from '../features/reports/ingest/plays-conversion.store.ts';
import { PlaysConversion } from '../features/reports/ingest/plays-conversion.ts';
import { PlaysIngestStore } from '../features/reports/ingest/plays-ingest.store.ts';
import { PlaysIngest } from '../features/reports/ingest/plays-ingest.ts';
import type { ClientAddresses } from '../http/hosts/client-address.ts';
import type { SameOrigin } from '../http/hosts/same-origin.ts';
import type { Programs } from '../programs/programs.ts';
import { Claims } from '../realtime/players/claims.ts';
import { type PlayerAssets, playerRoutes } from '../realtime/players/player.routes.ts';
import { PlayerGateway } from '../realtime/players/player-gateway.ts';
import { PlayerTalk } from '../realtime/players/player-talk.ts';
import { type ServerIdentity, SignIn } from '../realtime/players/sign-in.ts';
import { WaitingPlayers } from '../realtime/players/waiting-players.ts';
import { Commands } from '../realtime/screens/commands.ts';
import { DeliveryStore } from '../realtime/screens/delivery.store.ts';
import { Identify } from '../realtime/screens/identify.ts';
import { Overlays } from '../realtime/screens/overlays.ts';
import { PreciseClock } from '../realtime/screens/precise-clock.ts';
import { ProgramPush } from '../realtime/screens/program-push.ts';
import { Screenshots } from '../realtime/screens/screenshots.ts';
import { WallSync } from '../realtime/screens/wall-sync.ts';
import { PlayerFaults } from '../realtime/state/fault-log.ts';
import { OpenFaults } from '../realtime/state/open-faults.ts';
import { type LiveAuthenticate, LiveGateway } from '../realtime/windows/live-gateway.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import { createDevices } from './realtime/devices.ts';

interface Deps {
  readonly presence: Presence;
  readonly addresses: ClientAddresses;
  readonly sameOrigin: SameOrigin;
  readonly server: () => ServerIdentity;
  /** Whether all pages of the database were read without a fault. */
  readonly isStoreWhole: () => boolean;
  /** Returns the HTTPS address for players, signed for their nonce. */
  readonly tlsOffer: (nonce: string) => TlsOffer;
  readonly programs: Programs;
  readonly plans: PlanFollower;
  readonly playlists: PlaylistsStore;
  /** Returns the path of a stored file. */
  readonly pathOf: (sha256: string) => string;
  readonly messages: Pick<MessagePages, 'find'>;
  /** Counter of wrong pairing codes per user. */
  readonly lock: CodeLock;
  readonly authenticate: LiveAuthenticate;
}

export const createRealtime = (kernel: Kernel, deps: Deps) => {
  const { db, bus, clock, mono, log } = kernel;
  const { programs, server, addresses, sameOrigin } = deps;
  const { wheel, hub, registry, players } = deps.presence;
  const delivery = new DeliveryStore(db);
  const openFaults = new OpenFaults(() => clock.now());
  const faults = new PlayerFaults({ ...kernel, wheel, open: openFaults });
  const push = new ProgramPush({ programs, hub, registry, wheel, faults });
  const live = { ...kernel, store: delivery, players, hub, registry, wheel };
  const commands = new Commands(live);
  const identify = new Identify(live);
  const overlays = new Overlays(live);
  const screenshots = new Screenshots(live);
  const waitingPlayers = new WaitingPlayers({
    clock,
    showCode: (waiting, code) => {
      const { id, name, fingerprint } = server();
      waiting.socket?.sendMessage({
        type: 'pairing',
        code: code.text,
        expires_at: code.expiresAt,
        server: { id, name, fingerprint },
      });
    },
  });
  const signIn = new SignIn({
    ...live,
    store: players,
    waitingPlayers,
    programs: push,
    waitingFor: [overlays, commands],
    identity: server,
    isStoreWhole: deps.isStoreWhole,
  });
  const taken = new PlaysIngestStore(db);
  const plays = new PlaysIngest({ ...kernel, store: taken });
  const conversion = new PlaysConversion({ ...kernel, store: taken, old: new OldPlaysStore(db) });
  const precise = new PreciseClock(clock, mono);
  const wallSync = new WallSync(() => precise.now());
  const talk = new PlayerTalk({
    precise,
    wheel,
    registry,
    walls: programs,
    wallSync,
    plays,
    commands,
    overlays,
    screenshots,
    programs: push,
    faults,
    openFaults,
    time: clock,
  });
  const claims = new Claims({ wheel, fingerprint: () => server().fingerprint });
  const playerGateway = new PlayerGateway({ wheel, signIn, talk, claims, log, addresses, sameOrigin });
  const liveGateway = new LiveGateway({ bus, registry, wheel, authenticate: deps.authenticate, addresses, sameOrigin });
  waitingPlayers.onChange(() => liveGateway.pendingChanged());

  const { devices, tags, routes } = createDevices(kernel, {
    ...deps,
    registry,
    commands,
    identify,
    screenshots,
    waiting: waitingPlayers,
    claims,
    signIn,
  });
  return {
    routes: [
      ...routes,
      ...playerRoutes({
        programs,
        assets: assetsOf(deps),
        server: kernel.identity,
        name: () => server().name,
        tls: deps.tlsOffer,
      }),
    ],
    upgrades: new Map([
      ['/api/player', playerGateway.upgrade],
      ['/api/live', liveGateway.upgrade],
    ]),
    devices,
    tags,
    commands,
    identify,
    overlays,
    wallSync,
    openFaults,
    mute: muteEvents(hub, programs),
    /** Parts to start before HTTP, in this order. */
    before: [wheel, registry, plays, conversion, signIn, commands],
    /** Parts to start after HTTP. At the end these parts close their sockets before HTTP waits for open connections. */
    after: [playerGateway, liveGateway],
  };
};

/** Files that a player may download: those of its programs, those sent to it, and pages of messages. */
const assetsOf = ({
  programs,
  presence: { players },
  pathOf,
  messages,
}: Pick<Deps, 'programs' | 'presence' | 'pathOf' | 'messages'>): PlayerAssets => ({
  find: (actor, sha256) => {
    const found =
      programs.program(actor.deviceId)?.program.assets.find((asset) => asset.sha256 === sha256) ??
      players.asset(actor.workspaceId, sha256);
    if (found) return { path: pathOf(sha256), size: found.size, mime: found.mime };
    return messages.find(actor.workspaceId, sha256);
  },
});

/** Sends a mute of a playlist item to the connected players that have the playlist in their program. */
const muteEvents = (hub: Presence['hub'], programs: Programs): MuteEvents => {
  const isPlaying = (deviceId: string, playlistId: string) =>
    programs.program(deviceId)?.program.playlists.some((playlist) => playlist.id === playlistId) ?? false;
  return {
    muteChanged: (workspaceId, item) => {
      const players = [...hub.connected(workspaceId)].filter((deviceId) => isPlaying(deviceId, item.playlistId));
      hub.sendAll(players, {
        type: 'device:mute-changed',
        item_id: item.itemId,
        content_id: item.contentId,
        widget_id: item.widgetId,
        muted: item.muted,
      });
    },
  };
};

export type RealtimeParts = ReturnType<typeof createRealtime>;
