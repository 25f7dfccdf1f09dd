/**
 * Keeps the browser of the screen running. A browser that exits is restarted. If the page has not painted for 3 s, its
 * process is ended; if that does not help, the browser is ended. The first restart happens at once, further restarts
 * after 1–2, 2–4 … 15–30 s, and at once again after a minute of painting. After every fifth consecutive failure the
 * profile is deleted, because it may be damaged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { reconnectDelay } from '../../core/connection/backoff.ts';
import type { Log, Shot, Time, Undo } from '../../core/ports.ts';
import { LastLines } from '../last-lines.ts';
import { type BrowserMode, browserFlags } from './browser-flags.ts';
import { BrowserPage } from './browser-page.ts';
import { DevTools } from './devtools.ts';

/**
 * Initial time limit for a page that does not paint. The picture should return within 5 s, and a start takes up to 2 s.
 * The limit doubles with each hang, because the machine may just be slow.
 */
const HUNG_MS = 3_000;
const HUNG_AT_MOST_MS = 15_000;
/** Time without a hang in milliseconds after which the limit returns to its minimum. */
const PATIENT_FOR_MS = 600_000;
/** Time limit for the first paint. Slow PC sticks take this long from power-on. */
const STARTING_MS = 60_000;
/** A restarted page must paint within this time. */
const PAGE_STARTING_MS = 5_000;
const HEALTHY_MS = 60_000;
const KILL_AFTER_MS = 3_000;
const FAILURES_PER_PROFILE = 5;
/**
 * Milliseconds for which stderr is read after the end of the browser: a helper process that outlives the browser may
 * keep stderr open.
 */
const LAST_WORDS_MS = 200;

interface Deps {
  readonly executable: string;
  readonly mode: BrowserMode;
  readonly url: string;
  readonly time: Time;
  readonly random: () => number;
  readonly log: Log;
}

interface Running {
  readonly child: ChildProcess;
  readonly tools: DevTools;
  readonly page: BrowserPage;
  readonly startedAt: number;
  paintedAt: number | undefined;
  /** Whether the page hung and was ended, and no page has painted since then. */
  pageEnded: boolean;
}

