/** Describes a browser tab to the core, as an implementation of its `Machine` interface. */
import type { Capability } from '../../shared/protocol/commands.ts';
import { MEGABYTE, NO_TELEMETRY, type TelemetryFields } from '../../shared/protocol/telemetry.ts';
import type { Machine, Outcome, Shot } from '../core/ports.ts';

const cannot = async (error: string): Promise<Outcome> => ({ status: 'unsupported', error });

interface Deps {
  readonly touch: boolean;
  /** Returns whether the browser permits sound. Most browsers require a click of a person first. */
  readonly sound: () => boolean;
  readonly space: () => Promise<{ readonly free: number; readonly total: number } | null>;
}

export class BrowserMachine implements Machine {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the capabilities of the browser. The admin window shows missing capabilities (`screenshot`, `update`,
   * `reboot`, `shutdown`) as impossible.
   */
  capabilities(): readonly Capability[] {
    return [
      'screen',
      'launch',
      ...(this.#deps.sound() ? (['audio'] as const) : []),
      ...(this.#deps.touch ? (['touch'] as const) : []),
    ];
  }

  /** The page turns black and silent, but the panel stays on. */
  async screen(): Promise<Outcome> {
    return { status: 'done' };
  }

  async launched(): Promise<Outcome> {
    return { status: 'done' };
  }

  readonly commands: Machine['commands'] = {
    update: () => cannot('a browser shows the player of its server: update the server, and the page follows'),
    reboot: () => cannot('a web page cannot restart its machine; install the Vitrine player on it for that'),
    shutdown: () => cannot('a web page cannot switch its machine off; install the Vitrine player on it for that'),
  };

  async screenshot(): Promise<Shot> {
    return { error: 'a web page cannot take a picture of itself; install the Vitrine player for that' };
  }

  /** A page has no access to data of its machine, but some browsers report their quota. */
  async telemetry(): Promise<TelemetryFields> {
    const space = await this.#deps.space().catch(() => null);
    if (!space) return NO_TELEMETRY;
    return {
      ...NO_TELEMETRY,
      storage_free_mb: Math.round(space.free / MEGABYTE),
      storage_total_mb: Math.round(space.total / MEGABYTE),
    };
  }
}
