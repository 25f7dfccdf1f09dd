/**
 * A surface shows one item: an image, a clip, a page. The zone player decides when the item is shown; the surface knows
 * how.
 */
import type { Cue, FitMode } from '../../../shared/program/program.ts';
import type { Picture } from '../../../shared/protocol/wall/in-step.ts';
import type { FrameLoop } from '../frames/frame-loop.ts';
import type { ScreenHost } from '../host/host.ts';
import type { Aim } from '../playing/refresh.ts';
import type { SyncStats } from '../playing/sync-stats.ts';
import type { MediaPool } from './media-pool.ts';

export interface SurfaceContext {
  readonly host: Pick<ScreenHost, 'assetUrl' | 'now' | 'openPage' | 'pageProblem' | 'widgetData'>;
  readonly loop: FrameLoop;
  readonly aim: Aim;
  readonly pool: MediaPool;
  readonly stats: SyncStats;
  /**
   * Called when a frame of a clip, or a still, becomes visible, so that the server can compare the panels of a wall.
   */
  readonly saw: (picture: Picture) => void;
  readonly fit: FitMode;
  /** Current time zone of the device, for clocks in widgets. */
  readonly timezone: () => string;
  /** Returns the MIME type of a file by its SHA-256; undefined: not a file of the current program. */
  readonly mimeOf: (asset: string) => string | undefined;
  /** Called at most once, when the surface fails after it had worked. */
  readonly onFault: (message: string) => void;
  /**
   * Called with the reason when the surface keeps an old picture because the next picture cannot be shown; null: the
   * surface has continued.
   */
  readonly onStale: (message: string | null) => void;
}

export interface Surface {
  /**
   * The element of the surface. It is in the document from before `prepare` until after `destroy`, and never moved,
   * because a moved frame reloads.
   */
  readonly element: HTMLElement;
  /** Resolves when the first picture can be painted in the next frame; rejects with a sentence for the operator. */
  prepare(cue: Cue): Promise<void>;
  /**
   * The play or its limits changed. `then`: the same item again, if it follows immediately. A clip follows the new
   * timeline.
   */
  retime?(cue: Cue, then: Cue | null): void;
  /** Makes the surface visible and audible from this frame on. */
  show?(sound: { readonly muted: boolean }): void;
  /** Silences the surface from this frame on. It stays visible until the next surface is painted. */
  leave?(): void;
  /** Called about once a second while visible, to detect a surface that has stopped moving. */
  check?(now: number): void;
  destroy(): void;
}
