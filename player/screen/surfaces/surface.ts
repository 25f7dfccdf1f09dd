/** A surface shows one item: an image, a clip, a page. The zone player decides when; a surface knows only how. */
import type { Cue, FitMode } from '../../../shared/program/program.ts';
import type { Picture } from '../../../shared/protocol/in-step.ts';
import type { FrameLoop } from '../frame-loop.ts';
import type { ScreenHost } from '../host.ts';
import type { Aim } from '../refresh.ts';
import type { SyncStats } from '../sync-stats.ts';
import type { MediaPool } from './media-pool.ts';

export interface SurfaceContext {
  readonly host: Pick<ScreenHost, 'assetUrl' | 'now' | 'openPage' | 'pageProblem' | 'widgetData'>;
  readonly loop: FrameLoop;
  readonly aim: Aim;
  readonly pool: MediaPool;
  readonly stats: SyncStats;
  /** A frame of a clip, or a still, is on the glass: noted for the server to compare the panels of a wall. */
  readonly saw: (picture: Picture) => void;
  readonly fit: FitMode;
  /** Of the device, as it is now: what a clock on the wall tells. */
  readonly timezone: () => string;
  /** What kind of file this is, by its SHA-256; undefined: none of the program that plays. */
  readonly mimeOf: (asset: string) => string | undefined;
  /** Called at most once, when it worked and then broke. */
  readonly onFault: (message: string) => void;
  /** Called with the reason when it keeps its old picture, since the next cannot be shown; null: it goes on. */
  readonly onStale: (message: string | null) => void;
}

export interface Surface {
  /** In the document from before `prepare` until after `destroy`; never moved (a moved frame loads again). */
  readonly element: HTMLElement;
  /** Resolves when its first picture can be painted in the next frame; rejects with a sentence for the operator. */
  prepare(cue: Cue): Promise<void>;
  /**
   * It is another turn, or the turn got other limits. `then`: the same thing once more, right after. A clip follows the
   * new timeline.
   */
  retime?(cue: Cue, then: Cue | null): void;
  /** It is what the public sees and hears from this frame on. */
  show?(sound: { readonly muted: boolean }): void;
  /** Silent from this frame on; still visible until the next one is painted. */
  leave?(): void;
  /** Called about once a second while visible: has it stopped moving? */
  check?(now: number): void;
  destroy(): void;
}
