/**
 * The screens of a desktop program: for each screen an agent as a separate process, and a window on its display. The
 * state is checked every 5 s, and at once after an event of the machine. A lost or early event therefore costs 5 s and
 * not a screen.
 *
 * When a display is gone its window closes but its agent continues: the agent can switch its TV on again, and downloads
 * new content while all TVs are off. A screen whose display is missing at the start has no agent, unless all displays
 * are missing.
 */
import type { StartProgram } from '../../shared/desktop/program.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import type { ProgramSays } from '../../shared/protocol/shell.ts';
import type { Log, Time, Undo } from '../core/ports.ts';
import { AgentKeeper } from './agent-keeper.ts';
import { folderOf, type Wanted } from './displays.ts';
import { KioskKeeper } from './kiosk-keeper.ts';
import type { Display, Machine } from './machine.ts';
import { PanelStates } from './panels.ts';
import type { Seats } from './seats.ts';

const LOOK_MS = 5_000;
/** Number of crashes after which the program should run without the graphics processor. */
const MAX_GPU_CRASHES = 4;

export interface PlayerOptions {
  /** Parent folder of the data folders, one per screen: `player`, `player-2` … */
  readonly data: string;
  readonly displays: Wanted;
  /** Folder for prepared versions; undefined: no updates. */
  readonly updates: string | undefined;
  /** Called when a new version is ready. */
  readonly onUpdate: () => void;
  /**
   * Called once when the graphics process crashes repeatedly, so that the program should restart without the graphics
   * processor.
   */
  readonly onBadGpu: () => void;
  /**
   * Called once when there are several displays and the system places all windows on one of them, so that the program
   * should restart with X11.
   */
  readonly onNeedsX11: () => void;
}

interface Deps {
  readonly machine: Machine;
  readonly start: StartProgram;
  readonly seats: Seats;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Log;
}

export interface Player {
  /**
   * Whether each present display has a window whose page answers, or a window that has been under repair only
   * briefly.
   */
  isWell(): boolean;
  stop(): Promise<void>;
}

/** A screen of this computer: its agent and its window. */
interface Screen {
  readonly place: number;
  readonly agent: AgentKeeper;
  readonly kiosk: KioskKeeper;
}

export const startPlayerRole = (deps: Deps, options: PlayerOptions): Player => {
  const { machine, seats, time, log } = deps;
  const screens = new Map<number, Screen>();
  const wishes = new PanelStates();
  let toldOfX11 = false;
  let cancelLook: Undo = () => {};

  /** Calls `act` for each screen. A failure of one screen does not affect the others. */
  const each = (act: (screen: Screen) => void): void => {
    for (const one of screens.values()) {
      try {
        act(one);
      } catch (error) {
        log.warn(`screen ${one.place} could not be looked after`, error);
      }
    }
  };

  /**
   * Records the panel state that a screen wants. Screens without a display do not count, unless all displays are gone:
   * a screen may be switching its display on.
   */
  const wish = (place: number, on: boolean): boolean => {
    const all = [...screens.values()];
    const shown = all.filter(({ kiosk }) => kiosk.isShown);
    const places = (shown.length > 0 ? shown : all).map((screen) => screen.place);
    return wishes.wantsPanelsOn(place, on, places);
  };

  const follow = (): void => {
    let chosen: ReadonlyMap<number, Display | undefined>;
    try {
      chosen = seats.choose(machine.displays(), options.displays);
    } catch (error) {
      return log.warn('the displays could not be looked at', error);
    }
    const isNoneThere = [...chosen.values()].every((display) => !display);
    for (const [place, display] of chosen)
      if (!screens.has(place) && (display || isNoneThere))
        screens.set(
          place,
          startScreen(deps, options, place, (on) => wish(place, on)),
        );
    // Closes windows on missing displays first, so that a display is free for its next window.
    each(({ place, kiosk }) => chosen.get(place) || kiosk.showOn(undefined));
    each(({ place, kiosk }) => kiosk.showOn(chosen.get(place)?.bounds));
    if (!machine.placesWindows && !toldOfX11 && [...chosen.values()].filter(Boolean).length > 1) {
      toldOfX11 = true;
      log.warn('several displays, and Wayland puts all windows on one of them: starting again with X11');
      options.onNeedsX11();
    }
  };

  const look = (): void => {
    cancelLook = time.after(LOOK_MS, look);
    follow();
    each(({ agent }) => agent.check());
    each(({ kiosk }) => kiosk.check());
  };

  const allow = machine.keepAwake();
  const undo = [
    machine.onDisplays(follow),
    machine.onResume(() => {
      each(({ agent }) => agent.resetCounters());
      each(({ kiosk }) => kiosk.resetCounters());
      follow();
    }),
    watchGpu(deps, options, {
      report: (what) => each(({ agent }) => agent.reportIncident(what)),
      reload: () => each(({ kiosk }) => kiosk.reload()),
    }),
  ];
  look();

  return {
    isWell: () => [...screens.values()].every(({ kiosk }) => !kiosk.isShown || kiosk.isWell),
    stop: async () => {
      for (const forget of undo) forget();
      cancelLook();
      await Promise.all([...screens.values()].map(({ agent }) => agent.stop()));
      each(({ kiosk }) => kiosk.close());
      allow();
    },
  };
};

/**
 * Starts the agent of a screen, and prepares its window.
 * @param wish records whether the screen wants its panel on; returns false if other screens need the panel
 */
const startScreen = (deps: Deps, options: PlayerOptions, place: number, wish: (on: boolean) => boolean): Screen => {
  const hear = async (message: ProgramSays) => {
    if (message.type === 'screen') kiosk.show(message.url);
    else if (message.type === 'shoot') agent.send({ type: 'picture', id: message.id, data: await kiosk.picture() });
    else if (message.type === 'panel') agent.send({ type: 'panel', id: message.id, on: wish(message.on) });
  };
  const agent: AgentKeeper = new AgentKeeper(deps, {
    data: folderOf(options.data, place),
    updates: options.updates,
    onUpdate: options.onUpdate,
    hear: (message) => void hear(message),
    ended: () => {
      wish(true);
      kiosk.show(undefined);
    },
  });
  // Window faults are sent to the server as well.
  const warn = (message: string, detail?: unknown) => {
    deps.log.warn(message, detail);
    agent.reportIncident(message);
  };
  const kiosk: KioskKeeper = new KioskKeeper({
    ...deps,
    log: { warn },
    place,
    noPage: () => agent.kill('has no page that could be loaded'),
  });
  return { place, agent, kiosk };
};

/** Repairs all pages after a crash of the graphics process. Asks for a restart if the process crashes repeatedly. */
const watchGpu = (
  { machine, time, log }: Deps,
  options: PlayerOptions,
  { report, reload }: { readonly report: (what: string) => void; readonly reload: () => void },
): Undo => {
  let gpu = NO_RESTARTS;
  let cancelReload: Undo = () => {};
  const forget = machine.onGpuGone(() => {
    if (gpu.count >= MAX_GPU_CRASHES && machine.usesGpu) return;
    const next = restartAfter(gpu, time.mono());
    gpu = next.restarts;
    const what = `the graphics process has crashed (${gpu.count} of late)`;
    log.warn(what);
    report(what);
    if (gpu.count >= MAX_GPU_CRASHES && machine.usesGpu) return options.onBadGpu();
    // Reloads all pages, because their graphics are lost when Chromium restarts the graphics process.
    cancelReload();
    cancelReload = time.after(next.delayMs, reload);
  });
  return () => {
    forget();
    cancelReload();
  };
};
