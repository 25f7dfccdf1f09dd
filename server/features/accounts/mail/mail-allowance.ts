import { type Clock, seconds } from '../../../kernel/time/clock.ts';
import type { LimitsStore } from '../sign-in/limits.store.ts';

/**
 * Maximum number of e-mails per address and period: enough for an invite, a repetition and a notice. Higher limits
 * would allow users to harass an address through this server.
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
 * Limits the e-mails that other people can cause to an address, of all kinds and from all workspaces together. Stored
 * in the database, so that a restart does not reset the count.
 */
export class MailAllowance {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Counts one e-mail against the limits. Returns 0 if it may be sent, else the seconds until an e-mail is allowed
   * again. Called within a write transaction.
   */
  count(address: string): number {
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
    // Keeps the end of the hour or day: it begins with the first e-mail, and later e-mails do not extend it.
    for (const { key, end } of counts) store.bump(key, now, end);
    return 0;
  }
}

/** Returns the mailbox of an address: `anna+anything@` reaches Anna at most providers. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '');
