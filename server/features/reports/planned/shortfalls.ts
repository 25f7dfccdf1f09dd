/** Explains why screens may have shown less than planned, for the screens with the most missing time. */
import type { Delivery, Shortfall } from '../../../../shared/contract/server/reports.ts';
import { createGate, type Gate } from '../../../../shared/program/dayparting.ts';
import { firstIdAt } from '../../../kernel/ids.ts';
import { readArchived } from '../../../programs/program-archive.ts';
import type { Period } from '../ingest/sums.ts';
import type { PlannedStore, SpanRow } from './planned.store.ts';
import type { Interval, ShortfallsStore } from './shortfalls.store.ts';

/**
 * Minimum missing time that is reported. Less can come from a change of the program, or from a play that has not
 * arrived yet.
 */
const LEAST_SECONDS = 60;
/** Minimum missing share of the planned time that is reported. */
const LEAST_SHARE = 0.005;
/** Maximum number of screens per report. The screens with the most missing time are listed. */
const MAX_SHORTFALLS = 20;

interface Deps {
  readonly store: ShortfallsStore;
  readonly planned: Pick<PlannedStore, 'spans' | 'archived'>;
}

export class Shortfalls {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param period part of the report for which plans are known */
  of(
    { workspaceId, now }: { readonly workspaceId: string; readonly now: number },
    period: Period,
    devices: Delivery['by_device'],
  ): Shortfall[] {
    const missing = devices.flatMap(({ device_id, device_name, planned_seconds, total_seconds }) => {
      const seconds = planned_seconds - total_seconds;
      return seconds >= Math.max(LEAST_SECONDS, LEAST_SHARE * planned_seconds)
        ? [{ device_id, device_name, missing_seconds: seconds }]
        : [];
    });
    return missing
      .sort((a, b) => b.missing_seconds - a.missing_seconds)
      .slice(0, MAX_SHORTFALLS)
      .map((row) => ({ ...row, ...this.#reasons(workspaceId, row.device_id, period, now) }));
  }

  #reasons(
    workspaceId: string,
    deviceId: string,
    { start, end }: Period,
    now: number,
  ): Omit<Shortfall, 'device_id' | 'device_name' | 'missing_seconds'> {
    const { store, planned } = this.#deps;
    const whose = { deviceId, start: Math.floor(start / 1000), end: Math.ceil(end / 1000) };
    const spans = [...planned.spans({ workspaceId, deviceId }, { start, end })];
    const on = this.#whileOn(spans, { start, end });
    const off = store.off(whose);
    const faults = store.faults(workspaceId, deviceId, firstIdAt(start), firstIdAt(end));
    const device = store.device(deviceId);
    const created = device && device.created_at * 1000 > start && device.created_at * 1000 < end;
    const removed = device ? null : (spans.at(-1)?.until ?? null);
    const last = off.at(-1);
    return {
      off_seconds: overlap(off, on),
      off_since: last && last.until === null && end >= now ? last.since : null,
      program_seconds: overlap(store.withoutProgram(workspaceId, whose), on),
      faults: faults?.count ?? 0,
      last_fault: faults?.details ?? null,
      added_at: created ? device.created_at : null,
      removed_at: removed === null ? null : Math.floor(removed / 1000),
    };
  }

  /** Returns the times in which the panel was planned to be on. */
  #whileOn(spans: readonly SpanRow[], { start, end }: Period): Period[] {
    const gates = new Map<number, Gate>();
    return spans.flatMap(({ program, timezone, since, until }) => {
      let gate = gates.get(program);
      if (!gate) {
        const body = this.#deps.planned.archived(program);
        gates.set(program, (gate = createGate(body ? readArchived(body).hours : [], timezone)));
      }
      const on: Period[] = [];
      const to = Math.min(until ?? end, end);
      for (let at = Math.max(since, start); at < to; ) {
        const { open, until: next } = gate(at);
        if (open) on.push({ start: at, end: Math.min(next, to) });
        at = next;
      }
      return on;
    });
  }
}

/** Returns the number of seconds that are in both lists of intervals. Both lists are sorted. */
const overlap = (intervals: readonly Interval[], on: readonly Period[]): number => {
  let ms = 0;
  for (const { since, until } of intervals)
    for (const { start, end } of on)
      ms += Math.max(0, Math.min(until === null ? end : until * 1000, end) - Math.max(since * 1000, start));
  return Math.round(ms / 1000);
};
