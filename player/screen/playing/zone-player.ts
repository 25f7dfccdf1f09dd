/**
 * Plays one zone: the visible item is in front, and the next item is prepared behind it. Both are exchanged in exactly
 * one frame, or within a transition by the shared clock. The old picture is removed once the new picture has been
 * painted.
 */
import type { Cue, ProgramZone } from '../../../shared/program/program.ts';
import { progressAt, transitionOf } from '../../../shared/program/transition.ts';
import { el } from '../dom.ts';
import type { Frame, FrameLoop } from '../frames/frame-loop.ts';
import type { Faults } from '../host/faults.ts';
import type { ScreenHost } from '../host/host.ts';
import { Pile, whenPresented } from '../over/cover.ts';
import type { MediaPool } from '../surfaces/media-pool.ts';
import type { Glimpses } from './glimpses.ts';
import { Passage } from './passage.ts';
import type { Aim } from './refresh.ts';
import { Slot } from './slot.ts';
import type { SyncStats } from './sync-stats.ts';
import type { TransitionCare } from './transition-care.ts';
import { surfaceKey, turnKey } from './turn.ts';
import { TurnLog } from './turn-log.ts';

/**
 * Milliseconds before its play at which the next item is painted with nearly no opacity, so that showing it costs
 * nothing.
 */
const WARM_MS = 1_000;
/**
 * An item that failed before counts as working after it was visible for this long. An item that fails sooner is retried
 * less and less often.
 */
const PROVEN_MS = 15_000;
/** The delay of an item is measured only if it was ready this long before, so that the disk has no influence. */
const READY_IN_TIME_MS = 100;

export interface PlayerContext {
  readonly host: ScreenHost;
  readonly loop: FrameLoop;
  readonly aim: Aim;
  readonly pool: MediaPool;
  readonly stats: SyncStats;
  readonly glimpses: Glimpses;
  readonly faults: Faults;
  readonly care: TransitionCare;
  readonly timezone: () => string;
  readonly mimeOf: (asset: string) => string | undefined;
}

export interface ZoneView {
  /** The cue (planned play of an item) that should be visible now. */
  readonly want: Cue | null;
  /** The cue that follows, if it begins soon. */
  readonly soon: Cue | null;
}

export interface ZoneUpdate {
  readonly frame: Frame;
  /** Server time at which this frame will be visible, epoch milliseconds. */
  readonly at: number;
  /** Whether this panel plays no sound. */
  readonly silent: boolean;
  /** False: the zone prepares its items but shows nothing yet. */
  readonly visible: boolean;
}

export class ZonePlayer {
  readonly element = el('div', 'zone');
  #zone: ProgramZone;
  #context: PlayerContext;
  #log: TurnLog;
  readonly #pile = new Pile();
  #front: Slot | null = null;
  #back: Slot | null = null;
  #turn: Cue | null = null;
  /** The running transition from the previous slot to the front slot. */
  #passage: Passage | null = null;
  #leaving = new Set<Slot>();
  /** Key of the slot that was reported to show an old picture. */
  #staleSaid: string | null = null;
  /** Time on the page's clock at which the front slot came to the front. */
  #frontSince = 0;

  constructor(zone: ProgramZone, context: PlayerContext) {
    this.#zone = zone;
    this.#context = context;
    this.#log = new TurnLog(zone.id, context);
    Object.assign(this.element.style, {
      left: `${zone.x}%`,
      top: `${zone.y}%`,
      width: `${zone.width}%`,
      height: `${zone.height}%`,
      zIndex: String(zone.z_index),
      background: zone.background,
    });
  }

