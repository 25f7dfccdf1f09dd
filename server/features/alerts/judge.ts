/** Finds what is wrong with a screen from its current state. Pure. */
import type { AlertKind, DarkCause } from '../../../shared/contract/server/alerts.ts';
import type { TelemetryFields } from '../../../shared/protocol/telemetry.ts';

export type Facts = Readonly<Record<string, string | number | null>>;

/** A problem that exists at the time of the check. */
export interface Finding {
  readonly kind: AlertKind;
  readonly ref: string;
  readonly name: string;
  /** Workspace of the problem; null: a problem of the server. */
  readonly workspaceId: string | null;
  readonly facts: Facts;
  /** Start of the problem, epoch seconds, if known; otherwise the time of the first finding counts. */
  readonly since?: number;
  /** Minimum duration in minutes when no rule sets a duration. */
  readonly minutes?: number;
  /** True: it is unknown whether the problem lasts, so an open alert stays and no new alert is raised. */
  readonly isUncertain?: boolean;
}

export interface Rule {
  readonly enabled: boolean;
  readonly threshold: number | null;
  readonly minutes: number;
  readonly mail: boolean;
  readonly webhook: boolean;
  readonly mqtt: boolean;
}
export type Rules = Readonly<Record<AlertKind, Rule>>;

export interface SeenScreen {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly online: boolean;
  /** Time of the last heartbeat in epoch seconds; null if there was none. */
  readonly lastHeartbeat: number | null;
  readonly address: string | null;
  /** Values of the last heartbeat; null: offline. */
  readonly telemetry: TelemetryFields | null;
  /** Milliseconds by which the screen's own clock is behind the server's; null: unknown. */
  readonly clockBehindMs: number | null;
  readonly program: { readonly state: 'waiting' | 'ready' | 'failed'; readonly reason?: string | undefined } | null;
}

/** Two screens that go dark within this number of seconds are taken to have the same reason. */
const TOGETHER_S = 180;

/** Returns the network of an address as an estimate: the first three numbers (IPv4) or the first half (IPv6). */
export const networkOf = (address: string | null): string | null => {
  if (!address) return null;
  const plain = address.replace(/^::ffff:/, '');
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(plain);
  return v4 ? v4[1]! : plain.includes(':') ? plain.split(':').slice(0, 4).join(':') : null;
};

/** @param neighbours other screens of the same network */
export const causeOf = (
  screen: Pick<SeenScreen, 'lastHeartbeat'>,
  neighbours: readonly Pick<SeenScreen, 'online' | 'lastHeartbeat'>[],
): DarkCause => {
  const { lastHeartbeat } = screen;
  if (lastHeartbeat === null || neighbours.length === 0) return 'unknown';
  const wentAlong = neighbours.filter(
    (other) => !other.online && Math.abs((other.lastHeartbeat ?? 0) - lastHeartbeat) <= TOGETHER_S,
  ).length;
  const online = neighbours.filter((other) => other.online).length;
  // A single neighbour that went dark too is evidence only if the network has no other neighbour.
  if (wentAlong === neighbours.length || (wentAlong > 1 && wentAlong >= neighbours.length / 2)) return 'network';
  return online > wentAlong ? 'alone' : 'unknown';
};

/** Returns problems of the machine of an online screen. */
const ofMachine = (
  telemetry: TelemetryFields | null,
  clockBehindMs: number | null,
  rules: Rules,
): { kind: AlertKind; facts: Facts }[] => {
  const found: { kind: AlertKind; facts: Facts }[] = [];
  const over = (kind: AlertKind, value: number | null, isWrong: (value: number, threshold: number) => boolean) => {
    const { threshold } = rules[kind];
    if (value !== null && threshold !== null && isWrong(value, threshold))
      found.push({ kind, facts: { value, threshold } });
  };
  const atMost = (value: number, threshold: number) => value <= threshold;
  const atLeast = (value: number, threshold: number) => value >= threshold;
  over('screen_clock', clockBehindMs === null ? null : Math.round(Math.abs(clockBehindMs) / 100) / 10, atLeast);
  if (!telemetry) return found;
  const { storage_free_mb: free, storage_total_mb: total, battery_charging: charging } = telemetry;
  over('screen_cpu', telemetry.cpu_usage, atLeast);
  over('screen_hot', telemetry.temperature_c, atLeast);
  over('screen_wifi', telemetry.wifi_rssi, atMost);
  over('screen_battery', charging === 0 ? telemetry.battery_level : null, atMost);
  over('screen_disk', free !== null && total ? Math.round((1000 * free) / total) / 10 : null, atMost);
  return found;
};

/** @param neighboursOf other screens with an address of the same network; called only for dark screens */
export const judgeScreen = (
  screen: SeenScreen,
  rules: Rules,
  neighboursOf: (screen: SeenScreen) => readonly SeenScreen[],
): Finding[] => {
  const { id: ref, name, workspaceId } = screen;
  const finding = (kind: AlertKind, facts: Facts, since?: number): Finding[] =>
    rules[kind].enabled ? [{ kind, ref, name, workspaceId, facts, ...(since !== undefined && { since }) }] : [];
  if (!screen.online) {
    // A screen that was never online is still being set up, so it raises no alert.
    if (screen.lastHeartbeat === null) return [];
    const neighbours = neighboursOf(screen);
    const facts = {
      cause: causeOf(screen, neighbours),
      address: screen.address,
      neighbours: neighbours.filter((other) => other.online).length,
    };
    return finding('screen_dark', facts, screen.lastHeartbeat);
  }
  const { program, telemetry, clockBehindMs } = screen;
  return [
    ...(program && program.state !== 'ready' ? finding('screen_program', { message: program.reason ?? '' }) : []),
    ...ofMachine(telemetry, clockBehindMs, rules).flatMap(({ kind, facts }) => finding(kind, facts)),
  ];
};
