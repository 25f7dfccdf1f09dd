import { type Clock, seconds } from '../../kernel/clock.ts';
import { leftOf } from '../../kernel/window.ts';
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
    const rows = WINDOWS.map((window) => ({
      window,
      ...this.#current(`${window.kind}:${mailboxOf(address)}`, now, window.seconds),
    }));
    const wait = Math.max(
      0,
      ...rows.map(({ window, row }) => (row && row.count >= window.max ? row.resets_at - now : 0)),
    );
    if (wait > 0) return wait;
    // A window begins with its first mail and is not moved on by the others.
    for (const { window, key, row } of rows) store.bump(key, now, row?.resets_at ?? now + window.seconds);
    return 0;
  }

  #current(key: string, now: number, length: number) {
    const row = this.#deps.store.find(key);
    if (!row || row.resets_at <= now) return { key, row: undefined };
    const resets_at = now + leftOf({ end: row.resets_at, now, length });
    // A clock that was ahead has written it down. From now on it has an end that comes.
    if (resets_at < row.resets_at) this.#deps.store.setEnd(key, resets_at);
    return { key, row: { ...row, resets_at } };
  }
}

/** Returns the mailbox: `anna+anything@` reaches Anna at most providers. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '');
