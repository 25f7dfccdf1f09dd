/**
 * The composition root: makes every part, hands each what it needs, starts them in order and stops them in reverse.
 * Nothing else calls `new` on a service.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../shared/contract/endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { getHealth, getOpenApi } from '../shared/contract/health.ts';
import { createAccounts } from './accounts-parts.ts';
import type { Config } from './config.ts';
import { createContent } from './content-parts.ts';
import { Checkpoints } from './db/checkpoints.ts';
import type { Database } from './db/database.ts';
import { forgetRevocationsBy } from './db/revocations.ts';
import { Discovery } from './discovery/discovery.ts';
import { createExchange } from './exchange-parts.ts';
import { LimitsStore } from './features/accounts/limits.store.ts';
import { Lockout } from './features/accounts/lockout.ts';
import type { Mailer } from './features/accounts/mailer.ts';
import type { HashCost } from './features/accounts/passwords.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { ActivityService } from './features/activity/activity.service.ts';
import { ActivityStore } from './features/activity/activity.store.ts';
import { LayoutsService } from './features/layouts/layouts.service.ts';
import { LayoutsStore } from './features/layouts/layouts.store.ts';
import { PlaylistsStore } from './features/playlists/playlists.store.ts';
import { SchedulesStore } from './features/schedules/schedules.store.ts';
import { Api, type Bound, bind } from './http/api.ts';
import { ClientAddresses } from './http/client-address.ts';
import { KnownHosts } from './http/known-hosts.ts';
import { openApi } from './http/openapi.ts';
import { createPages } from './http/pages.ts';
import { RateLimits } from './http/rate-limits.ts';
import { ResponseCache } from './http/response-cache.ts';
import { SameOrigin } from './http/same-origin.ts';
import { type Answering, HttpServer } from './http/server.ts';
import { Tickets } from './http/tickets.ts';
import type { Identity } from './identity.ts';
import { Bus } from './kernel/bus.ts';
import { type MachineClock, systemClock } from './kernel/clock.ts';
import { diskTrouble } from './kernel/disk-trouble.ts';
import { idsFollow, newId } from './kernel/ids.ts';
import { type Lifecycle, together } from './kernel/lifecycle.ts';
import { type FileLog, openLog } from './kernel/log.ts';
import type { MediaSweeper } from './media/media-sweeper.ts';
import { createPlanning, type PlanningParts } from './planning-parts.ts';
import { ProgramsStore } from './programs/programs.store.ts';
import { Programs } from './programs/programs.ts';
import { liveAuthenticate } from './realtime/live-auth.ts';
import { createRealtime } from './realtime-parts.ts';
import { RELEASE_KEYS } from './release-keys.ts';
import { createReporting } from './reporting-parts.ts';
import { ownNames } from './tls/host-names.ts';
import { createTls, type TlsParts } from './tls-parts.ts';
import { createUpdates, type UpdatesParts } from './updates-parts.ts';
import { type DataFolder, openDataFolder } from './upkeep/data-folder.ts';
import { DiskRoom } from './upkeep/disk-room.ts';
import { lastWritten, TrustedClock } from './upkeep/trusted-clock.ts';
import { UpkeepStore } from './upkeep/upkeep.store.ts';
import { createUpkeep, type UpkeepParts } from './upkeep-parts.ts';
import { VERSION } from './version.ts';
import { createWidgets } from './widgets-parts.ts';

/** No step of stopping may take longer, … */
const STEP_LIMIT_MS = 1800;
/** … nor all of them: the process is to be gone within 5 s, its database closed in order. */
const STOP_LIMIT_MS = 4000;

export interface AppOptions {
  readonly config: Config;
  /** Tests pass their own. */
  readonly clock?: MachineClock;
  /** Tests hash passwords cheaply. */
  readonly hashCost?: HashCost;
  /** Tests pass those of a publisher of their own. @default those of this package */
  readonly releaseKeys?: readonly string[];
}

