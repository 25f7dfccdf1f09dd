/** The player without a host: creates the parts, connects them, starts them in order and stops them in reverse. */

import type { Asset } from '../../shared/program/program.ts';
import type { PlayerMessage, Refresh, ServerMessage } from '../../shared/protocol/messages.ts';
import type { ScreenReport, ScreenState } from '../screen/host/host.ts';
import { Commands, takeScreenshot } from './commands.ts';
import { ClockSync } from './connection/clock-sync.ts';
import { Heartbeat } from './connection/heartbeat.ts';
import { IdentityKeeper } from './connection/identity.ts';
import { Inbox, type MessageHandlers } from './connection/inbox.ts';
import { Link, type NewerMessage } from './connection/link.ts';
import type { OwnCode } from './connection/own-code.ts';
import { ServerCheck } from './connection/server-check.ts';
import { ServerChoice } from './connection/server-choice.ts';
import { createServerGet } from './connection/server-get.ts';
import { Session } from './connection/session.ts';
import { deviceInfo } from './device-info.ts';
import { AssetCache, type Needed } from './files/asset-cache.ts';
import { DiskRoom } from './files/disk-room.ts';
import { Journal } from './journal/journal.ts';
import { Outbox } from './journal/outbox.ts';
import { PlayDelivery } from './journal/play-delivery.ts';
import { RemoteLog } from './journal/remote-log.ts';
import { Panel } from './panel.ts';
import type { PlayerDeps } from './player-deps.ts';
import { playingState, screenState } from './player-state.ts';
import type { Undo } from './ports.ts';
import { Identify } from './program/identify.ts';
import { Overlay } from './program/overlay.ts';
import { ProgramReports } from './program/program-reports.ts';
import { ProgramStore } from './program/program-store.ts';
import { ProgramFiles } from './program/stored-program.ts';
import { WallAim } from './program/wall-aim.ts';
import { ScreenSide } from './screen-side.ts';
import { ScreenSize } from './screen-size.ts';

export class Player {
  readonly #deps: PlayerDeps;
  readonly #listeners = new Set<(state: ScreenState) => void>();
  readonly #inbox = new Inbox(() => this.#link.drop('too much at once'));
  #clockFresh = false;
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
  readonly #reports: ProgramReports;
  readonly #commands: Commands;
  readonly #size: ScreenSize;
  readonly #screen: ScreenSide;
  readonly #session: Session;
  readonly #choice: ServerChoice;
  readonly #ownCode: OwnCode | undefined;
  readonly #link: Link;
  readonly #get: ReturnType<typeof createServerGet>;
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
    this.#get = createServerGet({
      get: (...request) => deps.get(...request),
      address: () => (this.#session.welcomed ? this.#link.address : null),
      drop: (reason) => this.#link.drop(reason),
    });
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
        this.#reports.reportReady();
      },
      failed: (failure) => this.#reports.reportFailed(failure),
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
        this.#reports.reportReady();
        if (this.#panel.on) return;
        this.#run('panel', this.#screen.darkened());
        this.#heartbeat.hurry();
      },
    });
    this.#reports = new ProgramReports({
      programs: this.#programs,
      panel: this.#panel,
      welcomed: () => this.#session.welcomed,
      screenDue: () => deps.screenDue?.() ?? false,
      answer: (key, message) => this.#answer(key, message),
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
      switched: (seen) => this.#reports.setSeen(seen),
      shown: () => this.#heartbeat.shown(),
      formats: (formats) => this.#heartbeat.setFormats(formats),
      sized: (size) => this.#size.set(size),
    });
    this.#aim = new WallAim(time);
    this.#heartbeat = new Heartbeat({
      ...deps,
      showing: () => this.#screen.showing,
      screenOn: () => this.#panel.on,
      sync: () => {
        const report = this.#clock.syncReport();
        return report && { ...report, ...(this.#panel.on && this.#screen.sync) };
      },
      glimpses: () => this.#screen.collectGlimpses(),
      send: (message) => this.#link.send(message),
    });
    this.#choice = new ServerChoice({ ...deps, changed: () => this.#seek() });
    this.#ownCode = deps.ownCode?.({
      ...deps,
      identity: this.#identity,
      device: () => deviceInfo(deps, this.#size),
      changed,
      claimed: () => this.#seek(),
    });
    this.#session = new Session({
      ...deps,
      identity: this.#identity,
      choice: this.#choice,
      device: () => deviceInfo(deps, this.#size),
      programId: () => (this.#reports.isSeen ? this.#programs.id : null),
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
      playing: playingState({
        programs: this.#programs,
        overlay: this.#overlay,
        panel: this.#panel,
        commands: this.#commands,
        identify: this.#identify,
      }),
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
    this.#reports.setSeen(null);
    await this.#screen.reset();
  }

  /**
   * Sets whether a page follows the state. If there is no page and none is expected, a program counts as ready once it
   * is on disk.
   */
  attached(attached: boolean): void {
    if (!attached) this.#journal.unseen();
    this.#reports.attached(attached);
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

  readonly #handlers: MessageHandlers = {
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
      this.#reports.forgetReady();
      this.#programs.push(message);
      this.#reports.reportReady();
    },
    'program.body': (message) => this.#programs.offer(message),
    'plays.ack': ({ through }) => this.#delivery.acknowledged(through),
    command: (message) => void this.#run('command', this.#commands.receive(message)),
    'device:pip-show': (message) => this.#overlay.show(message),
    'device:pip-clear': ({ pip_id }) => this.#overlay.clear(pip_id),
    'device:mute-changed': (message) => this.#programs.mute(message),
    identify: (message) => this.#identify.show(message),
    screenshot: ({ id }) =>
      void this.#run(
        'screenshot',
        takeScreenshot(this.#deps.machine, id).then((result) => this.#link.send(result)),
      ),
  };

  #receive(message: ServerMessage, at: number): void {
    // A server that doubts its own clock sets no clock of a player.
    if (message.type === 'clock') return message.doubtful ? undefined : this.#clockReply(message, at);
    const handler = this.#handlers[message.type] as (message: ServerMessage, at: number) => Promise<void> | void;
    const early = new Set<ServerMessage['type']>(['pairing', 'paired', 'welcome', 'unpaired']);
    const work = this.#inbox.run(async () => {
      if (this.#link.address && (early.has(message.type) || this.#session.welcomed)) await handler(message, at);
    });
    this.#run(message.type, work);
  }

  /** Refuses a message that this player cannot handle as a newer server intends. */
  #refuse({ message, what }: NewerMessage): void {
    const reason = `the player is too old for this: ${what}`;
    if (!this.#session.welcomed) return;
    if (message.type === 'program') this.#reports.reportFailed({ id: String(message['id']), reason });
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
    this.#reports.forgetReady();
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

  #answer(key: string, message: PlayerMessage): void {
    this.#outbox.put(key, message);
    if (this.#session.welcomed) this.#outbox.flush((waiting) => this.#link.send(waiting));
  }

  get #wallId(): string | null {
    return this.#programs.placement?.wall?.wall_id ?? null;
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
