/** The player without a host: creates the parts, connects them, starts them in order and stops them in reverse. */

import type { Asset } from '../../shared/program/program.ts';
import type { Capability } from '../../shared/protocol/commands.ts';
import type { DeviceInfo, PlayerMessage, Refresh, ServerMessage, SyncReport } from '../../shared/protocol/messages.ts';
import type { ScreenReport, ScreenState } from '../screen/host/host.ts';
import { Commands } from './commands.ts';
import { ClockSync } from './connection/clock-sync.ts';
import { Heartbeat } from './connection/heartbeat.ts';
import { IdentityKeeper } from './connection/identity.ts';
import { Link, type NewerMessage } from './connection/link.ts';
import type { OwnCode, OwnCodeDeps } from './connection/own-code.ts';
import { ServerCheck } from './connection/server-check.ts';
import { ServerChoice } from './connection/server-choice.ts';
import { Session } from './connection/session.ts';
import { DownloadFailed, Untrusted } from './errors.ts';
import { AssetCache, type Needed } from './files/asset-cache.ts';
import type { AssetStore } from './files/asset-store.ts';
import { DiskRoom } from './files/disk-room.ts';
import { Journal, type JournalStore } from './journal/journal.ts';
import { Outbox } from './journal/outbox.ts';
import { PlayDelivery } from './journal/play-delivery.ts';
import { RemoteLog } from './journal/remote-log.ts';
import { Panel } from './panel.ts';
import { screenState } from './player-state.ts';
import type { AddressBook, ConnectSocket, Get, Host, Undo } from './ports.ts';
import { Identify } from './program/identify.ts';
import { Overlay } from './program/overlay.ts';
import { ProgramStore } from './program/program-store.ts';
import { ProgramFiles } from './program/stored-program.ts';
import { WallAim } from './program/wall-aim.ts';
import { ScreenSide, type Seen } from './screen-side.ts';
import { ScreenSize } from './screen-size.ts';
import { Serial } from './serial.ts';

/**
 * Limit of unhandled messages. Beyond it the connection is dropped, and the server sends its state again after the
 * reconnect.
 */
const MOST_UNHANDLED = 1_000;

export interface PlayerDeps extends Host {
  readonly assetStore: AssetStore;
  readonly journalStore: JournalStore;
  readonly connect: ConnectSocket;
  readonly get: Get;
  /** `connect` and `get` can pin an https or wss connection to a certificate. @default false, as in a browser */
  readonly pins?: boolean;
  /**
   * Creates the own code for networks with more than one server. Absent if only one server is possible, as in a
   * browser.
   */
  readonly ownCode?: (deps: OwnCodeDeps) => OwnCode;
  readonly addresses: AddressBook;
  /** The player must be claimed with a code that was set beforehand; needs `ownCode`. */
  readonly hasCode?: boolean;
  readonly device: { readonly name: string; readonly platform: string; readonly version: string };
  readonly quotaBytes: number;
  /** Time in ms that the first hello waits for the size of the screen; 0 if no screen will come. */
  readonly awaitScreenMs: number;
  /** True if a page is expected to connect although no page is connected now. @default never */
  readonly screenDue?: () => boolean;
  /**
   * Called when this player's estimate of the server's clock has jumped. Parts that depend on the clock should check it
   * again.
   */
  readonly clockStepped: () => void;
}

type Handlers = {
  [K in ServerMessage['type']]: (message: Extract<ServerMessage, { type: K }>, at: number) => Promise<void> | void;
};

export class Player {
  readonly #deps: PlayerDeps;
  readonly #listeners = new Set<(state: ScreenState) => void>();
  readonly #inbox = new Serial();
  #unhandled = 0;
  #clockFresh = false;
  #attached = false;
  /** The program that the page reported as visible, in this run. */
  #onScreen: Seen | null = null;
  #readySaid: string | null = null;
  #stopped = false;
  /** The player was removed from the server: nothing is shown any more, and its data is being removed. */
  #leaving = false;
  #undo: Undo[] = [];

  readonly #identity: IdentityKeeper;
  readonly #clock: ClockSync;
  readonly #assets: AssetCache;
  readonly #programs: ProgramStore;
  readonly #journal: Journal;
  readonly #delivery: PlayDelivery;
  readonly #overlay: Overlay;
  readonly #identify: Identify;
  readonly #panel: Panel;
  readonly #commands: Commands;
  readonly #size: ScreenSize;
  readonly #screen: ScreenSide;
  readonly #session: Session;
  readonly #choice: ServerChoice;
  readonly #ownCode: OwnCode | undefined;
  readonly #link: Link;
  readonly #heartbeat: Heartbeat;
  readonly #aim: WallAim;
  readonly #remoteLog: RemoteLog;
  readonly #outbox = new Outbox();
  /** True once the first hello may be sent. */
  #seeking = false;