export class App {
  readonly db: Database;
  readonly identity: Identity;
  readonly log: FileLog;
  readonly http: HttpServer;
  /** For tests: when it is idle, all mails have gone out. */
  readonly mailer: Mailer;
  /** For tests, which do not wait for its clock. */
  readonly upkeep: UpkeepParts;
  /** For tests, which do not wait for its clock. */
  readonly sweeper: MediaSweeper;
  readonly tls: TlsParts;
  /** For tests, which do not wait for its clock. */
  readonly clock: TrustedClock;
  /** What to type into another machine's first-run page; undefined: nothing. */
  readonly setupNote: () => string | undefined;
  /** For tests, which do not wait for its clock. */
  readonly updates: UpdatesParts;
  /** All that is bound: the tests of test/api walk it. */
  readonly endpoints: readonly Endpoint[];
  readonly #folder: DataFolder;
  readonly #parts: Lifecycle[];
  #started: Lifecycle[] = [];
  #ready = false;
  #stopping: Promise<void> | undefined;

  constructor(options: AppOptions) {
    const { config, clock: machine = systemClock, hashCost, releaseKeys = RELEASE_KEYS } = options;
    mkdirSync(config.data, { recursive: true });
    // Only of this machine's own files, and before any is written anew: a clock of tests has no part in them.
    const written = machine === systemClock ? lastWritten(config.data) : undefined;
    this.log = openLog(join(config.data, 'logs'), config.log_level);
    const log = this.log;
    this.#folder = openDataFolder(config.data);
    this.identity = this.#folder.identity;
    this.db = this.#folder.db;
    const db = this.db;
    db.reportTo((error) => log.error('A reaction to a change failed', { error }));
    this.clock = new TrustedClock({ machine, db, store: new UpkeepStore(db), log, written, notices: () => upkeep.notices, activity: () => activity });
    const clock = this.clock;
    if (machine === systemClock) idsFollow(() => clock.now());
    forgetRevocationsBy(db.raw, clock);
    const mono = () => machine.mono();
    const room = new DiskRoom({ data: config.data, log });
    db.keepTo(room, (failure) => upkeep.disk.failing(failure));
    const bus = new Bus((event, error) => log.error(`A listener of ${event} failed`, { error }));
    const cache = new ResponseCache(bus, newId().slice(-8));
    const tickets = new Tickets(clock);
    const addresses = new ClientAddresses({ trustedProxies: config.trusted_proxies, warn: (sentence) => log.warn(sentence) });
    const sameOrigin = new SameOrigin({ publicUrl: config.public_url, trustedProxies: config.trusted_proxies });

    // — features, each with what it needs of others —
    const programs = new Programs({
      store: new ProgramsStore(db),
      widgets: { page: (widget) => widgets.pages.page(widget) },
      bus,
      clock,
      onError: (error) => log.error('Telling players their programs failed', { error }),
    });
    db.onLost(() => {
      cache.clear();
      programs.reset();
    });
    const activity = new ActivityService({ store: new ActivityStore(db), clock });
    const layouts = new LayoutsService({ db, store: new LayoutsStore(db), bus, clock, activity });
    layouts.addTemplates();
    const playlistsStore = new PlaylistsStore(db);
    const library = createContent({
      config,
      room,
      allowedHosts: () => people.connections.allowedHosts,
      db,
      bus,
      clock,
      activity,
      cache,
      tickets,
      programs,
      playlists: playlistsStore,
      mono,
      note: (sentence) => log.warn(sentence),
      onError: (part, error) => log.error(`${part} failed`, { error }),
    });
    this.sweeper = library.sweeper;
    const schedulesStore = new SchedulesStore(db);
    const widgets = createWidgets({
      config,
      db,
      bus,
      clock,
      activity,
      playlists: playlistsStore,
      schedules: schedulesStore,
      fetch: library.fetch,
      pictures: library.pictures,
      library: { picture: (workspaceId, id) => library.content.picture(workspaceId, id) },
      onError: (part, error) => log.error(`${part} failed`, { error }),
    });
    const people = createAccounts({ config, db, bus, clock, activity, log, ...(hashCost && { hashCost }), device: (authorization, ip) => realtime.auth.actor(authorization, ip) });
    this.mailer = people.mailer;
    this.setupNote = () => people.setupCode.note;
    const realtime = createRealtime({
      config,
      addresses,
      sameOrigin,
      db,
      bus,
      clock,
      mono,
      activity,
      log,
      identity: () => ({ id: this.identity.id, name: people.settings.name, fingerprint: this.identity.fingerprint, version: VERSION }),
      key: this.identity,
      isStoreWhole: () => upkeep.database.isWhole,
      tlsOffer: (nonce) => this.tls.offer(nonce),
      programs,
      items: { publishedItems: (playlistId) => planning.playlists.publishedItems(playlistId) },
      pathOf: (sha256) => widgets.pages.path(sha256) ?? library.media.pathOf(sha256),
      lock: new Lockout({ db, store: new LimitsStore(db), clock, kind: 'pairing', max: 10, message: 'Too many wrong codes' }),
      authenticate: liveAuthenticate(people.actors),
    });

    const planning: PlanningParts = createPlanning({
      db,
      bus,
      clock,
      activity,
      cache,
      programs,
      layouts,
      playlistsStore,
      schedulesStore,
      playable: { content: (workspaceId, id) => library.content.playable(workspaceId, id), widget: (workspaceId, id) => widgets.widgets.find(workspaceId, id) },
      screens: realtime.screens,
    });

    const reporting = createReporting({ db, clock, signer: this.identity });

    const exchange = createExchange({ db, bus, clock, activity, library, layouts, planning, widgets });
    const upkeep: UpkeepParts = createUpkeep({
      config,
      room,
      db,
      isChecked: this.#folder.isChecked,
      mono,
      bus,
      clock,
      activity,
      log,
      mailer: people.mailer,
      box: people.box,
      server: () => ({ id: this.identity.id, name: people.settings.name, fingerprint: this.identity.fingerprint }),
      port: () => this.http.port,
      https: () => this.tls.status(),
      isOnline: (deviceId) => realtime.screens.status(deviceId) === 'online',
    });
    this.upkeep = upkeep;
    library.media.onRemade(() => void upkeep.media.look({ now: true }));
    this.updates = createUpdates({
      config,
      db,
      bus,
      clock,
      mono,
      activity,
      log,
      screens: { live: realtime.live, command: realtime.screens.command },
      notices: () => upkeep.notices,
      releaseKeys,
    });
    const updates = this.updates;
    const moreNames = () => [...config.names, ...people.settings.current().names];
    this.tls = createTls({ config, identity: this.identity, moreNames, answering: () => answering, clock, log, changed: () => discovery.refresh() });
    if (this.#folder.reserveGone) log.warn('The disk is full: the reserve was given up so that the server could start');
    for (const note of this.#folder.notes) log.warn(note);

    const health = bind(getHealth, () => {
      if (!this.#ready) throw new ApiError(503, 'The server is starting or stopping', { retryAfter: 1 });
      if (db.probe(performance.now())) throw new ApiError(503, 'The server’s disk fails: its database cannot be written or read', { code: 'database_failing', retryAfter: 60 });
      return { status: 'ok' as const, version: VERSION, uptime_seconds: Math.floor(clock.uptime / 1000) };
    });
    const routes: Bound[] = [
      health,
      ...people.routes,
      ...library.routes,
      ...widgets.routes,
      ...realtime.routes,
      ...planning.routes,
      ...reporting.routes,
      ...activityRoutes(activity),
      ...upkeep.routes,
      ...this.tls.routes,
      ...updates.routes,
      ...exchange.routes,
    ];
    const endpoints = [...routes.map((r) => r.endpoint), getOpenApi];
    this.endpoints = endpoints;
    // Made when first asked for: nobody pays for it at start.
    let document: unknown;
    routes.push(bind(getOpenApi, () => (document ??= openApi(endpoints, VERSION)) as Record<string, unknown>));
    const api = new Api(routes, {
      db,
      room,
      authenticate: people.actors.authenticate,
      rateLimits: new RateLimits(machine),
      tickets,
      newRequestId: () => newId().slice(-12),
      addresses,
      sameOrigin,
      checkAnswers: config.check_answers,
      log: {
        failed: ({ error, status, ...facts }) => {
          // What the disk does is told once (server/upkeep/disk-watch.ts), not with every request.
          if (status >= 500 && status !== 503 && status !== 507 && diskTrouble(error) === undefined) log.error(`${facts.method} ${facts.path} failed`, { ...facts, status, error });
          else log.debug('request refused', { ...facts, status, reason: (error as Error).message });
        },
      },
    });
    const pages = createPages(endpoints, VERSION);
    const hosts = new KnownHosts({
      names: () => [...ownNames(config, this.identity.id), ...moreNames()],
      trustedProxies: config.trusted_proxies,
      clock: { now: mono },
    });
    bus.on('changed', ({ topic }) => {
      if (topic === 'settings') hosts.forget();
    });
    db.onLost(() => hosts.forget());
    const answering: Answering = { hosts, api, pages: (req, res) => void (upkeep.page(req, res) || pages(req, res)), upgrades: realtime.upgrades };
    this.http = new HttpServer({ host: config.host, port: config.port, ...answering });
    const discovery = new Discovery({
      identity: this.identity,
      version: VERSION,
      host: config.host,
      port: () => this.http.port,
      tlsPort: () => this.tls.port,
      facts: () => ({ name: people.settings.name, isSetUp: !people.accounts.needsSetup }),
      bus,
      log,
    });
    this.#parts = [
      clock,
      new Checkpoints({ db, onError: (error) => log.error('Taking over what was written failed', { error }) }),
      ...people.parts,
      ...library.parts,
      ...widgets.parts,
      programs,
      ...realtime.before,
      ...reporting.parts,
      ...upkeep.parts,
      ...updates.parts,
      together('doors', [this.http, this.tls.https, ...upkeep.after, ...realtime.after, ...exchange.parts, ...(config.discovery ? [discovery] : [])]),
    ];
  }

  get port(): number {
    return this.http.port;
  }

  /** Starts all parts in order; when one cannot start, those before it are stopped again and its error goes on. */
  async start(): Promise<void> {
    for (const part of this.#parts) {
      if (this.#stopping) return;
      try {
        await part.start();
      } catch (error) {
        await this.stop();
        throw error;
      }
      this.#started.push(part);
    }
    this.#ready = true;
    this.log.info('started', { port: this.port, version: VERSION });
  }

  /** Once, in reverse order, each step and the whole with a limit; safe to call at any time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#ready = false;
    const deadline = performance.now() + STOP_LIMIT_MS;
    for (const part of this.#started.reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<'late'>((done) => {
        timer = setTimeout(() => done('late'), Math.max(0, Math.min(STEP_LIMIT_MS, deadline - performance.now())));
      });
      const ended = await Promise.race([(async () => part.stop())().catch((error: unknown) => error), limit]);
      clearTimeout(timer);
      if (ended === 'late') this.log.warn(`${part.name} did not stop in time`);
      else if (ended instanceof Error) this.log.error(`${part.name} failed to stop`, { error: ended });
    }
    const left = this.#folder.close();
    if (left) this.log.warn('What was saved last could not be taken over into the database file. It is safe in its log, and taken over at the next start.', { error: left });
    this.log.info('stopped');
    await this.log.close();
  }
}
