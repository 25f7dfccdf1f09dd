/**
 * Starts the version that is in use or on trial, and returns to the one before when the new one ends or does not report healthy
 * in time. It is the installed program itself, before it has opened anything.
 */
import { spawn } from 'node:child_process';
import { UpdateFiles } from './update-files.ts';
import { broken, choose } from './update-state.ts';

/** The exit code by which a version asks for the next one to be started. */
export const RESTART_CODE = 75;
/** The exit code of a second start of what runs already: that says nothing about the version. */
export const ALREADY_RUNNING_CODE = 76;

const HEALTHY_WITHIN_MS = 5 * 60_000;
const LOOK_EVERY_MS = 500;
const KILL_AFTER_MS = 8_000;
/** A version in use that ends so often within the time does not run. */
const MAX_CRASHES = 5;
const CRASHES_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 1_000;

export interface Launch {
  /** Of the updates. */
  readonly folder: string;
  /** Version of the installed program. */
  readonly installed: string;
  /** Handed on to whatever is started. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** @default 5 minutes */
  readonly healthyWithinMs?: number;
  readonly log?: (line: string) => void;
  /** The launcher is to end: what it started ends first. */
  readonly signal?: AbortSignal;
}

type Ended = { readonly how: 'exit'; readonly code: number } | { readonly how: 'late' } | { readonly how: 'stopped' };

/** Resolves to `self` when the installed program is the one to run, else to an exit code once there is nothing more to run. */
export const launch = async (options: Launch): Promise<'self' | number> => {
  const files = new UpdateFiles(options.folder);
  const say = options.log ?? (() => {});
  let crashes: number[] = [];
  for (;;) {
    if (options.signal?.aborted) return 0;
    const { state, run, trial } = choose(files.read(), options.installed);
    await files.write(state);
    if (run === null) return 'self';
    const program = files.program(run, options.platform);
    const ended = program ? await follow(program, run, trial, files, options) : ({ how: 'exit', code: 1 } as const);
    if (ended.how === 'stopped') return 0;
    if (ended.how === 'exit' && ended.code === RESTART_CODE) continue;
    if (ended.how === 'exit' && ended.code === ALREADY_RUNNING_CODE) return 0;
    const isOnTrial = files.read().trial?.version === run;
    if (isOnTrial || !program) {
      const reason = !program ? 'its files are gone' : ended.how === 'late' ? 'it did not report healthy in time' : `it ended with ${ended.code}`;
      say(`Version ${run} is given up: ${reason}. Going back to the one before.`);
      await files.write(broken(files.read(), run, reason));
      continue;
    }
    if (ended.how === 'exit' && ended.code === 0) return 0;
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    if (crashes.length >= MAX_CRASHES) {
      say(`Version ${run} ends again and again. Going back to the one before.`);
      await files.write(broken(files.read(), run, 'it ended again and again'));
      crashes = [];
    }
    await new Promise((next) => setTimeout(next, AGAIN_AFTER_MS));
  }
};

/** One run of a version, to its end. */
const follow = (program: string, version: string, trial: boolean, files: UpdateFiles, options: Launch): Promise<Ended> =>
  new Promise((done) => {
    const child = spawn(program, [...options.args], { stdio: 'inherit', env: { ...process.env, ...options.env, VITRINE_LAUNCHED: version } });
    let forced: Ended | undefined;
    let killer: NodeJS.Timeout | undefined;
    const end = (as: Ended) => {
      if (forced) return;
      forced = as;
      child.kill();
      killer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    };
    const stop = () => end({ how: 'stopped' });
    options.signal?.addEventListener('abort', stop, { once: true });
    const limit = performance.now() + (options.healthyWithinMs ?? HEALTHY_WITHIN_MS);
    const look = trial
      ? setInterval(() => {
          if (files.read().trial?.version !== version) clearInterval(look);
          else if (performance.now() > limit) end({ how: 'late' });
        }, LOOK_EVERY_MS)
      : undefined;
    const finish = (code: number) => {
      clearInterval(look);
      clearTimeout(killer);
      options.signal?.removeEventListener('abort', stop);
      done(forced ?? { how: 'exit', code });
    };
    child.once('error', () => finish(127));
    // By a signal: as a shell would say it.
    child.once('exit', (code) => finish(code ?? 128));
  });
