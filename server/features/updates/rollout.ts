/** Computes the next step of a rollout from the state of its screens and the time. Pure. */
import type { RolloutStage } from '../../../shared/contract/server/updates.ts';

export interface RolloutScreen {
  readonly id: string;
  readonly name: string;
  readonly stage: RolloutStage;
  readonly online: boolean;
  /** Version that the screen reports. */
  readonly version: string;
  /** False if the program of the screen has failed. */
  readonly showing: boolean;
  /** Time of the last heartbeat in epoch seconds; null if there was none. */
  readonly lastHeartbeat: number | null;
  readonly status: 'waiting' | 'told' | 'healthy' | 'failed' | 'unsupported';
  /** Time at which the update command was sent, in epoch seconds. */
  readonly toldAt: number | null;
  readonly seenAt: number | null;
  readonly error: string | null;
}

export interface RolloutState {
  readonly version: string;
  readonly stage: RolloutStage;
  readonly minutes: number;
}

export interface RolloutStep {
  /** Ids of screens that run the version for the first time. */
  readonly seen: readonly string[];
  readonly healthy: readonly string[];
  readonly failed: readonly { readonly id: string; readonly error: string }[];
  /** Ids of the screens to which the update command must be sent now. */
  readonly tell: readonly string[];
  readonly stage: RolloutStage;
  readonly outcome: 'running' | 'done' | 'stopped';
  /** The reason as a sentence, if the outcome is `stopped`. */
  readonly reason: string | null;
}

const STAGES: readonly RolloutStage[] = ['first', 'groups', 'everyone'];
/**
 * Seconds after which a version counts as stable. A version that crashes does so within this time; heartbeats come
 * every 15 s.
 */
const SETTLED_S = 20;

export const nextStep = (rollout: RolloutState, screens: readonly RolloutScreen[], now: number): RolloutStep => {
  const judged = screens.map((screen) => judge(rollout, screen, now));
  const changed = (status: RolloutScreen['status']) =>
    judged.filter((each, i) => each.status === status && screens[i]!.status !== status).map(({ id }) => id);
  const failed = judged
    .filter((each, i) => each.status === 'failed' && screens[i]!.status !== 'failed')
    .map(({ id, error }) => ({ id, error: error ?? '' }));
  const seen = judged.filter((each, i) => each.seenAt !== null && screens[i]!.seenAt === null).map(({ id }) => id);
  const found = { seen, healthy: changed('healthy'), failed };
  const reason = whyStop(rollout, judged);
  if (reason !== null) return { ...found, tell: [], stage: rollout.stage, outcome: 'stopped', reason };
  let stage = rollout.stage;
  while (stage !== 'everyone' && isThrough(stage, judged)) stage = STAGES[STAGES.indexOf(stage) + 1]!;
  const turn = inTurn(stage, judged);
  const tell = turn.filter(({ status, online }) => status === 'waiting' && online).map(({ id }) => id);
  const isDone = stage === 'everyone' && turn.every(({ status }) => status === 'healthy' || status === 'unsupported');
  return { ...found, tell, stage, outcome: isDone ? 'done' : 'running', reason: null };
};

const inTurn = (stage: RolloutStage, screens: readonly RolloutScreen[]): readonly RolloutScreen[] =>
  screens.filter((screen) => STAGES.indexOf(screen.stage) <= STAGES.indexOf(stage));

const judge = ({ version, minutes }: RolloutState, screen: RolloutScreen, now: number): RolloutScreen => {
  if (screen.status === 'unsupported' || screen.status === 'failed') return screen;
  const has = screen.online && screen.version === version;
  const seenAt = has ? (screen.seenAt ?? now) : screen.seenAt;
  const settled = has && screen.showing && seenAt !== null && (screen.lastHeartbeat ?? 0) >= seenAt + SETTLED_S;
  if (settled || screen.status === 'healthy') return { ...screen, seenAt, status: 'healthy' };
  const late = screen.status === 'told' && screen.toldAt !== null && now - screen.toldAt >= minutes * 60;
  if (!late) return { ...screen, seenAt };
  const error = !screen.online
    ? `is not back after ${minutes} minutes`
    : screen.version === version
      ? `runs ${version}, but does not show its program after ${minutes} minutes`
      : `still runs ${screen.version} after ${minutes} minutes`;
  return { ...screen, seenAt, status: 'failed', error };
};

const whyStop = ({ version }: RolloutState, screens: readonly RolloutScreen[]): string | null => {
  const failed = screens.filter(({ status }) => status === 'failed');
  const unable = screens.find(({ stage, status }) => stage === 'first' && status === 'unsupported');
  if (unable) return `${unable.name} cannot update itself: choose another first screen.`;
  if (failed.length === 0) return null;
  const [one] = failed;
  return failed.length === 1
    ? `${one!.name} did not come up with ${version}: it ${one!.error}.`
    : `${failed.length} screens did not come up with ${version}, among them ${one!.name}: it ${one!.error}.`;
};

/** The first screen must be healthy. Screens of the groups may also be unsupported, or wait while they are offline. */
const isThrough = (stage: RolloutStage, screens: readonly RolloutScreen[]): boolean =>
  inTurn(stage, screens).every(
    ({ stage: own, status, online }) =>
      status === 'healthy' || status === 'unsupported' || (own !== 'first' && status === 'waiting' && !online),
  );
