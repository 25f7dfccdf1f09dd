/** Describes this machine to the core, as an implementation of its `Machine` interface. */
import type { Capability } from '../../../shared/protocol/commands.ts';
import type { Telemetry } from '../../../shared/protocol/telemetry.ts';
import type { Machine, Outcome, Shot, Updater } from '../../core/ports.ts';
import type { Abilities } from './abilities.ts';
import { firstThatWorks, machineSteps, type Platform, panelSteps } from './power.ts';
import type { Run } from './run.ts';

interface Deps {
  readonly platform: Platform;
  readonly run: Run;
  readonly telemetry: () => Promise<Telemetry>;
  readonly abilities: Abilities;
  /** Switches the panels; returns false if other screens need them; undefined: no other screen uses them. */
  readonly panels?: ((on: boolean) => Promise<boolean>) | undefined;
  /** Takes a screenshot. Undefined while the player has no window. */
  readonly screenshot: (() => Promise<Shot>) | undefined;
  /** Whether a window of the player will show the screen. */
  readonly windowed?: boolean;
  /** Whether a page shows the screen now, in any window. */
  readonly shown: () => boolean;
  /** Installs updates; undefined if the program runs from its sources, which cannot be updated. */
  readonly updater: Updater | undefined;
}

export class LocalMachine implements Machine {
  readonly #deps: Deps;
  #shooting: Promise<Shot> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the capabilities that the operator sees. A command runs in any case. Every screen can turn black and
   * silent.
   */
  capabilities(): readonly Capability[] {
    const { abilities, screenshot, updater } = this.#deps;
    const can: Partial<Record<Capability, boolean>> = {
      screen: true,
      launch: this.#isShown,
      audio: this.#isShown && abilities.sound,
      reboot: abilities.reboot,
      shutdown: abilities.shutdown,
      update: updater?.refusal === null,
      screenshot: screenshot !== undefined,
    };
    return (Object.keys(can) as Capability[]).filter((capability) => can[capability]);
  }

  get #isShown(): boolean {
    return this.#deps.windowed === true || this.#deps.shown();
  }

  /**
   * Switches the panel. If another screen of this computer needs the panels, they stay on and this screen shows black.
   */
  async screen(on: boolean): Promise<Outcome> {
    if ((await this.#deps.panels?.(on)) === false) return { status: 'done' };
    return firstThatWorks(panelSteps(on, this.#deps.platform), this.#deps.run);
  }

  async launched(_url: string | null): Promise<Outcome> {
    return this.#isShown ? { status: 'done' } : { status: 'unsupported', error: 'no window shows this screen' };
  }

  readonly commands: Machine['commands'] = {
    update: async ({ version = null }) =>
      this.#deps.updater?.update(version) ?? {
        status: 'unsupported',
        error: 'this player runs from its sources and is updated with them',
      },
    reboot: () => firstThatWorks(machineSteps('reboot', this.#deps.platform), this.#deps.run),
    shutdown: () => firstThatWorks(machineSteps('shutdown', this.#deps.platform), this.#deps.run),
  };

  /** Concurrent callers get the same picture. */
  async screenshot(): Promise<Shot> {
    const { screenshot } = this.#deps;
    if (!screenshot) return { error: 'this player has no window' };
    this.#shooting ??= screenshot().finally(() => (this.#shooting = undefined));
    return this.#shooting;
  }

  telemetry(): Promise<Telemetry> {
    return this.#deps.telemetry();
  }
}
