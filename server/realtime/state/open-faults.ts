/**
 * Open faults in memory: faults that screens reported and whose end is not known. A fault of an item is over when the
 * item plays again or leaves the program of its screen. A fault of which no player reports the end is over after 30
 * minutes.
 */
import type { FaultSubject } from '../../../shared/protocol/fault-subject.ts';
import type { Play, Showing } from '../../../shared/protocol/messages.ts';

/**
 * Time in milliseconds for which a fault stays open after the last report, if no player reports its end (for example a
 * full disk).
 */
const FALLBACK_MS = 1_800_000;
/**
 * Time on the screen, in milliseconds, that proves that an item plays. Equals the player's own limit
 * (player/screen/playing/zone-player.ts).
 */
const PROVEN_MS = 15_000;
/** Maximum number of open faults per screen. If more items fail, their faults are in the activity log only. */
const MOST_FAULTS = 50;
/**
 * Ends of a player's sentence about a page of which only the last image is shown: of current players, and of players
 * before December 2026. For such a page, being on the screen does not prove that the page works.
 */
const LAST_IMAGE_STAYS = ['; the last image stays on the screen', '; its last image stays'] as const;

/** Start of the sentence about a program that a player refused. */
export const NOT_TAKEN_OVER = 'program not taken over';

/** Subject of a fault: an item, the change to a new program, or anything else, which is identified by its sentence. */
export type Subject = FaultSubject | 'program' | undefined;

export interface OpenFault {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** Time of the first report, in epoch milliseconds of the server clock. */
  readonly at: number;
  readonly subject: Subject;
}

interface Entry extends OpenFault {
  /** Time of the last report, in epoch milliseconds of the server clock. */
  readonly reportedAt: number;
  /** Start of the time limit: the last report, or the start of the server for a fault of an open alert. */
  readonly countedFrom: number;
}

interface Screen {
  readonly faults: Map<string, Entry>;
  /**
   * Whether the player has reported what it shows. For a player that never reports it, faults of items also end
   * after a time limit.
   */
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

  /**
   * Opens a fault, or records that the same fault was reported again.
   * @param at start of the fault, if known
   * @param isRestored true for a fault of an alert that was open when the server stopped. Its screen may be offline, so
   *   the alert stays until the screen reports again.
   */
  open(
    deviceId: string,
    {
      level,
      message,
      subject,
      at,
      isRestored = false,
    }: Pick<OpenFault, 'level' | 'message' | 'subject'> & { readonly at?: number; readonly isRestored?: boolean },
  ): void {
    let screen = this.#screens.get(deviceId);
    if (!screen) this.#screens.set(deviceId, (screen = { faults: new Map(), reportsShowing: false }));
    if (isRestored && isItem(subject)) screen.reportsShowing = true;
    const key = keyOf(subject, message);
    const before = screen.faults.get(key);
    if (!before && screen.faults.size >= MOST_FAULTS) this.#makeRoom(screen);
    if (!before && screen.faults.size >= MOST_FAULTS) return;
    const reportedAt = at ?? this.#now();
    const countedFrom = isRestored ? this.#now() : reportedAt;
    // Moves the fault to the end of the map, because it is now the newest.
    screen.faults.delete(key);
    screen.faults.set(key, { level, message, subject, at: before?.at ?? reportedAt, reportedAt, countedFrom });
  }

  /**
   * Ends the faults of a subject. Called when the player reports that the subject works again. Items with the same file
   * fail and recover together.
   */
  end(deviceId: string, subject: FaultSubject | 'program'): void {
    this.#delete(deviceId, keyOf(subject, ''));
    if (subject === 'program' || subject.asset === null) return;
    for (const [key, fault] of [...(this.#screens.get(deviceId)?.faults ?? [])])
      if (typeof fault.subject === 'object' && fault.subject.asset === subject.asset) this.#delete(deviceId, key);
  }

  /** Records what a screen shows now, which may end faults. */
  shows(deviceId: string, showing: readonly Showing[]): void {
    const screen = this.#screens.get(deviceId);
    if (!screen) return;
    screen.reportsShowing = true;
    const now = this.#now();
    for (const { item_id, since } of showing)
      if (item_id !== null && now - since >= PROVEN_MS) this.#plays(deviceId, item_id, since);
  }

  /** Ends faults of items that have since played completely. */
  played(deviceId: string, plays: readonly Play[]): void {
    if (!this.#screens.has(deviceId)) return;
    for (const { item_id, started_at, completed } of plays)
      if (item_id !== null && completed) this.#plays(deviceId, item_id, started_at);
  }

  deviceIds(): string[] {
    return [...this.#screens.keys()];
  }

  /**
   * Returns the open faults of a screen, the newest last, and deletes faults that are over.
   * @param isShown returns
   * whether the program of the screen contains the item
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

  /**
   * Ends the fault of an item that was shown after the last report of the fault. A page that only keeps its last image
   * is shown, too. Its fault ends only if the page was shown more than {@link FALLBACK_MS} after the last report.
   */
  #plays(deviceId: string, itemId: number, since: number): void {
    const key = `item ${itemId}`;
    const fault = this.#screens.get(deviceId)?.faults.get(key);
    if (!fault) return;
    const after = LAST_IMAGE_STAYS.some((end) => fault.message.endsWith(end))
      ? fault.reportedAt + FALLBACK_MS
      : fault.reportedAt;
    if (since > after) this.#delete(deviceId, key);
  }

  #isOver(screen: Screen, { subject, countedFrom }: Entry, isShown: (item: FaultSubject) => boolean): boolean {
    const isOld = this.#now() - countedFrom > FALLBACK_MS;
    if (isItem(subject)) return !isShown(subject) || (isOld && !screen.reportsShowing);
    // A page that an operator opened has neither id nor file, so it is not searched in the program.
    if (typeof subject === 'object' && subject.asset !== null && !isShown(subject)) return true;
    return isOld;
  }

  /**
   * Drops the oldest fault that is not about an item. Faults of items stay, because any player may send any number of
   * other sentences.
   */
  #makeRoom({ faults }: Screen): void {
    for (const [key, { subject }] of faults) if (!isItem(subject)) return void faults.delete(key);
  }

  #delete(deviceId: string, key: string): void {
    const screen = this.#screens.get(deviceId);
    screen?.faults.delete(key);
    if (screen?.faults.size === 0) this.#screens.delete(deviceId);
  }
}
