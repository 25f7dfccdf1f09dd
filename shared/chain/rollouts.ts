/**
 * Rolls out a release to the stores of a chain in waves. The next wave begins automatically when all stores of earlier
 * waves have been healthy for a while, and everything stops at the first unhealthy store. Pure: the next step is
 * computed from the stored state of each store, its current data, and the time.
 */
import { compareVersions } from '../desktop/update-state.ts';

const MINUTE_MS = 60_000;
/**
 * Time limit for a connected store that has received the order or is installing. A store that does not run the new
 * version after this time counts as unhealthy.
 */
export const LATE_MS = 30 * MINUTE_MS;
/**
 * Time limit of downloads. A release has hundreds of megabytes, and a store may fetch only slowly and only in certain
 * hours.
 */
export const FETCHING_MS = 24 * 60 * MINUTE_MS;
/**
 * Time limit without a connection after a store has received the order. After this time the store counts as unhealthy.
 */
export const GONE_MS = 15 * MINUTE_MS;
/**
 * Time limit for a store that runs the new version with fewer screens online than before. After this time the store
 * counts as unhealthy. A server needs a minute to start, and players need another minute to reconnect.
 */
export const LACKING_MS = 10 * MINUTE_MS;
/** Maximum time by which a store that is offline when its wave begins delays the next wave. */
export const OFFLINE_MS = 15 * MINUTE_MS;

/**
 * States of a store in a rollout, worst first. `refused`: the store gives a reason for not installing, and runs as
 * before. `unreachable`: the store receives the order when it connects. `told`: the store has received the order.
 */
export const WAVE_STATES = [
  'unhealthy',
  'refused',
  'unreachable',
  'waiting',
  'told',
  'fetching',
  'installing',
  'healthy',
  'left_out',
] as const;
export type WaveState = (typeof WAVE_STATES)[number];

/** Progress of an update as reported by the store. `went_back`: the previous version runs again. */
export const UPDATE_PHASES = ['fetching', 'installing', 'done', 'failed', 'went_back'] as const;
export type UpdatePhase = (typeof UPDATE_PHASES)[number];

/** Rule that selects the stores of a wave. Stores of earlier waves are not selected again. */
export type WaveChoice =
  | { readonly which: 'named'; readonly ids: readonly string[] }
  | { readonly which: 'count'; readonly count: number }
  | { readonly which: 'region'; readonly region: string }
  | { readonly which: 'tag'; readonly tag: string }
  | { readonly which: 'rest' };

interface Placed {
  readonly ref: string;
  readonly region: string;
  readonly tags: readonly string[];
  readonly line: string;
}

/**
 * Puts each store into the first wave that selects it. A wave given as a number of stores prefers stores that can be
 * reached now.
 */
export const placeStores = <S extends Placed>(waves: readonly WaveChoice[], stores: readonly S[]): S[][] => {
  const left = new Set(stores);
  return waves.map((wave) => {
    const meant = meantBy(wave, [...left]);
    for (const store of meant) left.delete(store);
    return meant;
  });
};

const meantBy = <S extends Placed>(wave: WaveChoice, stores: S[]): S[] => {
  switch (wave.which) {
    case 'named': {
      const named = new Set(wave.ids);
      return stores.filter(({ ref }) => named.has(ref));
    }
    case 'count':
      return stores.toSorted((a, b) => Number(b.line === 'up') - Number(a.line === 'up')).slice(0, wave.count);
    case 'region':
      return stores.filter(({ region }) => region === wave.region);
    case 'tag':
      return stores.filter(({ tags }) => tags.some((tag) => tag.toLowerCase() === wave.tag.toLowerCase()));
    case 'rest':
      return stores;
  }
};

/** Stored state of a store in a rollout. Times are epoch milliseconds. */
export interface WaveMemory {
  readonly state: WaveState;
  /** Reason as a sentence; '' if there is none. */
  readonly why: string;
  /** Time at which this state began. */
  readonly at: number;
  /** Time at which the store received the order; null: not yet. */
  readonly told_at: number | null;
  /** Number of screens online when the store received the order; null: not received, or no longer counted. */
  readonly before_online: number | null;
  /**
   * Time since which the store has run the new version with fewer screens online than before; null: the store has as
   * many screens online as before, or does not run the new version.
   */
  readonly lacking_at: number | null;
}