  /** Returns true if the next frame is needed too. */
  update({ want, soon }: ZoneView, update: ZoneUpdate): boolean {
    const { frame, at, silent, visible } = update;
    if (frame.unseenSince !== null && this.#log.unseenSince(frame.unseenSince)) this.#turn = null;
    if (this.#passage && !this.#passage.draw(frame, at)) this.#arrive(this.#passage);
    this.#front?.check(frame.time);
    this.#back?.check(frame.time);
    if (this.#front?.state === 'ready' && frame.time - this.#frontSince > PROVEN_MS) this.#worked(this.#front);
    if (want === null) {
      this.#hold(soon);
      this.#empty();
    } else if (this.#front?.state === 'ready' && this.#front.key === surfaceKey(want.item)) {
      const again = soon !== null && surfaceKey(soon.item) === this.#front.key ? soon : null;
      this.#continue(this.#front, want, { silent, again });
      // Nothing is loaded during a transition, because loading would delay its frames.
      this.#hold(again || this.#passage ? null : soon);
    } else {
      this.#hold(want);
      if (visible && this.#back?.paintedBy(frame.index)) this.#swap(this.#back, want, update);
    }
    if (this.#passage) return true;
    const back = this.#back;
    if (back?.state !== 'ready') return false;
    if (back.cue.since - at < WARM_MS) back.warm(frame.index);
    return back.cue.since <= at && visible;
  }

  /** Returns true if the picture could change in one frame. */
  isPrepared(want: Cue | null, frame: Frame): boolean {
    if (want === null) return true;
    const key = surfaceKey(want.item);
    return (
      (this.#front?.key === key && this.#front.state === 'ready') ||
      (this.#back?.key === key && this.#back.paintedBy(frame.index))
    );
  }

  destroy(): void {
    this.#empty();
    for (const slot of [this.#front, this.#back, ...this.#leaving]) slot?.destroy();
    this.#leaving.clear();
    this.#front = this.#back = null;
    this.element.remove();
  }

  /** Silences the zone and ends its play from this frame on. The board is destroyed when another element covers it. */
  leave(): void {
    this.#front?.leave();
    this.#endTurn();
  }

  #endTurn(): void {
    if (this.#turn) this.#log.change(null, { measure: false });
    this.#turn = null;
  }

  #continue(front: Slot, want: Cue, { silent, again }: { readonly silent: boolean; readonly again: Cue | null }): void {
    front.sound(want.item.muted || silent);
    if (!this.#turn || turnKey(this.#turn) !== turnKey(want)) {
      this.#worked(front);
      this.#log.change(want, { measure: false });
    } else if (this.#turn.until !== want.until) {
      this.#log.amend(want);
    }
    front.retime(want, again);
    this.#turn = want;
  }

  #swap(next: Slot, want: Cue, { frame, at, silent }: ZoneUpdate): void {
    if (this.#passage) this.#cutShort(this.#passage);
    const old = this.#front;
    this.#front = next;
    this.#frontSince = performance.now();
    this.#back = null;
    next.retime(want);
    next.show(want.item.muted || silent);
    const measure = want.item.kind === 'image' && next.readyAt < want.since - READY_IN_TIME_MS;
    this.#log.change(want, { measure });
    this.#turn = want;
    if (this.#staleSaid === next.key) this.#stale(next, null);
    if (!old) return;
    this.#passage = this.#passageTo(next, old, at);
    if (!this.#passage) return this.#dismiss(old, next.element);
    old.leave();
    this.#passage.draw(frame, at);
  }

  /** Returns null if the new picture replaces the old one at once. */
  #passageTo(next: Slot, old: Slot, at: number): Passage | null {
    const transition = this.#context.care.able && old.state === 'ready' ? transitionOf(next.cue) : null;
    const { since } = next.cue;
    if (!transition || progressAt(transition, since, at) >= 1) return null;
    return new Passage({ transition, since, from: old, to: next });
  }

  #arrive(passage: Passage): void {
    if (this.#context.care.add(passage.count))
      this.#context.host.report({
        type: 'fault',
        item_id: null,
        asset: null,
        message:
          'This computer is too slow for transitions: items change without transitions until the player restarts',
      });
    this.#cutShort(passage);
  }

  /** Ends the transition early, so that only the new picture is visible from this frame on. */
  #cutShort(passage: Passage): void {
    this.#passage = null;
    passage.end();
    this.#dismiss(passage.from, this.#front?.element ?? this.element);
  }

  #empty(): void {
    this.#endTurn();
    if (this.#passage) this.#cutShort(this.#passage);
    if (this.#front) this.#dismiss(this.#front, this.element);
    this.#front = null;
  }

  #dismiss(old: Slot, successor: HTMLElement): void {
    old.leave();
    if (old.state === 'ready') this.#worked(old);
    this.#leaving.add(old);
    whenPresented(this.#context.loop, successor, () => {
      this.#leaving.delete(old);
      old.destroy();
    });
  }

  /** Prepares this cue in the back buffer of the zone, so that it can be shown at once; null: empties the buffer. */
  #hold(cue: Cue | null): void {
    const key = cue && surfaceKey(cue.item);
    if (this.#back && (this.#back.key !== key || this.#back.state === 'failed')) {
      this.#back.destroy();
      this.#back = null;
    }
    if (!cue) return;
    if (this.#back) return this.#back.retime(cue);
    const { glimpses, loop } = this.#context;
    this.#back = new Slot(cue, {
      zone: this.#zone,
      pile: this.#pile,
      context: { ...this.#context, saw: (picture) => glimpses.record(this.#zone.id, picture) },
      onReady: () => loop.wake(),
      onFailed: (slot, message) => this.#failed(slot, message),
      onStale: (slot, message) => this.#stale(slot, message),
    });
    this.#back.load(this.element);
  }

  #failed(slot: Slot, message: string): void {
    const { faults, loop } = this.#context;
    if (faults.failed(slot.key, performance.now())) this.#report('fault', slot, message);
    // Ends the play now, although no other item has replaced it.
    if (slot === this.#front) this.#endTurn();
    loop.wake();
  }

  #worked(slot: Slot): void {
    if (this.#context.faults.worked(slot.key)) this.#report('mended', slot, 'the content is shown again');
  }

  /** Reports to the operator that the zone shows an old picture, or that the item continues again. */
  #stale(slot: Slot, message: string | null): void {
    const stale = message === null ? null : slot.key;
    if (this.#staleSaid === stale) return;
    this.#staleSaid = stale;
    if (message === null) this.#report('mended', slot, 'the content continues');
    else this.#report('fault', slot, `${message}; the last image stays on the screen`);
  }

  #report(type: 'fault' | 'mended', slot: Slot, message: string): void {
    const { item_id, asset, name, url } = slot.cue.item;
    this.#context.host.report({
      type,
      item_id,
      asset,
      message: `${name}${url === null ? '' : ` (${withoutSecrets(url)})`}: ${message}`,
    });
  }
}

/** Returns an address without its query, which may contain keys, and without its fragment. */
const withoutSecrets = (address: string): string => {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : 'no address';
};
