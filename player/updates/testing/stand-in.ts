/**
 * Simulates a machine for a launcher: versions with given behaviour, a clock that tests set, and a disk that loses
 * nothing.
 */
import assert from 'node:assert/strict';
import { healthy, NOTHING_YET, type UpdateState } from '../../../shared/desktop/update-state.ts';
import type { WindowsSay } from '../../../shared/protocol/releases/launcher.ts';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import { Launcher, type StartVersion } from '../launcher.ts';
import type { Mishap } from '../mishaps.ts';

export type Behaviour =
  | 'good'
  /** The program ends with this exit code, after the given time. */
  | { readonly ends: number; readonly after: number; readonly wellFirst?: boolean }
  /**
   * Time after which the program gives no sign of life and ignores all messages. `wellFirst`: before that, the program
   * reports that it is healthy, if there is time.
   */
  | { readonly hangsAfter: number; readonly wellFirst?: boolean }
  | { readonly says: WindowsSay; readonly after: number }
  /** The program ends at once unless it is started with this option. */
  | { readonly needs: string };

interface Running {
  readonly version: string;
  readonly args: readonly string[];
  readonly since: number;
  end(how: string): void;
  hang(): void;
  say(message: WindowsSay): void;
}

const ALIVE_MS = 5_000;
const BEGINS_MS = 2_000;
const WELL_AFTER_MS = 20_000;

export class StandIn {
  readonly time = new FakeTime();
  readonly log = new MemoryLog();
  readonly versions = new Map<string, Behaviour>([['1.0.0', 'good']]);
  readonly damaged = new Set<string>();
  state: UpdateState = NOTHING_YET;
  isDiskFull = false;
  readonly mishaps: Omit<Mishap, 'at'>[] = [];
  readonly starts: { readonly version: string; readonly args: readonly string[]; readonly at: number }[] = [];
  running: Running | undefined;
  /** Time of the last end of a program. */
  endedAt = this.time.mono();
  longestGap = 0;
  launcher!: Launcher;
  over!: Promise<void>;
  isOver = false;

  launch(): void {
    this.isOver = false;
    const launcher = new Launcher({
      files: {
        read: async () => this.state,
        write: async (state) => {
          if (this.isDiskFull) throw new Error('no space');
          this.state = state;
        },
        damage: async (version) =>
          this.damaged.has(version) || !this.versions.has(version) ? 'its files are damaged' : undefined,
        program: (version) => version,
      },
      installed: { version: '1.0.0', program: '1.0.0' },
      args: ['--role=player'],
      env: {},
      takesUpdates: true,
      start: this.#start,
      count: async (mishap) => void this.mishaps.push(mishap),
      time: this.time,
      log: this.log,
      platform: 'linux',
    });
    this.launcher = launcher;
    this.over = launcher.run().then(() => {
      this.isOver = this.launcher === launcher;
    });
  }

  /** Cuts the power of the whole machine. The previous launcher must do nothing more. */
  cutPower(): void {
    const before = this.launcher;
    this.launcher = undefined!;
    this.running?.end('by a cut');
    before.stop();
    this.launch();
  }

  get version(): string | undefined {
    return this.running?.version;
  }

  readonly #start: StartVersion = ({ program: version, args, hear }) => {
    assert.equal(this.running, undefined, 'two versions at once');
    const { time } = this;
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const behaviour = this.versions.get(version)!;
    let [isAlive, obeys] = [true, true];
    const since = time.mono();
    this.longestGap = Math.max(this.longestGap, since - this.endedAt);
    this.starts.push({ version, args, at: since });
    const running: Running = {
      version,
      args,
      since,
      end: (how) => {
        if (!isAlive) return;
        isAlive = false;
        this.running = undefined;
        this.endedAt = time.mono();
        resolve(how);
      },
      hang: () => {
        obeys = false;
      },
      say: (message) => {
        if (!isAlive) return;
        hear(message);
        if (message.type === 'ending') time.after(100, () => running.end('with 0'));
      },
    };
    this.running = running;
    const live = () => {
      if (!isAlive || !obeys) return;
      hear({ type: 'alive' });
      if (
        (behaviour === 'good' || ('wellFirst' in behaviour && behaviour.wellFirst)) &&
        time.mono() - since >= WELL_AFTER_MS
      )
        this.state = healthy(this.state, version);
      time.after(ALIVE_MS, live);
    };
    time.after(BEGINS_MS, live);
    if (typeof behaviour === 'object') {
      if ('ends' in behaviour) time.after(behaviour.after, () => running.end(`with ${behaviour.ends}`));
      else if ('hangsAfter' in behaviour) time.after(behaviour.hangsAfter, running.hang);
      else if ('says' in behaviour) time.after(behaviour.after, () => running.say(behaviour.says));
      else if (!args.includes(behaviour.needs)) time.after(BEGINS_MS, () => running.end('by SIGSEGV'));
    }
    return {
      send: () => void time.after(500, () => obeys && running.end('with 0')),
      kill: () => running.end('by SIGKILL'),
      ended,
    };
  };
}