  constructor(given: PlayerDeps) {
    const room = new DiskRoom({
      space: () => given.assetStore.space(),
      say: (level, message) => {
        given.log[level](message);
        this.#remoteLog.send(level, message);
      },
    });
    const deps = { ...given, ...room.watch(given) };
    this.#deps = deps;
    const { time, log } = deps;
    const changed = () => this.#publish();
    const send = (message: PlayerMessage) => this.#session.welcomed && this.#link.send(message);
    const now = () => this.#clock.now();
    this.#identity = new IdentityKeeper(deps);
    this.#clock = new ClockSync({ ...deps, stepped: (delta, first) => this.#stepped(delta, first) });
    this.#assets = new AssetCache({
      ...deps,
      store: deps.assetStore,
      needed: () => this.#needed(),
      lost: () => this.#programs.repair(),
    });
    this.#programs = new ProgramStore({
      ...deps,
      files: new ProgramFiles(deps),
      assets: this.#assets,
      get: (path, headers, signal) => this.#get(path, headers, signal),
      authorization: () => this.#identity.authorization,
      changed: () => {
        void this.#panel.update();
        this.#publish();
        this.#sayReady();
      },
      failed: (failure) => this.#sayFailed(failure),
      damaged: ({ id, reason }) => this.#answer(`failed:${id}`, { type: 'program.failed', id, reason }),
    });
    this.#journal = new Journal({
      ...deps,
      store: deps.journalStore,
      bootId: deps.crypto.uuid(),
      signingKey: () => this.#identity.signingKey,
      clock: () => this.#clock.read(),
      appended: () => this.#delivery.schedule(),
    });
    this.#delivery = new PlayDelivery({ ...deps, journal: this.#journal, send });
    this.#overlay = new Overlay({
      ...deps,
      now,
      changed,
      result: (result) => this.#answer(`overlay:${result.pip_id}`, { type: 'overlay.result', ...result }),
      fetch: (asset, signal) =>
        this.#assets.ensure([asset], {
          time,
          signal,
          get: (path, headers, cut) => this.#get(path, headers, cut),
          authorization: () => this.#identity.authorization,
        }),
    });
    this.#identify = new Identify({ time, now, changed });
    this.#panel = new Panel({
      ...deps,
      now,
      sure: () => this.#clock.estimate !== undefined,
      hours: () => this.#programs.placement ?? undefined,
      changed: () => {
        this.#publish();
        this.#sayReady();
        if (this.#panel.on) return;
        this.#run('panel', this.#screen.darkened());
        this.#heartbeat.hurry();
      },
    });
    this.#commands = new Commands({
      ...deps,
      panel: this.#panel,
      now,
      changed,
      result: (id, outcome) => this.#answer(`command:${id}`, { type: 'command.result', id, ...outcome }),
    });
    this.#remoteLog = new RemoteLog({ time, send });
    this.#size = new ScreenSize(deps);
    this.#screen = new ScreenSide({
      journal: this.#journal,
      overlay: this.#overlay,
      assets: this.#assets,
      remoteLog: this.#remoteLog,
      log,
      now,
      switched: (seen) => {
        this.#onScreen = seen;
        this.#sayReady();
      },
      shown: () => this.#heartbeat.shown(),
      formats: (formats) => this.#heartbeat.setFormats(formats),
      sized: (size) => this.#size.set(size),
    });
    this.#aim = new WallAim(time);
    this.#heartbeat = new Heartbeat({
      ...deps,
      showing: () => this.#screen.showing,
      screenOn: () => this.#panel.on,
      sync: () => this.#sync(),
      glimpses: () => this.#screen.collectGlimpses(),
      send: (message) => this.#link.send(message),
    });
    this.#choice = new ServerChoice({ ...deps, changed: () => this.#seek() });
    this.#ownCode = deps.ownCode?.({
      ...deps,
      identity: this.#identity,
      device: () => this.#device(),
      changed,
      claimed: () => this.#seek(),
    });
    this.#session = new Session({
      ...deps,
      identity: this.#identity,
      choice: this.#choice,
      device: () => this.#device(),
      programId: () => (this.#isSeen() ? this.#programs.id : null),
      peer: () => this.#link.address,
      drop: (reason, options) => this.#link.drop(reason, options),
      changed,
      welcomed: () => this.#welcomed(),
      unpaired: () => this.#forget(),
    });
    const server = new ServerCheck({ ...deps, identity: this.#identity, pins: deps.pins ?? false });
    this.#link = new Link({
      ...deps,
      check: (address) => server.check(address),
      unreached: (address) => server.unreached(address),
      address: (attempt) => this.#session.address(attempt),
      hello: () => this.#session.hello(),
      opened: () => this.#opened(),
      message: (message, at) => this.#receive(message, at),
      newer: (message) => this.#refuse(message),
      closed: () => this.#closed(),
    });
  }

  /** Shows the content on disk first, and then looks for the server. */
  async start(): Promise<void> {
    await this.#identity.start();
    await this.#clock.start();
    await this.#assets.start();
    await this.#programs.start();
    await this.#journal.start();
    await this.#overlay.start();
    await this.#panel.start();
    await this.#commands.start();
    await this.#size.start();
    this.#undo.push(
      this.#deps.addresses.onChange(() => {
        this.#choice.update();
        this.#seek();
      }),
    );
    this.#choice.update();
    this.#undo.push(
      this.#size.whenKnown(this.#deps.awaitScreenMs, () => {
        this.#link.start();
        this.#seeking = true;
        this.#seek();
      }),
    );
  }

  /** Connects to the paired server or to the only server found. If a person has to choose, connects to all servers. */
  #seek(): void {
    if (this.#stopped || !this.#seeking) return;
    if (this.#identity.paired || !this.#choice.isOpen) this.#ownCode?.stop();
    else {
      this.#session.unclear();
      this.#ownCode?.start();
    }
    this.#publish();
    this.#link.addressChanged();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    this.#choice.stop();
    this.#ownCode?.stop();
    // Stopping the link also ends everything that runs on a connection.
    this.#link.stop();
    this.#remoteLog.stop();
    this.#session.stop();
    this.#overlay.stop();
    this.#identify.stop();
    this.#panel.stop();
    await this.#programs.stop();
    this.#assets.stop();
    await this.#screen.reset();
    await this.#journal.stop();
    await this.#clock.stop();
  }

  /** Calls the listener at once and on every change. */
  subscribe(listener: (state: ScreenState) => void): Undo {
    this.#listeners.add(listener);
    listener(this.state);
    return () => this.#listeners.delete(listener);
  }

  get state(): ScreenState {
    return screenState({
      paired: this.#leaving ? null : this.#identity.paired,
      waiting: this.#session.waiting,
      choosing: this.#ownCode?.shown ?? null,
      servers: this.#deps.addresses.seen(),
      deviceName: this.#deps.device.name,
      playing: {
        program_id: this.#programs.id,
        program: this.#programs.program,
        placement: this.#programs.placement,
        placement_id: this.#programs.placementId,
        overlay: this.#overlay.current,
        screen_on: this.#panel.on,
        launch_url: this.#commands.launchUrl,
        identify_until: this.#identify.current?.until ?? null,
        identify_groups: [...(this.#identify.current?.groups ?? [])],
        repairs: this.#programs.repairs,
      },
    });
  }

  /** Returns the server clock, epoch milliseconds. */
  now(): number {
    return this.#clock.now();
  }

  /** The refresh that all panels of this screen's wall aim at; null: each panel follows its own refreshes. */
  wallRefresh(): Refresh | null {
    return this.#aim.get(this.#wallId);
  }

  async report(report: ScreenReport): Promise<void> {
    // Drops a report that the screen made before it received the removal. It does not belong to the next owner.
    if (report.type === 'shown' && (this.#leaving || !this.#identity.paired)) return;
    await this.#screen.receive(report);
  }

  /**
   * Sends a message for the operator to the server. The message waits for a connection.
   * @param sent called once the message was sent
   */
  sendToOperator(message: string, sent?: () => void): void {
    this.#remoteLog.send('error', message, undefined, sent);
  }

  /** A page was loaded: the content of the previous page is over. */
  async pageLoaded(): Promise<void> {
    this.#onScreen = null;
    await this.#screen.reset();
  }

  /**
   * Sets whether a page follows the state. If there is no page and none is expected, a program counts as ready once it
   * is on disk.
   */
  attached(attached: boolean): void {
    this.#attached = attached;
    if (!attached) this.#journal.unseen();
    this.#sayReady();
  }

  /** Returns the asset with this hash in the stored programs or the overlay; otherwise undefined. */
  asset(sha256: string): Asset | undefined {
    const { playing, kept } = this.#needed();
    return [...playing, ...kept].find((asset) => asset.sha256 === sha256);
  }

  #needed(): Needed {
    const { playing, kept } = this.#programs.needed();
    return { playing: [...playing, ...this.#overlay.assets], kept };
  }

  /** GET with the credential of this device at its server, for data that the host stores itself (widget data). */
  get(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    const credential = this.#identity.authorization;
    return this.#get(path, { ...headers, ...(credential && { Authorization: credential }) }, signal);
  }

  readonly #handlers: Handlers = {
    clock: () => {},
    'heartbeat.ack': ({ wall_refresh }) => this.#aim.set(wall_refresh, this.#wallId),
    pairing: (message) => {
      this.#link.settled();
      this.#session.pairing(message);
    },
    paired: (message) => this.#session.paired(message),
    welcome: (message) => this.#session.welcome(message),
    unpaired: (message) => this.#session.unpaired(message),
    // Messages for a player that waits with its own code. They arrive on separate connections (own-code.ts).
    waiting: () => {},
    claim: () => {},
    'claim.proof': () => {},
    program: (message) => {
      // A repeated message is answered again, because the server may have missed the answer.
      this.#readySaid = null;
      this.#programs.push(message);
      this.#sayReady();
    },
    'program.body': (message) => this.#programs.offer(message),
    'plays.ack': ({ through }) => this.#delivery.acknowledged(through),
    command: (message) => void this.#run('command', this.#commands.receive(message)),
    'device:pip-show': (message) => this.#overlay.show(message),
    'device:pip-clear': ({ pip_id }) => this.#overlay.clear(pip_id),
    'device:mute-changed': (message) => this.#programs.mute(message),
    identify: (message) => this.#identify.show(message),
    screenshot: ({ id }) => void this.#run('screenshot', this.#screenshot(id)),
  };

  #receive(message: ServerMessage, at: number): void {
    // A server that doubts its own clock sets no clock of a player.
    if (message.type === 'clock') return message.doubtful ? undefined : this.#clockReply(message, at);
    if (++this.#unhandled > MOST_UNHANDLED) this.#link.drop('too much at once');
    const handler = this.#handlers[message.type] as (message: ServerMessage, at: number) => Promise<void> | void;
    const early = new Set<ServerMessage['type']>(['pairing', 'paired', 'welcome', 'unpaired']);
    const work = this.#inbox.run(async () => {
      this.#unhandled--;
      if (this.#link.address && (early.has(message.type) || this.#session.welcomed)) await handler(message, at);
    });
    this.#run(message.type, work);
  }

  /** Refuses a message that this player cannot handle as a newer server intends. */
  #refuse({ message, what }: NewerMessage): void {
    const reason = `the player is too old for this: ${what}`;
    if (!this.#session.welcomed) return;
    if (message.type === 'program') this.#sayFailed({ id: String(message['id']), reason });
    if (message.type !== 'device:pip-show') return;
    const pip_id = String(message['pip_id']);
    this.#answer(`overlay:${pip_id}`, { type: 'overlay.result', pip_id, status: 'failed', error: reason });
  }

  #opened(): void {
    this.#clockFresh = false;
    this.#clock.connected((t0) => this.#link.send({ type: 'clock', t0 }));
  }

  #clockReply(message: Extract<ServerMessage, { type: 'clock' }>, at: number): void {
    this.#clock.reply(message, at);
    if (this.#clockFresh) return;
    this.#clockFresh = true;
    void this.#panel.update();
    this.#deliver();
  }

  #stepped(delta: number, first: boolean): void {
    // The journal moves its plays first. The other parts may end plays, whose ends are times of the new clock.
    this.#run('journal', this.#journal.clockStepped(delta, { first }));
    this.#deps.clockStepped();
    this.#overlay.clockStepped();
    void this.#panel.update();
  }

  #welcomed(): void {
    this.#link.settled();
    const { origin, secure } = this.#link.address!;
    this.#deps.log.info(`connected to ${secure?.origin ?? origin}`);
    // Heartbeats start only now: the server stores nothing for a player that is unclaimed or still being looked up.
    this.#heartbeat.start();
    this.#outbox.flush((message) => this.#link.send(message));
    this.#remoteLog.flush();
    this.#programs.retryNow();
    this.#deliver();
  }

  /** Starts delivery only after the clock comparison: the times of earlier rows may still have to be corrected. */
  #deliver(): void {
    if (this.#clockFresh) this.#delivery.connected();
  }

  #closed(): void {
    this.#clock.disconnected();
    this.#heartbeat.stop();
    this.#delivery.disconnected();
    this.#session.closed();
    this.#readySaid = null;
  }

  /** Removes the identity last: after an interruption the server sends the removal again. */
  async #forget(): Promise<void> {
    this.#leaving = true;
    this.#publish();
    try {
      await this.#programs.forget();
      await this.#assets.clear();
      await this.#journal.clear();
      await this.#overlay.forget();
      this.#identify.forget();
      await this.#commands.forget();
      await this.#panel.forget();
      this.#outbox.clear();
      await this.#identity.forget();
    } finally {
      this.#leaving = false;
      this.#seek();
    }
  }

  async #screenshot(id: string): Promise<void> {
    const shot = await this.#deps.machine.screenshot();
    this.#link.send({
      type: 'screenshot.result',
      id,
      ...('error' in shot ? { error: shot.error.slice(0, 2_000) } : shot),
    });
  }

  #sayReady(): void {
    const { id, placementId } = this.#programs;
    const name = `${id} ${placementId}`;
    if (!id || name === this.#readySaid || !this.#session.welcomed || !this.#programs.settled || !this.#isSeen())
      return;
    this.#readySaid = name;
    this.#answer('ready', { type: 'program.ready', id, ...(placementId !== null && { placement_id: placementId }) });
  }

  /**
   * Whether the current program is visible. Also true if the panel is off, or if no page is or will be connected,
   * because then no page can report it.
   */
  #isSeen(): boolean {
    const { id, placementId } = this.#programs;
    if (!this.#panel.on || !(this.#attached || this.#deps.screenDue?.())) return true;
    const { program_id, placement_id = placementId } = this.#onScreen ?? {};
    return program_id === id && placement_id === placementId;
  }

  /** Sends the failure only while connected. A failure because of a lost connection is no news for the server. */
  #sayFailed({ reason, ...failure }: { id: string; reason: string; asset?: string }): void {
    if (this.#session.welcomed)
      this.#answer(`failed:${failure.id}`, { type: 'program.failed', ...failure, reason: reason.slice(0, 2_000) });
  }

  #answer(key: string, message: PlayerMessage): void {
    this.#outbox.put(key, message);
    if (this.#session.welcomed) this.#outbox.flush((waiting) => this.#link.send(waiting));
  }

  #device(): DeviceInfo {
    const { device, machine } = this.#deps;
    const { touch, ...screen } = this.#size.get();
    const capabilities = new Set<Capability>([
      ...machine.capabilities(),
      ...(touch ? (['touch'] as const) : []),
      'identify',
    ]);
    return { ...device, name: device.name.slice(0, 200), capabilities: [...capabilities], screen };
  }

  get #wallId(): string | null {
    return this.#programs.placement?.wall?.wall_id ?? null;
  }

  #sync(): SyncReport | undefined {
    const estimate = this.#clock.estimate;
    // Offset of this machine's wall clock, which an operator can understand, instead of the offset from the time since
    // boot.
    return (
      estimate && {
        offset_ms: this.#clock.now() - this.#deps.time.wall(),
        uncertainty_ms: estimate.uncertainty,
        ...(this.#panel.on && this.#screen.sync),
      }
    );
  }

  #get(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    const address = this.#session.welcomed ? this.#link.address : null;
    if (!address) return Promise.reject(new DownloadFailed('not connected to the server'));
    const { secure } = address;
    if (!secure) return this.#deps.get(`${address.origin}${path}`, headers, signal);
    return this.#deps
      .get(`${secure.origin}${path}`, headers, signal, { certificate: secure.certificate })
      .catch((error: unknown) => {
        // An intermediary, or a new certificate of the server. The check before the next connection decides.
        if (error instanceof Untrusted) this.#link.drop('who answers has another certificate');
        throw error;
      });
  }

  #publish(): void {
    if (this.#stopped) return;
    const state = this.state;
    for (const listener of this.#listeners) listener(state);
  }

  #run(what: string, work: Promise<unknown>): void {
    void work.catch((error) => this.#deps.log.error(`${what} failed`, error));
  }
}
