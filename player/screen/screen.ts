/** The screen page: creates its parts and passes the host's state to them. */

import { FrameLoop } from './frames/frame-loop.ts';
import { Faults } from './host/faults.ts';
import type { ScreenHost, ScreenState } from './host/host.ts';
import { Vitals } from './host/vitals.ts';
import { Identify } from './over/identify.ts';
import { Kiosk, type KioskOptions } from './over/kiosk.ts';
import { Launch } from './over/launch.ts';
import { Overlay } from './over/overlay.ts';
import { Pages } from './pages/pages.ts';
import { Glimpses } from './playing/glimpses.ts';
import { Aim } from './playing/refresh.ts';
import { Show, type ShowState } from './playing/show.ts';
import { SyncStats } from './playing/sync-stats.ts';
import { TransitionCare } from './playing/transition-care.ts';
import { Stage } from './stage.ts';
import { MediaPool } from './surfaces/media-pool.ts';

/** Maximum time for which a screen that was switched on stays black while its picture loads. */
const DARK_AT_MOST_MS = 5_000;

type Playing = Extract<ScreenState, { phase: 'playing' }>;

export class Screen {
  #root: HTMLElement;
  #host: ScreenHost;
  #loop = new FrameLoop();
  #stats = new SyncStats();
  #glimpses = new Glimpses();
  #stage: Stage;
  #show: Show;
  #launch: Launch;
  #pages: Pages;
  #overlay: Overlay;
  #identify: Identify;
  #kiosk: Kiosk;
  #vitals: Vitals;
  #state: ScreenState | null = null;
  #lightTimer = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(root: HTMLElement, host: ScreenHost, kiosk: KioskOptions = { keys: 'refused' }) {
    this.#root = root;
    this.#host = host;
    this.#kiosk = new Kiosk(kiosk);
    const context = { host, loop: this.#loop, aim: new Aim(host), stats: this.#stats, glimpses: this.#glimpses };
    this.#stage = new Stage(root);
    const { upright, canvas } = this.#stage;
    const parts = { ...context, pool: new MediaPool(), faults: new Faults(), care: new TransitionCare() };
    this.#show = new Show(canvas, parts, (state) => this.#shown(state));
    this.#launch = new Launch(upright, {
      host,
      loop: this.#loop,
      picture: canvas,
      onVisible: () => {
        this.#show.stop();
        this.#pages.hide();
        this.#lighten();
      },
      onGone: () => this.#state && this.#apply(this.#state),
    });
    this.#pages = new Pages(upright, { loop: this.#loop, picture: canvas });
    this.#overlay = new Overlay(upright, {
      ...context,
      picture: canvas,
      screenSize: () => this.#stage.size,
      silent: () => this.#state?.phase === 'playing' && this.#state.placement?.wall?.audio === false,
    });
    this.#identify = new Identify(upright, context);
    this.#vitals = new Vitals(context);
  }

  start(): void {
    this.#kiosk.start();
    this.#stage.start();
    this.#loop.start();
    this.#vitals.start();
    this.#overlay.start();
    void this.#reportFormats();
    this.#unsubscribe = this.#host.subscribe((state) => this.#apply(state));
  }

  destroy(): void {
    this.#unsubscribe?.();
    clearTimeout(this.#lightTimer);
    this.#identify.hide();
    this.#launch.close();
    this.#pages.destroy();
    this.#show.stop();
    this.#overlay.stop();
    this.#vitals.stop();
    this.#loop.stop();
    this.#stage.stop();
    this.#kiosk.stop();
  }

  /**
   * The code that reads the formats is loaded later, because the first page must be visible before the formats are
   * needed.
   */
  async #reportFormats(): Promise<void> {
    try {
      const { readScreenFormats } = await import('./host/formats.ts');
      this.#host.report({ type: 'formats', formats: await readScreenFormats() });
    } catch (error) {
      console.warn(error);
    }
  }

  #apply(state: ScreenState): void {
    this.#state = state;
    this.#loop.wake();
    switch (state.phase) {
      case 'searching':
      case 'choosing':
      case 'pairing':
        return this.#wait(state);
      case 'playing':
        return this.#play(state);
      default:
        state satisfies never;
    }
  }

  #wait(state: Exclude<ScreenState, Playing>): void {
    this.#lighten();
    this.#pages.show(state);
    this.#stage.place(null);
    this.#show.stop();
    this.#launch.close();
    this.#identify.hide();
    this.#overlay.set(null);
  }

  #play(state: Playing): void {
    this.#stage.place(state.placement);
    this.#glimpses.on = state.screen_on && state.placement?.wall != null;
    this.#identify.set({
      name: state.device_name,
      groups: state.identify_groups,
      until: state.screen_on ? state.identify_until : null,
    });
    if (!state.screen_on) return this.#darken();
    const dark = this.#root.classList.contains('dark');
    // The display time of an overlay begins only when the screen is on, because a dark screen hides the overlay.
    if (!dark) this.#overlay.set(state.overlay);
    if (dark && this.#lightTimer === 0) this.#lightTimer = window.setTimeout(() => this.#lighten(), DARK_AT_MOST_MS);
    const { launch_url } = state;
    this.#launch.sound(state.placement?.wall?.audio === false);
    if (launch_url !== null && this.#launch.covers(launch_url)) return;
    // While an opened page loads, and before it is removed, the program plays beneath it.
    this.#playProgram(state);
    if (launch_url !== null) this.#launch.open(launch_url);
  }

  #playProgram({ program, program_id, placement, placement_id = null, device_name, repairs }: Playing): void {
    if (program && program_id !== null && placement) {
      if (this.#show.state === 'idle') this.#pages.show({ phase: 'idle', device_name });
      this.#show.play({ program, programId: program_id, placement, placementId: placement_id, repairs });
      if (this.#show.state !== null) this.#shown(this.#show.state);
    } else {
      this.#pages.show({ phase: 'idle', device_name });
      this.#show.stop();
      this.#launch.close();
      this.#lighten();
    }
  }

  /** Called when the program's picture, or its idle state, has been painted. Removes the elements that covered it. */
  #shown(state: ShowState): void {
    if (this.#state?.phase !== 'playing') return;
    if (this.#state.launch_url === null) this.#launch.close();
    else this.#launch.uncover();
    if (state === 'content') this.#pages.hide();
    else this.#pages.show({ phase: 'idle', device_name: this.#state.device_name });
    this.#lighten();
  }

  #darken(): void {
    clearTimeout(this.#lightTimer);
    this.#lightTimer = 0;
    this.#root.classList.add('dark');
    this.#show.stop();
    this.#launch.close();
    this.#overlay.hide();
  }

  #lighten(): void {
    clearTimeout(this.#lightTimer);
    this.#lightTimer = 0;
    if (!this.#root.classList.contains('dark')) return;
    this.#root.classList.remove('dark');
    if (this.#state?.phase === 'playing') this.#overlay.set(this.#state.overlay);
  }
}
