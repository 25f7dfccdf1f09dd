/** Tells the host which turns were really visible, with the time of the frame that painted them. */
import type { Cue } from '../../shared/program/program.ts';
import type { FrameLoop } from './frame-loop.ts';
import type { ScreenHost } from './host.ts';
import type { SyncStats } from './sync-stats.ts';
import { shownWhole } from './turn.ts';

interface Turn {
  readonly id: string;
  readonly cue: Cue;
  readonly startedAt: number;
}

export interface TurnLogContext {
  readonly host: Pick<ScreenHost, 'report' | 'now'>;
  readonly loop: FrameLoop;
  readonly stats: SyncStats;
}

export class TurnLog {
  #zoneId: string;
  #context: TurnLogContext;
  #turn: Turn | null = null;

  constructor(zoneId: string, context: TurnLogContext) {
    this.#zoneId = zoneId;
    this.#context = context;
  }

  /**
   * This frame changes what is visible; null: to nothing. `measure`: it was ready in time, so that how late the painted
   * frame is says something about the clock and the panel.
   */
  change(cue: Cue | null, { measure }: { readonly measure: boolean }): void {
    this.#context.loop.afterPaint((paintedAt) => {
      const at = this.#context.host.now() + (paintedAt - performance.now());
      this.#end(at);
      if (cue) this.#begin(cue, at, measure);
    });
  }

  /** The turn is the same but its end moved (another program says so). */
  amend(cue: Cue): void {
    if (this.#turn) this.#turn = { ...this.#turn, cue };
  }

  #begin(cue: Cue, at: number, measure: boolean): void {
    const { item, since, until, playlist_id } = cue;
    this.#turn = { id: newId(), cue, startedAt: at };
    if (measure) this.#context.stats.add(at - since);
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

  #end(at: number): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = null;
    this.#context.host.report({ type: 'ended', turn: turn.id, ended_at: at, completed: shownWhole(turn.cue, turn.startedAt, at) });
  }
}

/** A page that came by plain HTTP has no randomUUID. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, '0')).join('');
