/** Reports to the host which plays were really visible, with the time of the frame that painted them. */
import type { Cue } from '../../../shared/program/program.ts';
import { DRIFT, SLEW_RATE, STEP_MS } from '../../../shared/protocol/clock.ts';
import type { FrameLoop } from '../frames/frame-loop.ts';
import type { ScreenHost } from '../host/host.ts';
import type { Glimpses } from './glimpses.ts';
import { instantOf } from './instant.ts';
import type { SyncStats } from './sync-stats.ts';
import { shownWhole } from './turn.ts';

/** Time of a paint, on the server clock and on the local clock. */
interface Painted {
  /** Time of the paint on the server clock. */
  readonly at: number;
  /** `performance.now()`, which cannot be set. */
  readonly mono: number;
}

interface Turn {
  readonly id: string;
  readonly cue: Cue;
  readonly start: Painted;
}

export interface TurnLogContext {
  readonly host: Pick<ScreenHost, 'report' | 'now'>;
  readonly loop: Pick<FrameLoop, 'afterPaint'>;
  readonly stats: Pick<SyncStats, 'add'>;
  readonly glimpses: Pick<Glimpses, 'record' | 'gone'>;
}

/** Maximum drift between two clocks that does not count as a jump: four times the usual drift. */
const MOST_DRIFT = 4 * DRIFT;
/** Largest resolution of a clock in browsers, in milliseconds. */
const GRAIN_MS = 1;

export class TurnLog {
  #zoneId: string;
  #context: TurnLogContext;
  #turn: Turn | null = null;

  constructor(zoneId: string, context: TurnLogContext) {
    this.#zoneId = zoneId;
    this.#context = context;
  }

  /**
   * Records that this frame changes the visible play; null: nothing is visible. `measure`: the item was ready in time,
   * so the delay of its paint describes the clock and the panel.
   */
  change(cue: Cue | null, { measure }: { readonly measure: boolean }): void {
    this.#context.loop.afterPaint((mono) => {
      const painted = { at: instantOf(this.#context.host, mono), mono };
      this.#end(painted);
      if (cue) this.#begin(cue, painted, measure);
      else this.#context.glimpses.gone(this.#zoneId);
    });
  }

  /** Changes the end of the current play, because another program was received. */
  amend(cue: Cue): void {
    if (this.#turn) this.#turn = { ...this.#turn, cue };
  }

  /** Ends the current play at `mono`, because the page was invisible since then. @returns false: there was no play */
  unseenSince(mono: number): boolean {
    const turn = this.#turn;
    if (!turn) return false;
    this.#end({ at: turn.start.at + (mono - turn.start.mono), mono });
    return true;
  }

  #begin(cue: Cue, start: Painted, measure: boolean): void {
    const { item, since, until, playlist_id } = cue;
    const { at } = start;
    this.#turn = { id: newId(), cue, start };
    if (measure) this.#context.stats.add(at - since);
    this.#context.glimpses.record(this.#zoneId, { at, meant: since, moves: item.kind === 'video' });
    this.#context.host.report({
      type: 'shown',
      turn: this.#turn.id,
      zone_id: this.#zoneId,
      item_id: item.item_id,
      playlist_id,
      content_id: item.content_id,
      widget_id: item.widget_id,
      content_name: item.name,
      started_at: at,
      late_ms: at - since,
      planned_end: until,
    });
  }

  /**
   * The end is reported on the same clock as the start, so that the duration is right even if the server's clock has
   * jumped since.
   */
  #end(end: Painted): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = null;
    const ended_at = endOf(turn.start, end);
    this.#context.host.report({
      type: 'ended',
      turn: turn.id,
      ended_at,
      completed: shownWhole(turn.cue, turn.start.at, ended_at),
    });
  }
}

/**
 * Returns the end on the server's clock. If that clock jumped (its difference exceeds what slewing and drift can cause
 * in the passed time), computes the end from the start and the monotonic duration.
 */
export function endOf(start: Painted, end: Painted): number {
  const passed = end.mono - start.mono;
  const explained = Math.min(STEP_MS, passed * SLEW_RATE) + passed * MOST_DRIFT + GRAIN_MS;
  return Math.abs(end.at - start.at - passed) <= explained ? end.at : start.at + passed;
}

/** Makes an id without randomUUID, which a page that was loaded by plain HTTP does not have. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, '0')).join('');