export class Browser {
  readonly #deps: Deps;
  #running: Running | undefined;
  #failures = 0;
  #patience = HUNG_MS;
  #hungAt = 0;
  #stopping = false;
  #resting = false;
  #cancelWatch: Undo | undefined;
  #cancelRestart: Undo | undefined;
  /** The last logged reason of a failed start. The same reason is not logged again. */
  #reason = '';
  #hasHinted = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopping = false;
    void this.#again(undefined);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelWatch?.();
    this.#cancelRestart?.();
    const running = this.#running;
    if (!running) return;
    const gone = new Promise<void>((resolve) => running.child.once('exit', () => resolve()));
    running.page.close();
    running.child.kill('SIGTERM');
    const cancel = this.#deps.time.after(KILL_AFTER_MS, () => kill(running.child));
    await gone;
    cancel();
  }

  /** Called when the page reports that it paints. */
  alive(): void {
    const running = this.#running;
    if (!running) return;
    const now = this.#deps.time.mono();
    running.paintedAt = now;
    running.pageEnded = false;
    if (now - running.startedAt > HEALTHY_MS) this.#failures = 0;
    if (now - this.#hungAt > PATIENT_FOR_MS) this.#patience = HUNG_MS;
    this.#watch(running, this.#patience);
  }

  /**
   * Called when the panel is switched off or on. While the panel is off, the page may get no frames for painting, so
   * it need not report.
   */
  rest(resting: boolean): void {
    if (resting === this.#resting) return;
    this.#resting = resting;
    if (this.#running) this.#watch(this.#running, STARTING_MS);
  }

  async screenshot(): Promise<Shot> {
    return this.#running?.page.screenshot() ?? { error: 'the browser is not running' };
  }

  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  #launch(): void {
    const { executable, mode, url, time, log } = this.#deps;
    const child = spawn(executable, browserFlags(mode), { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    const said = child.stderr ? new LastLines(child.stderr) : undefined;
    const [input, output] = [child.stdio[3] as Writable | null, child.stdio[4] as Readable | null];
    let exited = false;
    const ended = (why: string, closed = false) => {
      if (exited) return;
      exited = true;
      this.#ended(why, said, closed);
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(`the program ended with ${signal ?? code}`, code === 0));
    if (!input || !output) return;
    const tools: DevTools = new DevTools({ input, output, event: (event) => page.event(event) });
    const page = new BrowserPage({ tools, url, time, log });
    const running: Running = { child, tools, page, startedAt: time.mono(), paintedAt: undefined, pageEnded: false };
    this.#running = running;
    tools.start();
    this.#watch(running, STARTING_MS);
    page.open().catch((error) => {
      if (this.#running !== running) return;
      log.error('the screen page could not be opened', error);
      kill(child);
    });
  }

  #watch(running: Running, ms: number): void {
    this.#cancelWatch?.();
    if (this.#resting) return;
    this.#cancelWatch = this.#deps.time.after(ms, () => {
      this.#hungAt = this.#deps.time.mono();
      this.#patience = Math.min(2 * this.#patience, HUNG_AT_MOST_MS);
      const said = `the screen has not painted for ${ms / 1_000} s`;
      if (running.paintedAt === undefined || running.pageEnded) {
        this.#deps.log.error(`${said}: the browser is restarted`);
        kill(running.child);
        return;
      }
      // Usually only the page hangs. A new page starts four times as fast as a new browser.
      this.#deps.log.error(`${said}: its page is started again`);
      running.pageEnded = true;
      this.#watch(running, PAGE_STARTING_MS);
      running.page.end().catch((error) => this.#deps.log.warn('the page could not be ended', error));
    });
  }

  /** @param closed a person closed the window, which does not count as a failure */
  #ended(why: string, said: LastLines | undefined, closed: boolean): void {
    const { time, random, mode } = this.#deps;
    this.#cancelWatch?.();
    const hadPainted = this.#running?.paintedAt !== undefined;
    this.#running?.tools.stop();
    this.#running = undefined;
    if (this.#stopping) return said?.stop();
    const delay =
      hadPainted && (closed || this.#failures === 0) ? 0 : reconnectDelay(Math.max(0, this.#failures - 1), random());
    this.#failures++;
    this.#tell({
      gone: `the browser has ended (${why}); it starts again ${delay === 0 ? 'now' : `in ${Math.round(delay / 1_000)} s`}`,
      hadPainted,
      said,
    });
    this.#cancelRestart = time.after(
      delay,
      () => void this.#again(this.#failures % FAILURES_PER_PROFILE === 0 ? mode.profile : undefined),
    );
  }

  #tell({ gone, hadPainted, said }: { gone: string; hadPainted: boolean; said: LastLines | undefined }): void {
    const { log, time } = this.#deps;
    if (hadPainted || !said) {
      said?.stop();
      return log.warn(gone);
    }
    const cancel = time.after(LAST_WORDS_MS, () => said.stop());
    void said.whole.then(() => {
      cancel();
      log.warn(gone + this.#whyNot(said.telling));
    });
  }

  /**
   * Returns text for the log about a browser that never painted: its last message if that is new, and the first time a
   * hint.
   */
  #whyNot(reason: string | undefined): string {
    const isNew = reason !== undefined && likeness(reason) !== likeness(this.#reason);
    if (isNew) this.#reason = reason;
    const hint = this.#hasHinted ? '' : '. With --no-window the player prints an address to open in a browser yourself';
    this.#hasHinted = true;
    return `${isNew ? `. It said: ${reason}` : ''}${hint}`;
  }

  async #again(damagedProfile: string | undefined): Promise<void> {
    const { mode } = this.#deps;
    if (damagedProfile) {
      this.#deps.log.warn('the browser keeps failing: it gets a new profile');
      await rm(damagedProfile, { recursive: true, force: true }).catch((error) =>
        this.#deps.log.warn('the profile could not be removed', error),
      );
    }
    // Removes the locks of the profile that a power cut left behind: after a change of the machine's name the browser
    // would refuse the profile as "in use on another computer". No other process uses the profile, because the agent
    // holds the lock of the data folder.
    for (const left of ['SingletonLock', 'SingletonCookie', 'SingletonSocket'])
      await rm(join(mode.profile, left), { force: true }).catch(() => {});
    if (!this.#stopping) this.#launch();
  }
}

/** A hanging process ignores other signals. Its helpers end with it, because they lose their channel. */
function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
}

/**
 * Returns the reason without its numbers, for comparison with the last logged reason: process ids, addresses and times
 * differ at each start.
 */
const likeness = (reason: string): string => reason.replace(/0x[0-9a-f]+|\d+/gi, '#');
