/** Creates the devices feature: records of screens, their tags and the pairing of new screens. */
import { DevicePages } from '../../features/devices/device-pages.ts';
import { DeviceTags } from '../../features/devices/device-tags.ts';
import { deviceRoutes } from '../../features/devices/devices.routes.ts';
import { DevicesService } from '../../features/devices/devices.service.ts';
import { DevicesStore } from '../../features/devices/devices.store.ts';
import { type CodeLock, PairingService } from '../../features/devices/pairing.service.ts';
import { TagsStore } from '../../features/devices/tags.store.ts';
import { GroupsStore } from '../../features/groups/groups.store.ts';
import { RuleGroups } from '../../features/groups/rule-groups.ts';
import type { PlanFollower } from '../../features/plans/plan-follower.ts';
import type { PlaylistsStore } from '../../features/playlists/playlists.store.ts';
import { toItems } from '../../features/playlists/playlists.view.ts';
import { newId } from '../../kernel/ids.ts';
import { serverZone } from '../../kernel/time/server-zone.ts';
import type { Programs } from '../../programs/programs.ts';
import type { Claims } from '../../realtime/players/claims.ts';
import type { SignIn } from '../../realtime/players/sign-in.ts';
import type { Waiting, WaitingPlayers } from '../../realtime/players/waiting-players.ts';
import type { Commands } from '../../realtime/screens/commands.ts';
import type { Identify } from '../../realtime/screens/identify.ts';
import type { Screenshots } from '../../realtime/screens/screenshots.ts';
import type { Kernel } from '../kernel.ts';
import type { Presence } from '../presence.ts';

interface Deps {
  readonly programs: Programs;
  readonly plans: PlanFollower;
  readonly playlists: PlaylistsStore;
  /** Counter of wrong pairing codes per user. */
  readonly lock: CodeLock;
  readonly registry: Presence['registry'];
  readonly commands: Commands;
  readonly identify: Identify;
  readonly screenshots: Screenshots;
  /** Players without a workspace, which show a pairing code. */
  readonly waiting: WaitingPlayers;
  readonly claims: Claims;
  readonly signIn: SignIn;
}

export const createDevices = (kernel: Kernel, deps: Deps) => {
  const { db, bus, config } = kernel;
  const { programs, plans, registry } = deps;
  const store = new DevicesStore(db);
  const pages = new DevicePages({ store, live: registry, bus, run: newId().slice(-8) });
  const rules = new RuleGroups({ ...kernel, store: new GroupsStore(db) });
  const tags = new DeviceTags({ ...kernel, store: new TagsStore(db), rules, plans });
  const devices = new DevicesService({
    ...kernel,
    store,
    pages,
    live: registry,
    inForce: programs,
    items: { publishedItems: (playlistId) => toItems(deps.playlists.publishedWithSubjects(playlistId)) },
    plans,
    tags,
    commands: deps.commands,
    identifier: deps.identify,
    pictures: deps.screenshots,
  });
  const pairing = new PairingService<Waiting>({
    ...kernel,
    store,
    waiting: deps.waiting,
    claims: deps.claims,
    claimed: deps.signIn,
    lock: deps.lock,
    hosted: config.hosted,
    zone: serverZone,
  });
  return { devices, tags, routes: deviceRoutes(devices, tags, pairing) };
};
