/**
 * The player on a machine with Node: creates core, disk, network and browser, starts them in order and stops them in
 * reverse.
 */
import { arch, release, type } from 'node:os';
import { join } from 'node:path';
import { CodeProof } from '../../shared/protocol/code-proof.ts';
import { OwnCode } from '../core/connection/own-code.ts';
import { TwoCopies } from '../core/connection/two-copies.ts';
import { Player } from '../core/player.ts';
import type { Log, Shot } from '../core/ports.ts';
import { WidgetData } from '../core/program/widget-data.ts';
import type { ScreenState } from '../screen/host/host.ts';
import { reportIncidents } from '../updates/mishaps.ts';
import { Updater } from '../updates/updater.ts';
import { LanAddressBook } from './address-book.ts';
import { Browser } from './browser/browser.ts';
import { findBrowser, thisMachine } from './browser/browser-find.ts';
import { PagePresence } from './browser/page-presence.ts';
import type { PlayerConfig } from './config.ts';
import { Discovery } from './discovery.ts';
import { AssetFiles } from './files/asset-files.ts';
import { FileDocuments, makeFolder } from './files/files.ts';
import { FolderLock } from './files/lock.store.ts';
import { SteadyJournal } from './files/steady-journal.ts';
import { abilitiesOf } from './machine/abilities.ts';
import { HardwareQuestion } from './machine/hardware.ts';
import { LocalMachine } from './machine/machine.ts';
import { machineInfo } from './machine/machine-info.ts';
import { run } from './machine/run.ts';
import { MachineTelemetry } from './machine/telemetry.ts';
import { connectSocket, httpGet, nodeCrypto, nodeTime } from './node-ports.ts';
import { EventStream } from './screen-server/event-stream.ts';
import { ScreenAddress } from './screen-server/screen-address.ts';
import { ScreenServer } from './screen-server/screen-server.ts';

/** Time that the first hello waits for the size of the window. */
const AWAIT_SCREEN_MS = 5_000;

interface Deps {
  readonly config: PlayerConfig;
  readonly version: string;
  /** Folder of the built screen page. */
  readonly pages: string;
  readonly log: Log;
  /**
   * Folder for prepared versions, accepted publisher keys, and a function that restarts the program. Absent when the
   * program runs from its sources.
   */
  readonly updates?:
    | { readonly folder: string; readonly keys: readonly string[]; readonly restart: () => void }
    | undefined;
  /** File in which a launcher records incidents of the program. Absent without a launcher. */
  readonly mishaps?: string | undefined;
  /** Takes a picture of the desktop shell's window; absent without a shell. */
  readonly picture?: (() => Promise<Shot>) | undefined;
  /** Switches the panels. Returns false if other screens of this computer need them; absent without a desktop shell. */
  readonly panels?: ((on: boolean) => Promise<boolean>) | undefined;
}

/** Stored state of the player. */
interface Disk {
  readonly documents: TwoCopies;
  /** Data of widgets. */
  readonly widgets: TwoCopies;
  readonly assets: AssetFiles;
  readonly journal: SteadyJournal;
}

