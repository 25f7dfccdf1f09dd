/**
 * Composition root: creates all parts with their dependencies, starts them in order and stops them in reverse.
 * server/compose contains the details of each group of parts; nothing else calls `new` on a service.
 */
import { TUNNEL_PATH } from '../shared/chain/tunnel.ts';
import type { Endpoint } from '../shared/contract/endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { getHealth, getOpenApi, POSTGRES_FAILING } from '../shared/contract/server/health.ts';
import { createAccounts } from './compose/accounts.ts';
import { type AlertParts, createAlerts } from './compose/alerts.ts';
import { createChain, createIncidents, createSlots } from './compose/chain.ts';
import { createContent, createLibrary } from './compose/content.ts';
import { createDesigns } from './compose/designs.ts';
import { createExchange } from './compose/exchange.ts';
import type { CreateHeadquarters } from './compose/headquarters.ts';
import { openKernel } from './compose/kernel.ts';
import { createMessagePages, createPlanning } from './compose/planning.ts';
import { createPresence } from './compose/presence.ts';
import { createRealtime } from './compose/realtime.ts';
import { createReporting } from './compose/reporting.ts';
import { createSearch } from './compose/search.ts';
import { createTls, type TlsParts } from './compose/tls.ts';
import { createUpdates, type UpdatesParts } from './compose/updates.ts';
import { createUpkeep, type UpkeepParts } from './compose/upkeep.ts';
import { createWidgets } from './compose/widgets.ts';
import type { Config } from './config.ts';
import { Checkpoints } from './db/checkpoints.ts';
import type { Database } from './db/database.ts';
import { Discovery } from './discovery/discovery.ts';
import type { Mailer } from './features/accounts/mail/mailer.ts';
import { LimitsStore } from './features/accounts/sign-in/limits.store.ts';
import { Lockout } from './features/accounts/sign-in/lockout.ts';
import type { HashCost } from './features/accounts/sign-in/passwords.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { PlanFollower } from './features/plans/plan-follower.ts';
import { PlansStore } from './features/plans/plans.store.ts';
import type { ApprovalWatch } from './features/playlists/approval-watch.ts';
import { PlaylistsStore } from './features/playlists/playlists.store.ts';
import { rightsRoutes } from './features/rights/rights.routes.ts';
import { RightsService } from './features/rights/rights.service.ts';
import { RightsStore } from './features/rights/rights.store.ts';
import { SchedulesStore } from './features/schedules/schedules.store.ts';
import type { StoreEndpoints } from './headquarters/transport/store-endpoints.ts';
import { Api, type Bound, bind } from './http/api.ts';
import { ClientAddresses } from './http/hosts/client-address.ts';
import { KnownHosts } from './http/hosts/known-hosts.ts';
import { SameOrigin } from './http/hosts/same-origin.ts';
import { RateLimits } from './http/limits/rate-limits.ts';
import { openApi } from './http/openapi/openapi.ts';
import { createPages } from './http/pages.ts';
import { ResponseCache } from './http/response-cache.ts';
import { type Answering, HttpServer } from './http/server.ts';
import { Tickets } from './http/tickets.ts';
import type { Identity } from './identity.ts';
import { diskTrouble } from './kernel/disk/disk-trouble.ts';
import { newId } from './kernel/ids.ts';
import { type Lifecycle, together } from './kernel/lifecycle.ts';
import type { FileLog } from './kernel/log.ts';
import { type MachineClock, systemClock } from './kernel/time/clock.ts';
import type { MediaSweeper } from './media/media-sweeper.ts';
import { ProgramHistoryStore } from './programs/program-history.store.ts';
import { ProgramHistory } from './programs/program-history.ts';
import { ProgramsStore } from './programs/programs.store.ts';
import { Programs } from './programs/programs.ts';
import { liveAuthenticate } from './realtime/windows/live-auth.ts';
import { RELEASE_KEYS } from './release-keys.ts';
import type { ChainService } from './store-link/membership/chain.service.ts';
import { ownNames } from './tls/host-names.ts';
import type { DataFolder } from './upkeep/disk/data-folder.ts';
import type { TrustedClock } from './upkeep/trusted-clock.ts';
import { VERSION } from './version.ts';
import type { Installed } from './versions/way.ts';

/** Maximum time in milliseconds for each step of the shutdown. */
const STEP_LIMIT_MS = 1800;
/**
 * Time limit in milliseconds for all steps together: the process must end within 5 s, with its database closed
 * properly.
 */
const STOP_LIMIT_MS = 4000;

