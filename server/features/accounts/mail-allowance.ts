import { type Clock, seconds } from '../../kernel/clock.ts';
import type { LimitsStore } from './limits.store.ts';

/**
 * These are enough for an invite, its repetition and a notice. Somebody who needs more uses our name to bother somebody
 * else.
 */
const WINDOWS = [
  { kind: 'mail-hour', seconds: 3600, max: 3 },
  { kind: 'mail-day', seconds: 24 * 3600, max: 10 },
] as const;

interface Deps {
  readonly store: LimitsStore;
  readonly clock: Clock;
}

/**
 * Limits how many mails an address gets that others can have sent to it, of every kind and from every workspace
 * together. The count is in the database, so that a restart sends no more.
 */
export class MailAllowance {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes one. Returns 0, or the seconds until there is one to take. Called within a write. */
  take(address: string): number {
    const { clock, store } = this.#deps;
    const now = seconds(clock);
    if (!clock.doubtful) store.deletePast(now);
    const counts = WINDOWS.map(({ kind, seconds: length, max }) => {
      const key = `${kind}:${mailboxOf(address)}`;
      const row = store.current(key, now, length);
      if (row?.isAhead) store.setEnd(key, row.resets_at);
      return { key, end: row?.resets_at ?? now + length, isUsedUp: row !== undefined && row.count >= max };
    });
    const wait = Math.max(0, ...counts.map(({ isUsedUp, end }) => (isUsedUp ? end - now : 0)));
    if (wait > 0) return wait;
    // A window begins with its first mail and is not moved on by the others.
    for (const { key, end } of counts) store.bump(key, now, end);
    return 0;
  }
}

/** Returns the mailbox: `anna+anything@` reaches Anna at most providers. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '');
