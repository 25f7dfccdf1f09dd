/**
 * Faults that screens reported and that are not known to be over, in memory. A fault of an item is over when the item
 * plays again or leaves the program of its screen. A fault of which no player reports the end is over after 30 minutes.
 */
import type { FaultSubject } from '../../shared/protocol/fault-subject.ts';
import type { Play, Showing } from '../../shared/protocol/messages.ts';

/** Nothing reports the end of some faults (a full disk): they count for this long after the last report. */
const FALLBACK_MS = 1_800_000;
/** A turn of this length proves that an item plays: the player's own limit (player/screen/zone-player.ts). */
const PROVEN_MS = 15_000;
/** Per screen. Further items that fail are in the activity log only. */
const MOST_FAULTS = 50;
/** End of a player's sentence about a page that stands still. Its turns go on, so they do not prove that it plays. */
const LAST_IMAGE_STAYS = '; its last image stays';

/** An item, the takeover of a program, or anything else, which is known by its sentence. */
export type Subject = FaultSubject | 'program' | undefined;

export interface OpenFault {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** Server clock, epoch milliseconds, when it was reported first. */
  readonly at: number;
  readonly subject: Subject;
}

interface Entry extends OpenFault {
  /** Server clock, when it was reported last. */
  readonly reportedAt: number;
}

interface Screen {
  readonly faults: Map<string, Entry>;
  /** The player has sent what it shows since then. A player that never does leaves nothing but the fallback. */
  reportsShowing: boolean;
}

const keyOf = (subject: Subject, message: string): string => {
  if (subject === undefined) return `message ${message}`;
  if (subject === 'program') return subject;
  const { item_id, asset } = subject;
  return item_id !== null ? `item ${item_id}` : `asset ${asset}`;
};

const isItem = (subject: Subject): subject is FaultSubject & { item_id: number } =>
  typeof subject === 'object' && subject.item_id !== null;

export class OpenFaults {
  readonly #screens = new Map<string, Screen>();
  readonly #now: () => number;

  /** @param now server clock, epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens a fault, or notes that it was reported again. @param at since when, where that is known */
  open(
    deviceId: string,
    { level, message, subject, at }: Pick<OpenFault, 'level' | 'message' | 'subject'> & { readonly at?: number },
  ): void {
    let screen = this.#screens.get(deviceId);
    if (!screen) this.#screens.set(deviceId, (screen = { faults: new Map(), reportsShowing: false }));
    const key = keyOf(subject, message);
    const before = screen.faults.get(key);
    if (!before && screen.faults.size >= MOST_FAULTS) this.#makeRoom(screen);
    if (!before && screen.faults.size >= MOST_FAULTS) return;
    const now = at ?? this.#now();
    // At the end of the map: the newest fault.
    screen.faults.delete(key);
    screen.faults.set(key, { level, message, subject, at: before?.at ?? now, reportedAt: now });
  }

  /** The player reports that the subject is well again. Items with the same file fail and recover together. */
  end(deviceId: string, subject: FaultSubject | 'program'): void {
    this.#delete(deviceId, keyOf(subject, ''));
    if (subject === 'program' || subject.asset === null) return;
    for (const [key, fault] of [...(this.#screens.get(deviceId)?.faults ?? [])])
      if (typeof fault.subject === 'object' && fault.subject.asset === subject.asset) this.#delete(deviceId, key);
  }

  /** Takes what a screen shows now. */
  shows(deviceId: string, showing: readonly Showing[]): void {
    const screen = this.#screens.get(deviceId);
    if (!screen) return;
    screen.reportsShowing = true;
    const now = this.#now();
    for (const { item_id, since } of showing)
      if (item_id !== null && now - since >= PROVEN_MS) this.#plays(deviceId, item_id, since);
  }

  /** Takes turns that are over. */
  played(deviceId: string, plays: readonly Play[]): void {
    if (!this.#screens.has(deviceId)) return;
    for (const { item_id, started_at, completed } of plays)
      if (item_id !== null && completed) this.#plays(deviceId, item_id, started_at);
  }

  deviceIds(): string[] {
    return [...this.#screens.keys()];
  }

  /**
   * Returns the open faults of a screen, the newest last, and forgets those that are over.
   * @param isShown whether the program of the screen has the item
   */
  list(deviceId: string, isShown: (item: FaultSubject) => boolean): OpenFault[] {
    const screen = this.#screens.get(deviceId);
    if (!screen) return [];
    for (const [key, fault] of [...screen.faults])
      if (this.#isOver(screen, fault, isShown)) this.#delete(deviceId, key);
    return [...screen.faults.values()];
  }

  forget(deviceId: string): void {
    this.#screens.delete(deviceId);
  }

  /** A turn of an item began. A page that only keeps its last image has turns, too. */
  #plays(deviceId: string, itemId: number, since: number): void {
    const key = `item ${itemId}`;
    const fault = this.#screens.get(deviceId)?.faults.get(key);
    if (!fault) return;
    const after = fault.message.endsWith(LAST_IMAGE_STAYS) ? fault.reportedAt + FALLBACK_MS : fault.reportedAt;
    if (since > after) this.#delete(deviceId, key);
  }

  #isOver(screen: Screen, { subject, reportedAt }: Entry, isShown: (item: FaultSubject) => boolean): boolean {
    const isOld = this.#now() - reportedAt > FALLBACK_MS;
    if (isItem(subject)) return !isShown(subject) || (isOld && !screen.reportsShowing);
    // A page that an operator opened has neither id nor file.
    if (typeof subject === 'object' && subject.asset !== null && !isShown(subject)) return true;
    return isOld;
  }

  /** Items are kept rather than sentences, which any player may send in any number. */
  #makeRoom({ faults }: Screen): void {
    for (const [key, { subject }] of faults) if (!isItem(subject)) return void faults.delete(key);
  }

  #delete(deviceId: string, key: string): void {
    const screen = this.#screens.get(deviceId);
    screen?.faults.delete(key);
    if (screen?.faults.size === 0) this.#screens.delete(deviceId);
  }
}
