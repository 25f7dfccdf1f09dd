/** This machine, as the core knows it. */
import type { Capability, Telemetry } from '../../shared/protocol/messages.ts';
import type { Machine, Outcome, Shot } from '../core/ports.ts';
import { firstThatWorks, machineSteps, type Platform, panelSteps } from './power.ts';
import type { Run } from './run.ts';

interface Needs {
  readonly platform: Platform;
  readonly run: Run;
  readonly telemetry: () => Promise<Telemetry>;
  /** Undefined while there is no window of ours. */
  readonly screenshot: (() => Promise<Shot>) | undefined;
  /** A window is shown, so that `launch` has something to act on. */
  readonly windowed: boolean;
}

export class LocalMachine implements Machine {
  readonly #needs: Needs;
  #shooting: Promise<Shot> | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** What is worth offering; a command is tried all the same. A packaged player adds `update` with its updater. */
  capabilities(): readonly Capability[] {
    const { windowed, screenshot } = this.#needs;
    return ['screen', ...(windowed ? (['launch', 'audio'] as const) : []), 'reboot', 'shutdown', ...(screenshot ? (['screenshot'] as const) : [])];
  }

  screen(on: boolean): Promise<Outcome> {
    return firstThatWorks(panelSteps(on, this.#needs.platform), this.#needs.run);
  }

  async launched(): Promise<Outcome> {
    return this.#needs.windowed ? { status: 'done' } : { status: 'unsupported', error: 'this player has no window' };
  }

  async update(): Promise<Outcome> {
    return { status: 'unsupported', error: 'this player is updated by whoever installed it' };
  }

  reboot(): Promise<Outcome> {
    return firstThatWorks(machineSteps('reboot', this.#needs.platform), this.#needs.run);
  }

  shutdown(): Promise<Outcome> {
    return firstThatWorks(machineSteps('shutdown', this.#needs.platform), this.#needs.run);
  }

  /** Several askers get one picture. */
  async screenshot(): Promise<Shot> {
    const { screenshot } = this.#needs;
    if (!screenshot) return { error: 'this player has no window' };
    this.#shooting ??= screenshot().finally(() => {
      this.#shooting = undefined;
    });
    return this.#shooting;
  }

  telemetry(): Promise<Telemetry> {
    return this.#needs.telemetry();
  }
}
