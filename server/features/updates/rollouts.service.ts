/**
 * Rollouts: updates screens in stages, checks whether these screens run the new version, and stops after a failure.
 * Checks every few seconds, and whenever a screen connects or disconnects.
 */

import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { conflict, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type {
  Rollout,
  RolloutDetail,
  RolloutDevice,
  RolloutStage,
  startRollout,
} from '../../../shared/contract/server/updates.ts';
import { filesForScreens } from '../../../shared/protocol/releases/release-signature.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { Commands } from '../../realtime/screens/commands.ts';
import type { LiveRegistry } from '../../realtime/state/live-registry.ts';
import { nextStep, type RolloutScreen, type RolloutStep } from './rollout.ts';
import type { RolloutDeviceRow, RolloutRow, ScreenRow, UpdatesStore } from './updates.store.ts';

const LOOK_EVERY_MS = 5_000;
const DEFAULT_MINUTES = 15;
const STAGES: readonly RolloutStage[] = ['first', 'groups', 'everyone'];

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'activity'> {
  readonly store: UpdatesStore;
  readonly live: Pick<LiveRegistry, 'get'>;
  readonly commands: Pick<Commands, 'send'>;
  readonly notices: { updateStopped(message: string): void };
}

export class RolloutsService implements Lifecycle {
  readonly name = 'rollouts';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #undo: (() => void) | undefined;
  /** Whether a rollout may be open. If not, the checks are skipped. */
  #isOpen = true;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.runDue(), LOOK_EVERY_MS).unref();
    this.#undo = this.#deps.bus.on('presence', () => this.runDue());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#undo?.();
  }

  list(): Rollout[] {
    const screens = this.#deps.store.screens();
    return this.#deps.store.listRollouts().map((row) => this.#view(row, screens).record);
  }

  get(id: string): RolloutDetail {
    return this.#detail(this.#row(id));
  }

  begin(actor: Actor, body: BodyOf<typeof startRollout>): RolloutDetail {
    const { db, store, clock } = this.#deps;
    const release = store.findRelease(body.release_id);
    if (!release) throw notFound('Release');
    if (!store.screens().some(({ id }) => id === body.first_device_id)) throw notFound('Device');
    const groups = [...new Set(body.group_ids ?? [])];
    if (store.groups(groups).length < groups.length) throw notFound('Group');
    if (filesForScreens(store.files(release.id)).length === 0) {
      throw conflict(
        `No file of ${release.version} for screens has a signature. Upload also the .sig files that the build created next to its files.`,
      );
    }
    if (store.openRollout()) throw conflict('Another rollout is running. Finish or abort that rollout first.');
    const now = seconds(clock);
    const row: RolloutRow = {
      id: newId(),
      release_id: release.id,
      status: 'running',
      stage: 'first',
      first_device_id: body.first_device_id,
      group_ids: groups,
      minutes: body.minutes ?? DEFAULT_MINUTES,
      reason: null,
      created_at: now,
      updated_at: now,
    };
    db.write(() => {
      store.insertRollout(row);
      this.#record(actor, 'rollout.started', release.version);
    });
    return this.#goOn(row.id);
  }

  pause(actor: Actor, id: string): RolloutDetail {
    return this.#set(actor, id, ['running'], { status: 'paused' }, 'rollout.paused');
  }

  resume(actor: Actor, id: string): RolloutDetail {
    return this.#set(actor, id, ['paused', 'stopped'], { status: 'running', reason: null }, 'rollout.resumed', () =>
      this.#deps.store.retry(id),
    );
  }

  abort(actor: Actor, id: string): RolloutDetail {
    return this.#set(actor, id, ['running', 'paused', 'stopped'], { status: 'aborted' }, 'rollout.aborted');
  }

  /**
   * Returns the release whose files a screen may download. A screen gets files only while a rollout runs, after it has
   * received the update command, and also when it is updated already, so that it can retry.
   */
  releaseFor(deviceId: string): string | undefined {
    const open = this.#deps.store.openRollout();
    if (open?.status !== 'running') return undefined;
    const row = this.#deps.store.deviceOf(open.id, deviceId);
    return row?.status === 'told' || row?.status === 'healthy' ? open.release_id : undefined;
  }

  /** Checks the open rollout, and performs its next step. */
  runDue(): void {
    // Skips the check while the clock is untrusted: the elapsed time is unknown, so no screen can count as late.
    if (!this.#isOpen || this.#deps.clock.doubtful) return;
    try {
      const open = this.#deps.store.openRollout();
      this.#isOpen = open !== undefined;
      if (open?.status === 'running') this.#proceed(open);
    } catch (error) {
      this.#deps.log.warn('The rollout could not be looked after', { error });
    }
  }

  #proceed(row: RolloutRow): void {
    const { db, store, clock, notices, log } = this.#deps;
    const { record, screens, rows, workspaces } = this.#view(row);
    const now = seconds(clock);
    const step = nextStep(record, screens, now);
    if (!isChange(step, row)) return;
    const name = (id: string) => screens.find((screen) => screen.id === id)!.name;
    db.write(() => {
      const put = (id: string, change: Partial<RolloutDeviceRow>) =>
        store.putDevice({ ...(store.deviceOf(row.id, id) ?? rows.get(id) ?? blank(row.id, id)), ...change });
      const say = (id: string, action: ActivityAction, details: string) =>
        this.#deps.activity.add({ workspaceId: workspaces.get(id)!, actor: null, action, details, deviceId: id });
      for (const id of step.seen) if (rows.has(id)) put(id, { seen_at: now });
      for (const id of step.healthy) {
        put(id, { status: 'healthy', error: null });
        say(id, 'device.version_installed', `${name(id)}: ${record.version}`);
      }
      for (const { id, error } of step.failed) {
        put(id, { status: 'failed', error });
        say(id, 'device.version_failed', `${name(id)} ${error}`);
      }
      for (const id of step.tell) put(id, { status: 'told', told_at: now, seen_at: null });
      store.updateRollout(row.id, { stage: step.stage, status: step.outcome, reason: step.reason, updated_at: now });
      if (step.reason === null) return;
      const { reason } = step;
      log.warn(`The rollout of ${record.version} stopped: ${reason}`);
      db.afterCommit(() => notices.updateStopped(`The rollout of ${record.version} stopped: ${reason}`));
    });
    if (step.tell.length > 0) void this.#tell(row.id, record.version, step.tell, workspaces);
  }

  async #tell(
    rolloutId: string,
    version: string,
    ids: readonly string[],
    workspaces: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { db, store, commands, log } = this.#deps;
    for (const [workspaceId, theirs] of Map.groupBy(ids, (id) => workspaces.get(id)!)) {
      try {
        const { results } = await commands.send(workspaceId, theirs, 'update', { version });
        for (const { device_id, status, error } of results) {
          const row = store.deviceOf(rolloutId, device_id);
          if (row?.status !== 'told') continue;
          if (status === 'unsupported')
            db.write(() => store.putDevice({ ...row, status: 'unsupported', error: error ?? null }));
          else if (status === 'failed') db.write(() => store.putDevice({ ...row, error: error ?? null }));
        }
      } catch (error) {
        log.warn('Screens could not be told of their update', { error });
      }
    }
    this.runDue();
  }

  #set(
    actor: Actor,
    id: string,
    from: readonly Rollout['status'][],
    change: Partial<RolloutRow>,
    action: ActivityAction,
    also?: () => void,
  ): RolloutDetail {
    const { db, store, clock } = this.#deps;
    const row = this.#row(id);
    if (!from.includes(row.status)) throw conflict(`This is not possible, because the rollout is ${row.status}`);
    db.write(() => {
      also?.();
      store.updateRollout(id, { ...change, updated_at: seconds(clock) });
      this.#record(actor, action, store.findRelease(row.release_id)!.version);
    });
    return this.#goOn(id);
  }

  #goOn(id: string): RolloutDetail {
    this.#isOpen = true;
    this.runDue();
    return this.get(id);
  }

  #row(id: string): RolloutRow {
    const row = this.#deps.store.findRollout(id);
    if (!row) throw notFound('Rollout');
    return row;
  }

  #record(actor: Actor, action: ActivityAction, details: string): void {
    if (actor.workspaceId !== null) this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action, details });
  }

  #detail(row: RolloutRow): RolloutDetail {
    const { record, screens, workspaces } = this.#view(row);
    const devices = screens.map((screen): RolloutDevice => {
      const { id, name, stage, status, version, online, toldAt, error } = screen;
      return {
        device_id: id,
        name,
        workspace_id: workspaces.get(id)!,
        stage,
        status,
        version,
        online: online ? 1 : 0,
        told_at: toldAt,
        error,
      };
    });
    return { ...record, devices: devices.toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage)) };
  }

  #view(row: RolloutRow, all: readonly ScreenRow[] = this.#deps.store.screens()) {
    const { store, live } = this.#deps;
    const rows = new Map(store.devicesOf(row.id).map((each) => [each.device_id, each]));
    const members = store.members(row.group_ids);
    const screens = all.map((each): RolloutScreen => {
      const now = live.get(each.id);
      const progress = rows.get(each.id);
      return {
        id: each.id,
        name: each.name,
        stage: each.id === row.first_device_id ? 'first' : members.has(each.id) ? 'groups' : 'everyone',
        online: now?.status === 'online',
        version: now?.info.version ?? each.version,
        showing: now?.program?.state !== 'failed',
        lastHeartbeat: now?.lastHeartbeat ?? each.last_heartbeat,
        status: progress?.status ?? 'waiting',
        toldAt: progress?.told_at ?? null,
        seenAt: progress?.seen_at ?? null,
        error: progress?.error ?? null,
      };
    });
    const count = (status: RolloutScreen['status']) => screens.filter((screen) => screen.status === status).length;
    const record: Rollout = {
      ...row,
      version: store.findRelease(row.release_id)!.version,
      healthy: count('healthy'),
      failed: count('failed'),
      total: screens.length,
    };
    return { record, screens, rows, workspaces: new Map(all.map(({ id, workspace_id }) => [id, workspace_id])) };
  }
}

const blank = (rollout_id: string, device_id: string): RolloutDeviceRow => ({
  rollout_id,
  device_id,
  status: 'told',
  told_at: null,
  seen_at: null,
  error: null,
});

const isChange = (step: RolloutStep, row: RolloutRow): boolean =>
  step.seen.length + step.healthy.length + step.failed.length + step.tell.length > 0 ||
  step.stage !== row.stage ||
  step.outcome !== row.status;