export class Agent {
  readonly #deps: Deps;
  /**
   * Functions that stop the started parts. They are called in reverse order, also after a start that failed half-way.
   */
  readonly #undo: (() => unknown)[] = [];
  #serverHost: string | null = null;
  #player: Player | undefined;
  #browser: Browser | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves with the address of the screen page once the player runs. */
  async start(): Promise<string> {
    try {
      return await this.#start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Reports a fault of this computer to the server, now or after the next connection. Ignored before the player runs.
   */
  reportFault(fault: string): void {
    this.#player?.sendToOperator(fault);
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) {
      // If one part fails to stop, the other parts must still be stopped: the journal comes last.
      try {
        await undo();
      } catch (error) {
        this.#deps.log.error('stopping failed', error);
      }
    }
  }

  async #start(): Promise<string> {
    const { config, log } = this.#deps;
    const disk = await this.#openDisk();
    const discovery = new Discovery({ time: nodeTime, log });
    const updater = this.#updater((path, headers, signal) => player.get(path, headers, signal));
    const machine = await this.#createMachine(disk.assets, updater, () => events.attached);
    // A browser that a person opened stays open after the player ends. The player's own window closes with the player.
    const own = config.window || this.#deps.picture !== undefined;
    const address = new ScreenAddress({ documents: disk.documents, crypto: nodeCrypto, log });
    const before = own
      ? { token: nodeCrypto.randomHex(16), port: undefined, pageWasOpen: false }
      : await address.find();
    const presence: PagePresence = new PagePresence({
      time: nodeTime,
      kept: own ? undefined : address,
      settled: () => player.attached(events.attached),
    });
    const events = new EventStream({
      time: nodeTime,
      run: nodeCrypto.randomHex(16),
      attached: (attached) => {
        presence.attached(attached);
        player.attached(attached);
        judge();
      },
    });
    // A panel that is off may provide no frames for painting. Then a connected page proves that the version works.
    const judge = () => {
      if (events.attached && isDark(player.state)) updater?.showing();
    };
    const player: Player = this.#createPlayer({ disk, discovery, machine, presence, events });
    const widgets = new WidgetData({
      documents: disk.widgets,
      crypto: nodeCrypto,
      time: nodeTime,
      log,
      get: (path, headers, signal) => player.get(path, headers, signal),
    });
    const server = this.#createScreenServer({ before, disk, events, presence, player, widgets, updater });

    this.#undo.push(() => player.stop());
    await player.start();
    this.#player = player;
    this.#undo.push(() => widgets.stop());
    widgets.start();
    this.#undo.push(() => server.stop());
    const url = await server.start();
    if (!own) await address.is({ token: before.token, port: server.port });
    if (before.pageWasOpen) presence.expect();
    this.#undo.push(() => presence.stop());
    this.#undo.push(
      player.subscribe((state) => {
        events.publish(state);
        this.#browser?.rest(isDark(state));
        judge();
        void widgets.follow(programOf(state)).catch((error) => log.warn('widget data could not be kept', error));
      }),
    );
    this.#undo.push(() => discovery.stop());
    discovery.start();
    this.#undo.push(() => updater?.stop());
    updater?.start();
    const { mishaps } = this.#deps;
    if (mishaps)
      await reportIncidents({
        path: mishaps,
        documents: disk.documents,
        tell: (message, sent) => player.sendToOperator(message, sent),
        log,
      });
    if (config.window) this.#browser = await this.#openBrowser(url);
    return url;
  }

  /** @param shown whether a page is connected */
  async #createMachine(assets: AssetFiles, updater: Updater | undefined, shown: () => boolean): Promise<LocalMachine> {
    const { config, picture, panels } = this.#deps;
    const hardware = new HardwareQuestion({ time: nodeTime });
    this.#undo.push(() => hardware.stop());
    const info = machineInfo({
      serverHost: () => this.#serverHost,
      space: () => assets.space(),
      hardware: () => hardware.read(),
    });
    const telemetry = new MachineTelemetry({ info, time: nodeTime });
    const platform = { platform: process.platform, env: process.env };
    return new LocalMachine({
      platform,
      run,
      telemetry: () => telemetry.read(),
      screenshot: config.window
        ? async () => this.#browser?.screenshot() ?? { error: 'the browser is not running' }
        : picture,
      panels,
      windowed: config.window,
      shown,
      abilities: await abilitiesOf(platform),
      updater,
    });
  }

  #createPlayer({
    disk,
    discovery,
    machine,
    presence,
    events,
  }: {
    readonly disk: Disk;
    readonly discovery: Discovery;
    readonly machine: LocalMachine;
    readonly presence: PagePresence;
    readonly events: EventStream;
  }): Player {
    const { config, version, log } = this.#deps;
    return new Player({
      time: nodeTime,
      crypto: nodeCrypto,
      log,
      documents: disk.documents,
      assetStore: disk.assets,
      journalStore: disk.journal,
      connect: (url, subprotocol, events, trust) => {
        this.#serverHost = new URL(url).hostname.replace(/^\[|\]$/g, '');
        return connectSocket(url, subprotocol, events, trust);
      },
      get: httpGet,
      pins: true,
      ownCode: (deps) =>
        new OwnCode({
          ...deps,
          given: config.code,
          proof: (code, context, random) => new CodeProof('player', code, context, random),
        }),
      hasCode: config.code !== undefined,
      addresses: new LanAddressBook({ discovery, typed: config.server }),
      machine,
      device: { name: config.name, platform: `${type()} ${release()} ${arch()}`, version },
      quotaBytes: config.quotaBytes,
      awaitScreenMs: config.window ? AWAIT_SCREEN_MS : 0,
      screenDue: () => presence.due,
      clockStepped: () => events.clockStepped(),
    });
  }

  #createScreenServer({
    before,
    disk,
    events,
    presence,
    player,
    widgets,
    updater,
  }: {
    readonly before: { readonly token: string; readonly port: number | undefined };
    readonly disk: Disk;
    readonly events: EventStream;
    readonly presence: PagePresence;
    readonly player: Player;
    readonly widgets: WidgetData;
    readonly updater: Updater | undefined;
  }): ScreenServer {
    const { pages, log } = this.#deps;
    return new ScreenServer({
      ...before,
      pages,
      events,
      log,
      now: () => player.now(),
      wallRefresh: () => player.wallRefresh(),
      report: async (report) => {
        if (report.type === 'alive') {
          presence.painted();
          this.#browser?.alive();
          updater?.showing();
        }
        await player.report(report);
      },
      pageLoaded: () => player.pageLoaded(),
      asset: (sha256) => {
        const asset = player.asset(sha256);
        return asset && { asset, path: disk.assets.path(sha256) };
      },
      widgetData: (path) => widgets.find(path),
    });
  }

  #updater(get: Player['get']): Updater | undefined {
    const { updates, version, log } = this.#deps;
    return (
      updates &&
      new Updater({
        ...updates,
        version,
        platform: process.platform,
        arch: process.arch,
        verify: nodeCrypto.verify,
        get,
        time: nodeTime,
        log,
      })
    );
  }

  async #openDisk(): Promise<Disk> {
    const { config, log } = this.#deps;
    const { data } = config;
    await makeFolder(data);
    const lock = new FolderLock(join(data, 'lock.db'), log);
    lock.start();
    this.#undo.push(() => lock.stop());
    const documents = await this.#openDocuments(join(data, 'state'));
    const widgets = await this.#openDocuments(join(data, 'widgets'));
    const assets = new AssetFiles(join(data, 'assets'));
    await assets.start();
    const journal = new SteadyJournal({ path: join(data, 'journal.db'), log, mono: nodeTime.mono });
    journal.start();
    this.#undo.push(() => journal.stop());
    return { documents, widgets, assets, journal };
  }

  async #openDocuments(folder: string): Promise<TwoCopies> {
    const files = new FileDocuments(folder);
    await files.start();
    const documents = new TwoCopies({ documents: files, crypto: nodeCrypto, time: nodeTime, log: this.#deps.log });
    await documents.start();
    this.#undo.push(() => documents.stop());
    return documents;
  }

  async #openBrowser(url: string): Promise<Browser | undefined> {
    const { config, log } = this.#deps;
    const executable = await findBrowser(thisMachine());
    if (!executable) {
      log.error(
        'no Chromium, Chrome or Edge was found on this machine: install one, or set VITRINE_BROWSER to its path',
      );
      return undefined;
    }
    const root = process.getuid?.() === 0;
    const mode = { profile: join(config.data, 'browser'), headless: config.headless, root, extra: config.browserFlags };
    const browser = new Browser({ executable, mode, url, time: nodeTime, random: nodeCrypto.random, log });
    browser.start();
    this.#undo.push(() => browser.stop());
    return browser;
  }
}

const programOf = (state: ScreenState) => (state.phase === 'playing' ? state.program : null);
/** Whether the panel is off, because of its opening hours or a command. */
const isDark = (state: ScreenState): boolean => state.phase === 'playing' && !state.screen_on;