export interface WaveStore extends WaveMemory {
  /** Number (id) of the store. */
  readonly id: number;
  /** Number of the store's wave, from 0. */
  readonly wave: number;
  // The fields below are the current data of the store.
  readonly line: 'up' | 'down' | 'left';
  /** Time of the store's last presence message; null: never. */
  readonly heard_at: number | null;
  /** Whether the store can receive messages now. */
  readonly listens: boolean;
  readonly version: string | null;
  readonly online: number;
  /** The first incident since the store received the order; null: none. */
  readonly incident: string | null;
  /** The store's report about this update; null: none. */
  readonly update: { readonly phase: UpdatePhase; readonly why: string } | null;
}

export interface RolloutNow {
  readonly version: string;
  /** Number of waves. */
  readonly waves: number;
  /**
   * State of the rollout. `paused`: by a person. `stopped`: automatically, until a person decides. In both states no
   * store receives an order.
   */
  readonly status: 'running' | 'paused' | 'stopped';
  /** Number of the current wave, from 0, and the time at which this wave began. */
  readonly wave: number;
  readonly wave_at: number;
  /** Time that each store must be healthy before the next wave begins. */
  readonly healthy_ms: number;
  /** Maximum number of stores that update at once. */
  readonly at_once: number;
  /**
   * Time since which headquarters has been running and receiving messages of stores. A store's silence before this time
   * does not count.
   */
  readonly listening_since: number;
}

export interface RolloutStep {
  readonly status: RolloutNow['status'] | 'done';
  /** The store that caused the stop, and the reason; null: no stop. */
  readonly stop: { readonly store: number; readonly why: string } | null;
  readonly wave: number;
  readonly wave_at: number;
  /** Stored states that have changed, by number of the store. */
  readonly changed: ReadonlyMap<number, WaveMemory>;
  /** Numbers of the stores that must receive the order now. Their stored states say `told` already. */
  readonly tell: readonly number[];
}

export const nextRolloutStep = (now: number, rollout: RolloutNow, stores: readonly WaveStore[]): RolloutStep => {
  const judged = new Map(stores.map((store) => [store.id, judge(now, rollout, store)]));
  let { wave, wave_at } = rollout;
  const upTo = (last: number) => [...judged.values()].filter((store) => store.wave <= last);
  const stop = whyStop([...judged.values()], upTo(wave));
  const tell: number[] = [];
  let { status }: { status: RolloutStep['status'] } = rollout;
  if (stop) status = 'stopped';
  else if (rollout.status === 'running') {
    while (wave < rollout.waves - 1 && isThrough(now, rollout, upTo(wave))) {
      wave++;
      wave_at = now;
    }
    const all = upTo(wave);
    const ready = all.filter(isReady).toSorted((a, b) => a.wave - b.wave);
    const room = rollout.at_once - all.filter(isAtIt).length;
    for (const store of ready.slice(0, Math.max(0, room))) {
      tell.push(store.id);
      judged.set(store.id, { ...become(now, store, 'told'), told_at: now, before_online: store.online });
    }
    const isLast = wave === rollout.waves - 1;
    if (isLast && isThrough(now, rollout, all) && !all.some(({ state }) => state === 'unreachable')) status = 'done';
  }
  const changed = new Map<number, WaveMemory>();
  for (const store of stores) {
    const is = judged.get(store.id)!;
    if (is !== store) changed.set(store.id, memoryOf(is));
  }
  return { status, stop: stop ?? null, wave, wave_at, changed, tell };
};

/** Returns the initial state of a store, also for a retry by a person. */
export const freshMemory = (now: number): WaveMemory => ({
  state: 'waiting',
  why: '',
  at: now,
  told_at: null,
  before_online: null,
  lacking_at: null,
});

const memoryOf = ({ state, why, at, told_at, before_online, lacking_at }: WaveStore): WaveMemory => ({
  state,
  why,
  at,
  told_at,
  before_online,
  lacking_at,
});

const become = (now: number, store: WaveStore, state: WaveState, why = ''): WaveStore =>
  store.state === state ? store : { ...store, state, why, at: now };

const isReady = ({ state, line, listens }: WaveStore): boolean => state === 'waiting' && line === 'up' && listens;
const isAtIt = ({ state }: WaveStore): boolean => state === 'told' || state === 'fetching' || state === 'installing';
/**
 * Returns whether the store has been healthy for the whole required time. Faults after that time are not attributed to
 * the new version.
 */
const isProven = (now: number, { healthy_ms }: RolloutNow, { state, at, lacking_at }: WaveStore): boolean =>
  state === 'healthy' && lacking_at === null && now - at >= healthy_ms;

