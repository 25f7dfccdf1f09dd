/**
 * One zone: the visible item in front and the next one prepared behind it, changed in exactly one frame, or within a
 * transition by the shared clock. The old picture is removed once the new one has been painted.
 */
import type { Cue, ProgramZone } from '../../shared/program/program.ts';
import { progressAt, transitionOf } from '../../shared/program/transition.ts';
import { Pile, whenPresented } from './cover.ts';
import { el } from './dom.ts';
import type { Faults } from './faults.ts';
import type { Frame, FrameLoop } from './frame-loop.ts';
import type { Glimpses } from './glimpses.ts';
import type { ScreenHost } from './host.ts';
import { Passage } from './passage.ts';
import type { Aim } from './refresh.ts';
import { Slot } from './slot.ts';
import type { MediaPool } from './surfaces/media-pool.ts';
import type { SyncStats } from './sync-stats.ts';
import type { TransitionCare } from './transition-care.ts';
import { surfaceKey, turnKey } from './turn.ts';
import { TurnLog } from './turn-log.ts';

/** Painted faintly from this long before its turn on. */
const WARM_MS = 1_000;
/** What failed works again once it has been shown for so long; what breaks sooner is tried ever less often. */
const PROVEN_MS = 15_000;
/** How late an item was painted is measured only if it was ready this long before: then the disk has no part in it. */
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
  /** To be visible now. */
  readonly want: Cue | null;
  /** To be visible after it, when that is near. */
  readonly soon: Cue | null;
}

export interface ZoneUpdate {
  readonly frame: Frame;
  /** Server clock at the moment at which this frame will be seen. */
  readonly at: number;
  /** This panel plays no sound at all. */
  readonly silent: boolean;
  /** False: get everything ready, but show nothing yet. */
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
  /** While the front still takes the place of what was before it. */
  #passage: Passage | null = null;
  #leaving = new Set<Slot>();
  /** Key of the slot that was reported to show an old picture. */
  #staleSaid: string | null = null;
  /** On the page's clock, when the front became it. */
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

  /** True while the next frame is needed too. */
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
      // What loads during a transition takes frames from it.
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

  /** Showing it would change the picture in one frame. */
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

  /** Silent, and its turn over, from this frame on; destroyed when something else covers it. */
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

  /** Null: the new picture takes the place at once. */
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
        message: 'This computer is too slow for transitions: items change without them until it restarts',
      });
    this.#cutShort(passage);
  }

  /** From this frame on only the new picture is seen. */
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

  /** Keeps the back buffer on this cue; null: empty. */
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
      context: { ...this.#context, saw: (picture) => glimpses.saw(this.#zone.id, picture) },
      onReady: () => loop.wake(),
      onFailed: (slot, message) => this.#failed(slot, message),
      onStale: (slot, message) => this.#stale(slot, message),
    });
    this.#back.load(this.element);
  }

  #failed(slot: Slot, message: string): void {
    const { faults, loop } = this.#context;
    if (faults.failed(slot.key, performance.now())) this.#report('fault', slot, message);
    // The turn ends even while nothing else has taken its place.
    if (slot === this.#front) this.#endTurn();
    loop.wake();
  }

  #worked(slot: Slot): void {
    if (this.#context.faults.worked(slot.key)) this.#report('mended', slot, 'it is shown again');
  }

  /** Tells the operator that what the public sees is old, or that it no longer is. */
  #stale(slot: Slot, message: string | null): void {
    const stale = message === null ? null : slot.key;
    if (this.#staleSaid === stale) return;
    this.#staleSaid = stale;
    if (message === null) this.#report('mended', slot, 'it continues');
    else this.#report('fault', slot, `${message}; its last image stays`);
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

/** An address without its query, which may hold keys, and its fragment. */
const withoutSecrets = (address: string): string => {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : 'no address';
};
