/** Handles the reports of the screen: plays for the journal, answers for the server, and data for the heartbeats. */

import type { ScreenFormats } from '../../shared/formats/screen-formats.ts';
import { FULL_ZONE_ID } from '../../shared/program/full-zone.ts';
import type { FaultSubject } from '../../shared/protocol/fault-subject.ts';
import type { Refresh, Showing } from '../../shared/protocol/messages.ts';
import type { Glimpse } from '../../shared/protocol/wall/glimpse.ts';
import type { ScreenReport } from '../screen/host/host.ts';
import type { AssetCache } from './files/asset-cache.ts';
import type { Journal } from './journal/journal.ts';
import type { RemoteLog } from './journal/remote-log.ts';
import type { Log } from './ports.ts';
import type { Overlay } from './program/overlay.ts';

type Report<K extends ScreenReport['type']> = Extract<ScreenReport, { type: K }>;
type Handlers = { [K in ScreenReport['type']]: (report: Report<K>) => Promise<void> | void };

/** The program and placement that the page reports as visible. An older page does not report the placement. */
export type Seen = Pick<Report<'switched'>, 'program_id' | 'placement_id'>;
/** Maximum number of glimpses: those of two time windows, because a heartbeat may be late. */
const MOST_GLIMPSES = 8;

interface Deps {
  readonly journal: Journal;
  readonly overlay: Overlay;
  readonly assets: AssetCache;
  readonly remoteLog: RemoteLog;
  readonly log: Log;
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  readonly switched: (seen: Seen) => void;
  /** Called when content became visible. */
  readonly shown: () => void;
  /** Called when the page has reported the formats that its browser plays. */
  readonly formats: (formats: ScreenFormats) => void;
  readonly sized: (size: { width: number; height: number; touch: boolean }) => void;
}

export class ScreenSide {
  readonly #deps: Deps;
  readonly #showing = new Map<string, Showing & { turn: string }>();
  #errors: { error_p50_ms: number; error_p99_ms: number } | undefined;
  #refresh: Refresh | undefined;
  #glimpses: Glimpse[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get showing(): Showing[] {
    return [...this.#showing.values()].map(({ turn: _, ...showing }) => showing);
  }

  /**
   * Returns how far the picture differs from the shared clock, and the refresh times of the panel, as the page has
   * reported them.
   */
  get sync(): { error_p50_ms?: number; error_p99_ms?: number; refresh?: Refresh } {
    return { ...this.#errors, ...(this.#refresh && { refresh: this.#refresh }) };
  }

  /** Returns the content that the screen showed since the last call, for comparison by the server. */
  collectGlimpses(): Glimpse[] {
    return this.#glimpses.splice(0);
  }

  async receive(report: ScreenReport): Promise<void> {
    const handler = this.#handlers[report.type] as (report: ScreenReport) => Promise<void> | void;
    try {
      await handler(report);
    } catch (error) {
      this.#deps.log.error(`what the screen said (${report.type}) could not be kept`, error);
    }
  }

  /** Called when the page is gone. A new page starts without visible content. */
  async reset(): Promise<void> {
    this.#showing.clear();
    this.#errors = this.#refresh = undefined;
    this.#glimpses = [];
    await this.#deps.journal.closeOpen();
  }

  /** Called when the panel goes off. No content is visible from now on. */
  async darkened(): Promise<void> {
    this.#showing.clear();
    await this.#deps.journal.endOpen(this.#deps.now());
  }

  readonly #handlers: Handlers = {
    alive: async ({ width, height, touch, refresh }) => {
      this.#refresh = refresh;
      this.#deps.sized({ width, height, touch: touch ?? false });
      await this.#deps.journal.alive(this.#deps.now());
    },
    switched: ({ program_id, placement_id }) => this.#deps.switched({ program_id, placement_id }),
    shown: async ({ type: _, late_ms: _late, zone_id, ...shown }) => {
      const zone = zone_id === FULL_ZONE_ID ? null : zone_id;
      const { turn, item_id, content_id, widget_id, started_at } = shown;
      this.#showing.set(zone_id, { turn, zone_id: zone, item_id, content_id, widget_id, since: started_at });
      this.#deps.shown();
      await this.#deps.journal.shown({ ...shown, zone_id: zone });
    },
    ended: async ({ turn, ended_at, completed }) => {
      for (const [zone, showing] of this.#showing) if (showing.turn === turn) this.#showing.delete(zone);
      await this.#deps.journal.ended({ turn, ended_at, completed });
    },
    fault: async ({ item_id, asset, message }) => {
      this.#deps.log.warn(`item ${item_id ?? '?'} could not be shown: ${message}`);
      this.#deps.remoteLog.send('error', message, { item_id, asset } satisfies FaultSubject);
      if (asset) await this.#deps.assets.check(asset);
    },
    mended: ({ item_id, asset, message }) => {
      this.#deps.log.info(`item ${item_id ?? '?'}: ${message}`);
      this.#deps.remoteLog.send('info', message, { item_id, asset } satisfies FaultSubject);
    },
    overlay: (report) => this.#deps.overlay.reported(report),
    formats: ({ formats }) => this.#deps.formats(formats),
    sync: ({ error_p50_ms, error_p99_ms }) => {
      this.#errors = { error_p50_ms, error_p99_ms };
    },
    glimpses: ({ glimpses }) => {
      this.#glimpses = [...this.#glimpses, ...glimpses].slice(-MOST_GLIMPSES);
    },
  };
}
