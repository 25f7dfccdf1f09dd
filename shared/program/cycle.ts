/** The order of plays in one zone: the items that may play now are played one after the other, again and again. */
import { mod } from './civil.ts';
import { createItemGate, type Gate } from './dayparting.ts';
import type { ProgramItem } from './program.ts';
import { cacheWindows, type Window } from './windows.ts';

/**
 * The items that may play at an instant, in order, and the time range in which these items stay the same (infinite if
 * they never change).
 */
export interface Cycle extends Window {
  readonly items: readonly ProgramItem[];
  /** Milliseconds of one round; 0 without items. */
  readonly total: number;
}

/**
 * All items of a zone, from one source. `cycle` returns the items that may play. Rings are compared by identity, so
 * there is one object per source and zone.
 */
export interface Ring {
  cycle(instant: number): Cycle;
}

export function createRing(items: readonly ProgramItem[], timezone: string): Ring {
  // A gate decides when an item may play. Items with the same times share a gate, because a gate is expensive to
  // compute.
  const gates = new Map<string, Gate>();
  const gated = items.map((item) => {
    const key = JSON.stringify([item.blocks, item.valid]);
    const gate = gates.get(key) ?? createItemGate(item, timezone);
    gates.set(key, gate);
    return { item, gate };
  });

  return {
    cycle: cacheWindows((instant) => {
      let since = Number.NEGATIVE_INFINITY;
      let until = Number.POSITIVE_INFINITY;
      for (const gate of gates.values()) {
        const window = gate(instant);
        since = Math.max(since, window.since);
        until = Math.min(until, window.until);
      }
      const open = gated.filter(({ gate }) => gate(instant).open).map(({ item }) => item);
      return { since, until, items: open, total: open.reduce((sum, item) => sum + item.duration_ms, 0) };
    }),
  };
}

export interface Turn extends Window {
  readonly item: ProgramItem;
}

/**
 * Maximum duration of a play in milliseconds. A longer play is divided into pieces of a day, counted from its
 * beginning. This limits how far the resolver must search for an interruption, and a page that stays for weeks gets one
 * play record per day.
 */
export const MAX_TURN_MS = 86_400_000;

/**
 * Returns the planned play at `instant` (whole milliseconds) when a round began at `anchor`. Also valid for earlier
 * instants. The cycle must have items.
 */
export function turnAt({ items, total }: Cycle, anchor: number, instant: number): Turn {
  let position = mod(instant - anchor, total);
  let start = instant - position;
  for (const item of items) {
    if (position < item.duration_ms) {
      const since = start + Math.floor(position / MAX_TURN_MS) * MAX_TURN_MS;
      return { item, since, until: Math.min(since + MAX_TURN_MS, start + item.duration_ms) };
    }
    position -= item.duration_ms;
    start += item.duration_ms;
  }
  throw new RangeError('a cycle without items has no turns');
}