interface AppOptions {
  readonly config: Config;
  readonly clock?: MachineClock;
  readonly hashCost?: HashCost;
  /** Keys of the publisher; tests pass their own. @default keys of this package */
  readonly releaseKeys?: readonly string[];
  /**
   * Stops this app and starts a new one in the same process, as needed after a restore. @default restarting is not
   * possible
   */
  readonly restart?: () => void;
  /** Stops this app and starts another installed version of Vitrine. @default another version cannot be started */
  readonly relaunch?: (() => void) | undefined;
  /** Creates headquarters. Set only in the role `hq`, so that other servers do not load headquarters. */
  readonly headquarters?: CreateHeadquarters | undefined;
  /** Kind of installation; tests set it. @default the detected kind of installation */
  readonly installed?: Partial<Installed>;
}

export class App {
  readonly db: Database;
  readonly identity: Identity;
  readonly log: FileLog;
  readonly http: HttpServer;
  /** The mailer. Tests wait until it is idle, because it has sent all e-mails then. */
  readonly mailer: Mailer;
  /** The upkeep tasks. Tests run them directly instead of waiting for timers. */
  readonly upkeep: UpkeepParts;
  /** The history of programs. Tests run its tasks directly instead of waiting for timers. */
  readonly history: ProgramHistory;
  /** The alert tasks. Tests run them directly instead of waiting for timers. */
  readonly alerts: AlertParts;
  /** The check of approval requests. Tests run it directly instead of waiting for timers. */
  readonly approvalWatch: ApprovalWatch;
  /** The sweeper of unused media. Tests run it directly instead of waiting for timers. */
  readonly sweeper: MediaSweeper;
  readonly tls: TlsParts;
  /** The links to headquarters. Tests make them send at once instead of waiting for timers. */
  readonly chain: Pick<ChainService, 'hurry'>;
  /** The trusted clock. Tests check it directly instead of waiting for timers. */
  readonly clock: TrustedClock;
  /** Returns the code to type on the first-run page of another machine; undefined when no code is needed. */
  readonly setupNote: () => string | undefined;
  /** The tasks that update players and this server. Tests run them directly instead of waiting for timers. */
  readonly updates: UpdatesParts;
  /** All bound endpoints. The tests in test/api iterate over them. */
  readonly endpoints: readonly Endpoint[];
  readonly #folder: DataFolder;
  readonly #parts: Lifecycle[];
  #started: Lifecycle[] = [];
  #ready = false;
  #stopping: Promise<void> | undefined;

