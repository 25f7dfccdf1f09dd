/** Opens the admin window in a real browser and measures its main thread. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { must } from './row.ts';

/** The session of a signed-in user. */
export const SESSION = `vts_${'b'.repeat(43)}`;

export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/** Opens the window in a fresh browser context with the size of a desktop. */
export const open = async (browser: Browser, origin: string): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((token) => {
    localStorage.setItem('vitrine.language', 'en');
    localStorage.setItem('vitrine.session', token);
  }, SESSION);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  must(origin !== '', 'no server');
  return { context, page };
};

export interface Watched {
  /** Times between two frames, in milliseconds. */
  readonly gaps: readonly number[];
  /** Processor time of each task of the page's main thread, in milliseconds: its duration on a quiet machine. */
  readonly tasks: readonly number[];
  /** Long tasks as the page sees them: over 50 ms by the clock, which includes time of other processes. */
  readonly long: readonly number[];
}
type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } };
type Counting = { benchStop: () => Pick<Watched, 'gaps' | 'long'> };

/** Records frames and the processor time of tasks while `act` runs. */
export const watch = async (page: Page, act: () => Promise<void>): Promise<Watched> => {
  const line = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  line.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await line.send('Tracing.start', { categories: 'toplevel', transferMode: 'ReportEvents' });
  await page.evaluate(() => {
    const frames: number[] = [];
    const long: number[] = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: 'longtask' });
    let running = true;
    const frame = (at: number) => {
      frames.push(at);
      if (running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    (globalThis as unknown as Counting).benchStop = () => {
      running = false;
      for (const entry of observer.takeRecords()) long.push(entry.duration);
      observer.disconnect();
      return { gaps: frames.slice(1).map((at, i) => at - frames[i]!), long };
    };
  });
  await act();
  const seen = await page.evaluate(() => (globalThis as unknown as Counting).benchStop());
  const complete = new Promise((done) => line.once('Tracing.tracingComplete', done));
  await line.send('Tracing.end');
  await complete;
  const mains = new Set(
    events.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`),
  );
  const byThread = Map.groupBy(
    events.filter(
      (e) => e.ph === 'X' && e.tdur !== undefined && /RunTask$/.test(e.name) && mains.has(`${e.pid} ${e.tid}`),
    ),
    (e) => `${e.pid} ${e.tid}`,
  );
  // Takes the tasks of the busiest process, which is the process of the page.
  const tasks =
    [...byThread.values()].map((all) => all.map((e) => e.tdur! / 1000)).sort((a, b) => sumOf(b) - sumOf(a))[0] ?? [];
  must(tasks.length > 0, 'the browser told nothing of its tasks');
  return { ...seen, tasks };
};

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
export const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));

export const worst = (values: readonly number[]): number => Math.max(0, ...values);