const judge = (now: number, rollout: RolloutNow, store: WaveStore): WaveStore => {
  if (['left_out', 'refused', 'unhealthy'].includes(store.state) || isProven(now, rollout, store)) return store;
  if (store.line === 'left') return become(now, store, 'left_out', 'The store left headquarters.');
  const has = store.version !== null && compareVersions(store.version, rollout.version) >= 0;
  if (store.state === 'waiting' || store.state === 'unreachable') return judgeWaiting(now, rollout, store, has);
  const next = has ? withLack(now, store) : store;
  const isTried = store.update?.phase === 'installing';
  const isHealthy = has && next.line === 'up' && next.lacking_at === null && !isTried;
  const why = whyUnhealthy(now, rollout, next, has, isHealthy);
  if (why !== undefined) return become(now, next, 'unhealthy', why);
  if (isHealthy || store.state === 'healthy') return become(now, next, 'healthy');
  const phase = store.update?.phase;
  const state = has || phase === 'installing' ? 'installing' : phase === 'fetching' ? 'fetching' : store.state;
  return become(now, next, state);
};

const judgeWaiting = (now: number, rollout: RolloutNow, store: WaveStore, has: boolean): WaveStore => {
  if (store.line === 'up' && has) return become(now, store, 'healthy');
  if (store.line === 'up' && store.listens) return become(now, store, 'waiting');
  const since = Math.max(store.at, rollout.wave_at, rollout.listening_since);
  const isOver = store.wave <= rollout.wave && now - since >= OFFLINE_MS;
  return isOver ? become(now, store, 'unreachable') : store;
};

const withLack = (now: number, store: WaveStore): WaveStore => {
  const isLacking = store.line === 'up' && store.online < (store.before_online ?? 0);
  if (isLacking === (store.lacking_at !== null)) return store;
  // The number of screens is unknown while there is no connection.
  if (store.line !== 'up') return store;
  return { ...store, lacking_at: isLacking ? now : null };
};

const whyUnhealthy = (
  now: number,
  { listening_since }: RolloutNow,
  store: WaveStore,
  has: boolean,
  isHealthy: boolean,
): string | undefined => {
  const { state, update, line, heard_at, at, incident, online, before_online, lacking_at, version } = store;
  if (update?.phase === 'went_back')
    return `The new version did not work in the store, and the earlier version runs again: ${update.why}`;
  if (update?.phase === 'failed') return `The version could not be installed: ${update.why}`;
  if (incident !== null) return `An incident happened after the update began: ${incident}`;
  if (line === 'down' && now - Math.max(heard_at ?? 0, at, listening_since) >= GONE_MS)
    return `There was no contact with the store for ${minutes(GONE_MS)} minutes.`;
  if (line === 'down') return undefined;
  if (state === 'healthy' && !has) return `The store runs version ${version} again.`;
  if (lacking_at !== null && now - lacking_at >= LACKING_MS)
    return `${before_online} screens were online before the update, but only ${online} after ${minutes(LACKING_MS)} minutes.`;
  if (isHealthy || state === 'healthy' || now - at < (state === 'fetching' ? FETCHING_MS : LATE_MS)) return undefined;
  if (state === 'fetching') return `The store has been fetching the files for ${minutes(FETCHING_MS) / 60} hours.`;
  return has
    ? `The store is still testing the version after ${minutes(LATE_MS)} minutes.`
    : `The store still runs ${version ?? 'another version'} after ${minutes(LATE_MS)} minutes.`;
};

const minutes = (ms: number): number => ms / MINUTE_MS;

/**
 * Returns the reason to stop the rollout: an unhealthy store, or a wave in which all stores refused. Such a wave does
 * not show whether the version works.
 */
const whyStop = (all: readonly WaveStore[], begun: readonly WaveStore[]): RolloutStep['stop'] | undefined => {
  const bad = all.find(({ state }) => state === 'unhealthy');
  if (bad) return { store: bad.id, why: bad.why };
  const refused = begun.find(({ state }) => state === 'refused');
  const isNone = begun.every(({ state }) => state === 'refused' || state === 'left_out');
  return refused && isNone ? { store: refused.id, why: refused.why } : undefined;
};

/**
 * Returns whether these waves are complete: every store has been healthy for the whole time, refused, left, or cannot
 * be reached, and at least one store is healthy (or all stores left).
 */
const isThrough = (now: number, rollout: RolloutNow, begun: readonly WaveStore[]): boolean =>
  begun.every(
    (store) => ['refused', 'left_out', 'unreachable'].includes(store.state) || isProven(now, rollout, store),
  ) &&
  (begun.some(({ state }) => state === 'healthy') || begun.every(({ state }) => state === 'left_out'));