  constructor(options: AppOptions) {
    const { config, clock: machine = systemClock } = options;
    const kernel = openKernel(config, machine);
    const { folder, identity, log, db, room, bus, clock, mono } = kernel;
    const cache = new ResponseCache(bus, newId().slice(-8));
    const tickets = new Tickets(clock);
    const addresses = new ClientAddresses({
      trustedProxies: config.trusted_proxies,
      warn: (sentence) => log.warn(sentence),
    });
    const sameOrigin = new SameOrigin({ publicUrl: config.public_url, trustedProxies: config.trusted_proxies });

    // The parts are created in this order, because each part uses only parts that were created earlier.
    const presence = createPresence(kernel);
    const accounts = createAccounts(kernel, {
      device: (authorization, ip) => presence.auth.actor(authorization, ip),
      hashCost: options.hashCost,
    });
    const self = () => ({
      id: identity.id,
      name: accounts.settings.name,
      fingerprint: identity.fingerprint,
      version: VERSION,
    });
    const moreNames = () => [...config.names, ...accounts.settings.current().names];
    const http = new HttpServer({ host: config.host, port: config.port });
    const tls = createTls(kernel, moreNames);
    const incidents = createIncidents(kernel);
    const upkeep = createUpkeep(kernel, {
      accounts,
      server: self,
      http,
      tls,
      tickets,
      isOnline: presence.isOnline,
      restart: options.restart,
      services: () => headquarters?.services() ?? [],
      givenUp: (workspaceId, plays) => incidents.countExpired(workspaceId, plays),
    });
    const library = createLibrary(kernel, accounts.connections);
    library.media.onRemade(() => void upkeep.media.runDue({ now: true }));
    const playlists = new PlaylistsStore(db);
    const schedules = new SchedulesStore(db);
    const planned = new PlansStore(db);
    const plans = new PlanFollower({ ...kernel, store: planned });
    const widgets = createWidgets(kernel, { library, playlists });
    const designs = createDesigns(kernel, { library });
    const programs = new Programs({
      store: new ProgramsStore(db),
      widgets: widgets.pages,
      designs: designs.pages,
      players: presence.hub,
      bus,
      clock,
      onError: (error) => log.error('Telling players their programs failed', { error }),
    });
    const history = new ProgramHistory({ ...kernel, store: new ProgramHistoryStore(db), programs });
    const content = createContent(kernel, {
      library,
      cache,
      tickets,
      programs,
      playlists,
      members: accounts.members,
    });
    const messages = createMessagePages(kernel);
    const realtime = createRealtime(kernel, {
      presence,
      addresses,
      sameOrigin,
      server: self,
      isStoreWhole: () => upkeep.database.isWhole,
      tlsOffer: (nonce) => tls.offer(nonce),
      programs,
      plans,
      playlists,
      messages: messages.pages,
      pathOf: (sha256) => widgets.pages.path(sha256) ?? designs.pages.path(sha256) ?? library.media.pathOf(sha256),
      lock: new Lockout({
        db,
        store: new LimitsStore(db),
        clock,
        kind: 'pairing',
        max: 10,
        message: 'Too many wrong codes',
      }),
      authenticate: liveAuthenticate(accounts.actors),
    });
    const slots = createSlots(kernel, programs);
    const planning = createPlanning(kernel, {
      slots,
      cache,
      programs,
      playlists,
      plans,
      planned,
      schedules,
      content: content.content,
      members: accounts.members,
      notices: upkeep.notices,
      widgets: widgets.widgets,
      presence,
      realtime,
      messages,
      origin: () => upkeep.origins()[0]!,
    });
    const reporting = createReporting(kernel, {
      pathOf: (sha256) => library.media.pathOf(sha256),
      mails: accounts.mailer,
      languageOf: accounts.languageOf,
      server: () => accounts.settings.name,
      origin: () => upkeep.origins()[0]!,
    });
    const alerts = createAlerts(kernel, {
      presence,
      realtime,
      programs,
      upkeep,
      reporting,
      approvals: planning.approvals,
      campaigns: (actor) => headquarters?.needs(actor) ?? { approvals: 0, late: 0 },
      server: () => accounts.settings.name,
    });
    const updates = createUpdates(kernel, {
      presence,
      realtime,
      notices: upkeep.notices,
      releaseKeys: options.releaseKeys ?? RELEASE_KEYS,
      backups: upkeep.backups,
      proof: accounts.profile,
      relaunch: options.relaunch,
      installed: options.installed,
    });
    const chain = createChain(kernel, {
      slots,
      incidents,
      presence,
      reporting,
      server: self,
      people: accounts.people,
      media: library.media,
      tickets,
      programs,
      ownServer: updates.handed,
    });
    const exchange = createExchange(kernel, { library, content, planning, widgets });

    if (folder.reserveUsed > 0)
      log.warn('The disk is full: a part of the reserve was released so that the server could start');
    for (const note of folder.notes) log.warn(note);

    const health = bind(getHealth, () => {
      if (!this.#ready) throw new ApiError(503, 'The server is starting or stopping', { retryAfter: 1 });
      if (db.probe(performance.now()))
        throw new ApiError(503, 'The server’s disk fails: its database cannot be written or read', {
          code: 'database_failing',
          retryAfter: 60,
        });
      const services = headquarters?.services() ?? [];
      const postgres = services.find(({ name }) => name === 'postgres')?.failure;
      if (postgres !== undefined)
        throw new ApiError(503, postgres, {
          code: POSTGRES_FAILING,
          retryAfter: 5,
          // Programs that search for a running server, but not for its database, recognise the server by this version.
          params: { version: VERSION },
        });
      const isHubDown = services.some(({ name, failure }) => name === 'hub' && failure !== undefined);
      return {
        ...(isHubDown ? { status: 'degraded' as const, failing: ['hub' as const] } : { status: 'ok' as const }),
        version: VERSION,
        uptime_seconds: Math.floor(clock.uptime / 1000),
      };
    });
    const rights = new RightsService({ store: new RightsStore(db), programs, bin: planning.bin });
    const routes: Bound[] = [
      health,
      ...accounts.routes,
      ...content.routes,
      ...widgets.routes,
      ...realtime.routes,
      ...planning.routes,
      ...rightsRoutes(rights),
      ...reporting.routes,
      ...activityRoutes(kernel.activity),
      ...createSearch(kernel).routes,
      ...alerts.routes,
      ...upkeep.routes,
      ...tls.routes,
      ...updates.routes,
      ...exchange.routes,
      ...chain.routes,
    ];
    const headquarters = options.headquarters?.(kernel, {
      server: self,
      accounts,
      media: library.media,
      tickets,
      releases: updates.releases,
      reporting,
      endpoints: routes.map(({ endpoint }) => endpoint),
      addresses: () => tls.addresses(),
      addressOf: (req) => addresses.of(req),
      sameOrigin,
      shown: () => tls.shown,
    });
    if (headquarters) routes.push(...headquarters.routes);
    const endpoints = [...routes.map((r) => r.endpoint), getOpenApi];
    // The OpenAPI document is created when it is first requested, so that it does not slow the start.
    let made: Record<string, unknown> | undefined;
    const document = () => (made ??= openApi(endpoints, VERSION));
    routes.push(bind(getOpenApi, document));
    const api = new Api(routes, {
      db,
      room,
      authenticate: accounts.actors.authenticate,
      rights,
      rateLimits: new RateLimits(machine),
      tickets,
      newRequestId: () => newId().slice(-12),
      addresses,
      sameOrigin,
      checkAnswers: config.check_answers,
      log: {
        failed: ({ error, status, ...facts }) => {
          // Disk errors are logged once (server/upkeep/disk/disk-watch.ts), not with every request.
          if (status >= 500 && status !== 503 && status !== 507 && diskTrouble(error) === undefined)
            log.error(`${facts.method} ${facts.path} failed`, { ...facts, status, error });
          else log.debug('request refused', { ...facts, status, reason: (error as Error).message });
        },
      },
    });
    const pages = createPages({ endpoints, openApi: document }, VERSION);
    const hosts = new KnownHosts({
      names: () => [...ownNames(config, identity.id), ...moreNames()],
      trustedProxies: config.trusted_proxies,
      clock: { now: mono },
    });
    bus.on('changed', ({ topic }) => {
      if (topic === 'settings') hosts.forget();
    });
    db.onLost(() => {
      cache.clear();
      programs.reset();
      hosts.forget();
    });
    const answering: Answering = {
      hosts,
      api,
      pages: (req, res) => void (headquarters?.window(req, res) || upkeep.page(req, res) || pages(req, res)),
      upgrades: new Map([...realtime.upgrades, ...(headquarters?.upgrades ?? [])]),
    };
    http.answer(answering);
    tls.https.answer(headquarters ? withStoreEndpoints(answering, headquarters.endpoints) : answering);
    chain.answer(answering);
    const discovery = new Discovery({
      identity,
      version: VERSION,
      host: config.host,
      port: () => http.port,
      tlsPort: () => tls.port,
      facts: () => ({ name: accounts.settings.name, isSetUp: !accounts.accounts.needsSetup }),
      bus,
      log,
    });
    tls.https.onChange(() => discovery.refresh());

    this.db = db;
    this.identity = identity;
    this.log = log;
    this.http = http;
    this.mailer = accounts.mailer;
    this.upkeep = upkeep;
    this.history = history;
    this.alerts = alerts;
    this.approvalWatch = planning.approvalWatch;
    this.sweeper = content.sweeper;
    this.tls = tls;
    this.chain = chain.service;
    this.clock = clock;
    this.setupNote = () => accounts.setupCode.note;
    this.updates = updates;
    this.endpoints = endpoints;
    this.#folder = folder;
    this.#parts = [
      clock,
      new Checkpoints({ db, onError: (error) => log.error('Taking over what was written failed', { error }) }),
      ...accounts.parts,
      ...content.parts,
      ...widgets.parts,
      ...designs.parts,
      programs,
      history,
      ...realtime.before,
      ...planning.parts,
      ...reporting.parts,
      ...upkeep.parts,
      ...alerts.parts,
      ...updates.parts,
      ...chain.parts,
      ...(headquarters?.parts ?? []),
      together('doors', [
        http,
        tls.https,
        ...upkeep.after,
        ...realtime.after,
        ...exchange.parts,
        ...(headquarters?.after ?? []),
        ...(config.discovery ? [discovery] : []),
      ]),
    ];
  }

  get port(): number {
    return this.http.port;
  }

  /** Starts all parts in order. If a part fails, the earlier parts are stopped and the error is rethrown. */
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

  /** Stops the app once, in reverse order, with a time limit per step and in total. Safe to call at any time. */
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
    if (left)
      this.log.warn(
        'What was saved last could not be taken over into the database file. It is safe in its log, and taken over at the next start.',
        { error: left },
      );
    this.log.info('stopped');
    await this.log.close();
  }
}

/** Adds the endpoints for stores, which connect over HTTPS. */
const withStoreEndpoints = (answering: Answering, endpoints: StoreEndpoints): Answering => ({
  ...answering,
  idleMs: endpoints.idleMs,
  pages: (req, res) => void (endpoints.request(req, res) || answering.pages(req, res)),
  upgrades: new Map([...answering.upgrades, [TUNNEL_PATH, endpoints.tunnel]]),
});
