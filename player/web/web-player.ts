/**
 * The player in a bare browser: creates core, IndexedDB, network and screen in one page, starts them in order and stops
 * them in reverse.
 */
import { Player } from '../core/player.ts';
import type { AddressBook, ConnectSocket } from '../core/ports.ts';
import { WidgetData } from '../core/program/widget-data.ts';
import type { ScreenState } from '../screen/host/host.ts';
import { Screen } from '../screen/screen.ts';
import { BrowserMachine } from './browser-machine.ts';
import { browserName } from './browser-name.ts';
import { browserCrypto, browserTime, connectSocket, consoleLog, httpGet } from './browser-ports.ts';
import { cacheFrame } from './document-frame.ts';
import { AssetUrls } from './storage/asset-urls.ts';
import type { Database } from './storage/database.ts';
import { IdbAssets } from './storage/idb-assets.ts';
import { IdbDocuments } from './storage/idb-documents.ts';
import { IdbJournal } from './storage/idb-journal.ts';
import { maySound, onFirstTouch } from './tab/first-touch.ts';
import { FullScreenButton } from './tab/full-screen.ts';
import { textsFor } from './text.ts';
import { WebHost } from './web-host.ts';

/**
 * Quota in bytes that is assumed if the browser reports none. Browsers grant a share of the disk and report it only to
 * secure pages. If the real quota is smaller, the player recognizes this by the error of a write.
 */
const QUOTA_BYTES = 8 * 1024 ** 3;
/**
 * Milliseconds for which the blob of a dropped clip stays available, because the clip may still be opened by its
 * address.
 */
const STILL_READ_MS = 10_000;
/** Close code of a range that the WebSocket API reserves for clients. */
const CLOSED_BY_US = 4000;
/** Time limit for the size of the screen, which comes with the first frame. A hidden page makes no frames. */
const AWAIT_SCREEN_MS = 2_000;

interface Deps {
  readonly root: HTMLElement;
  readonly db: Database;
  readonly version: string;
  /** Called when the server answers. */
  readonly opened: () => void;
}

export class WebPlayer {
  readonly #deps: Deps;
  /** Functions that stop the started parts, in reverse order. */
  readonly #undo: (() => unknown)[] = [];
  #sound = false;
  /** Closes the open connection. The player reconnects and then reports the current capabilities of this browser. */
  #reconnect = () => {};
  #phase: ScreenState['phase'] = 'searching';

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { root, db, version } = this.#deps;
    this.#sound = await maySound();
    const storage = navigator.storage as StorageManager | undefined;
    // Asks the browser to keep the data. Without this permission the browser may delete the data when its disk is full,
    // and the player downloads it again.
    storage?.persist?.().catch(() => {});
    const assets = new IdbAssets({
      db,
      wall: browserTime.wall,
      estimate: storage && (() => storage.estimate()),
      removed: (sha256) => urls.drop(sha256),
    });
    const urls = new AssetUrls({
      blob: (sha256, mime) => assets.blob(sha256, mime),
      urls: {
        create: (blob) => URL.createObjectURL(blob),
        revoke: (url) => void setTimeout(() => URL.revokeObjectURL(url), STILL_READ_MS),
      },
    });
    const { name, platform } = browserName(navigator.userAgent, textsFor(navigator.languages).texts.on);
    const player: Player = new Player({
      time: browserTime,
      crypto: browserCrypto,
      log: consoleLog,
      documents: new IdbDocuments(db, 'documents'),
      assetStore: assets,
      journalStore: new IdbJournal(db),
      connect: this.#connect,
      get: httpGet,
      addresses: ownServer,
      machine: new BrowserMachine({
        touch: navigator.maxTouchPoints > 0,
        sound: () => this.#sound,
        space: () => assets.space(),
      }),
      device: { name, platform, version },
      quotaBytes: QUOTA_BYTES,
      awaitScreenMs: AWAIT_SCREEN_MS,
      clockStepped: () => host.notify(),
    });
    const widgets = new WidgetData({
      documents: new IdbDocuments(db, 'widgets'),
      crypto: browserCrypto,
      time: browserTime,
      log: consoleLog,
      get: (path, headers, signal) => player.get(path, headers, signal),
    });
    const host = new WebHost({ player, urls, widgets });

    this.#undo.push(() => urls.clear());
    this.#undo.push(() => player.stop());
    await player.start();
    this.#undo.push(() => widgets.stop());
    widgets.start();
    this.#undo.push(
      player.subscribe(
        (state) =>
          void widgets
            .follow(state.phase === 'playing' ? state.program : null)
            .catch((error) => consoleLog.warn('widget data could not be kept', error)),
      ),
    );
    this.#undo.push(() => host.stop());
    host.start();
    this.#undo.push(this.#attend(host));
    this.#undo.push(this.#showWhileSeen(host, player));
    cacheFrame(root);
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) {
      // If one part fails to stop, the other parts must still be stopped: the journal comes last.
      try {
        await undo();
      } catch (error) {
        consoleLog.error('stopping failed', error);
      }
    }
  }

  readonly #connect: ConnectSocket = (url, subprotocol, events) => {
    const socket = connectSocket(url, subprotocol, {
      ...events,
      opened: () => {
        events.opened();
        this.#deps.opened();
      },
    });
    this.#reconnect = () => {
      // Called at once: until the server has answered the close, sent messages would be lost.
      events.closed(CLOSED_BY_US, 'abilities have changed');
      socket.close(CLOSED_BY_US, 'abilities have changed');
    };
    return socket;
  };

  /** Offers the full-screen button during setup, and plays sound from the first touch on. */
  #attend(host: WebHost): () => void {
    const button = new FullScreenButton(this.#deps.root);
    button.start();
    const undo = [
      host.subscribe(({ phase }) => {
        this.#phase = phase;
        button.offer(phase === 'pairing');
      }),
      onFirstTouch(() => {
        if (this.#sound) return;
        this.#sound = true;
        // The player does not reconnect now, because the code would change, and a person may be reading it. The next
        // connection reports the change.
        if (this.#phase === 'playing') this.#reconnect();
      }),
    ];
    return () => {
      for (const each of undo) each();
      button.stop();
    };
  }

  /**
   * Shows the screen only while the page is visible. A hidden page paints nothing, so its plays end, and new plays
   * start when the page is visible again.
   */
  #showWhileSeen(host: WebHost, player: Player): () => Promise<void> {
    let screen: Screen | undefined;
    const hide = async () => {
      screen?.destroy();
      screen = undefined;
      player.attached(false);
      await host.reported();
      await player.pageLoaded();
    };
    const follow = () => {
      if (document.visibilityState === 'visible' && !screen) {
        player.attached(true);
        screen = new Screen(this.#deps.root, host, { keys: 'browser' });
        screen.start();
      } else if (document.visibilityState === 'hidden' && screen) {
        void hide().catch((error) => consoleLog.error('plays could not be closed', error));
      }
    };
    document.addEventListener('visibilitychange', follow);
    follow();
    return async () => {
      document.removeEventListener('visibilitychange', follow);
      await hide();
    };
  }
}

/** Address book with a single entry: the server that delivered the page. */
const ownServer: AddressBook = {
  given: true,
  pick: () => ({ origin: location.origin, server: null }),
  seen: () => [],
  onChange: (listener) => {
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  },
};
