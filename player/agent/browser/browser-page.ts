/**
 * Controls the one page of the browser through Chromium's DevTools protocol: opens the page, closes other windows,
 * reopens the page after a crash, takes screenshots.
 */
import { z } from 'zod';
import type { Log, Shot, Time } from '../../core/ports.ts';
import type { DevTools, DevToolsEvent } from './devtools.ts';
import { FrameWatch } from './frame-watch.ts';

const Any = z.unknown();
const Targets = z.object({ targetInfos: z.array(z.object({ targetId: z.string(), type: z.string() })) });
const Session = z.object({ sessionId: z.string() });
const Picture = z.object({ data: z.string() });
const Metrics = z.object({ cssVisualViewport: z.object({ clientWidth: z.number(), clientHeight: z.number() }) });
const Created = z.object({ targetInfo: z.object({ targetId: z.string(), type: z.string() }) });
const Processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.number() })) });
const Dialog = z.object({ type: z.string(), url: z.string().default('') });

/**
 * Makes the browser ask its page before the window closes, for example after Alt and F4, so that the player can refuse.
 * Only the player may end its browser.
 */
const ASK_BEFORE_CLOSING = `if (window === top) addEventListener('beforeunload', (event) => event.preventDefault());`;

/** Size limit of a screenshot in characters. The protocol allows 700 KiB in base64. */
export const MOST_SHOT = 700 * 1024;
/** Time limit of a screenshot. A screenshot that is requested while the page changes may never complete. */
const SHOT_LIMIT_MS = 5_000;
/**
 * Quality and scale steps of a screenshot. A photo on a full-HD panel fits at the first or second step, a 4K test chart
 * at the last.
 */
const SHOTS = [
  { quality: 80, scale: 1 },
  { quality: 60, scale: 1 },
  { quality: 50, scale: 0.5 },
  { quality: 40, scale: 0.25 },
] as const;

interface Deps {
  readonly tools: DevTools;
  readonly url: string;
  readonly time: Time;
  readonly log: Log;
}

export class BrowserPage {
  readonly #deps: Deps;
  #watch: FrameWatch | undefined;
  /** Whether the player itself is closing the page or the browser, so that the page may close. */
  #leaving = false;
  #target: string | undefined;
  #session: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async open(): Promise<void> {
    const { tools, time, log } = this.#deps;
    const { targetInfos } = await tools.call(Targets, 'Target.getTargets');
    const page = targetInfos.find((target) => target.type === 'page');
    if (!page) throw new Error('the browser of this player has no open page');
    const { targetId } = page;
    this.#target = targetId;
    const { sessionId } = await tools.call(Session, 'Target.attachToTarget', { targetId, flatten: true });
    this.#session = sessionId;
    await tools.call(Any, 'Browser.setDownloadBehavior', { behavior: 'deny' });
    await tools.call(Any, 'Target.setDiscoverTargets', { discover: true });
    await this.#page(Any, 'Page.enable');
    await this.#page(Any, 'Inspector.enable');
    await this.#page(Any, 'Page.addScriptToEvaluateOnNewDocument', { source: ASK_BEFORE_CLOSING });
    this.#watch = new FrameWatch({ tools, page: sessionId, time, log });
    await this.#watch.start();
    await this.#navigate();
  }

  /** Called before the player ends the browser. From now on the page may close. */
  close(): void {
    this.#leaving = true;
    this.#watch?.stop();
  }

  event(event: DevToolsEvent): void {
    const { method, sessionId, params } = event;
    this.#watch?.event(event);
    if (method === 'Target.targetCreated') this.#closeOther(params);
    if (sessionId !== this.#session) return;
    if (method === 'Page.javascriptDialogOpening') this.#dismiss(params);
    if (method === 'Page.loadEventFired') this.#quietly(this.#settle());
    if (method === 'Inspector.targetCrashed') {
      this.#deps.log.warn('the page crashed and is opened again');
      this.#quietly(this.#navigate());
    }
  }

  /** Ends the renderer processes, also processes that hang. The crash event then reopens the page. */
  async end(): Promise<void> {
    const { processInfo } = await this.#deps.tools.call(Processes, 'SystemInfo.getProcessInfo');
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  }

  async screenshot(): Promise<Shot> {
    if (!this.#session) return { error: 'the screen is not open' };
    try {
      const { cssVisualViewport } = await this.#page(Metrics, 'Page.getLayoutMetrics');
      const { clientWidth: width, clientHeight: height } = cssVisualViewport;
      for (const { quality, scale } of SHOTS) {
        const clip = scale === 1 ? {} : { clip: { x: 0, y: 0, width, height, scale } };
        const { data } = await this.#soon(
          this.#page(Picture, 'Page.captureScreenshot', { format: 'jpeg', quality, ...clip }),
        );
        if (data.length <= MOST_SHOT) return { mime: 'image/jpeg', data };
      }
      return { error: 'the picture is too large' };
    } catch (error) {
      return { error: error instanceof Error ? error.message : 'no picture' };
    }
  }

  async #soon<T>(shot: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#deps.time.after(SHOT_LIMIT_MS, () =>
      late.reject(new Error('the browser cannot take a screenshot now')),
    );
    try {
      return await Promise.race([shot, late.promise]);
    } finally {
      cancel();
      shot.catch(() => {});
    }
  }

  /** Closes windows that a page in a zone opened. */
  #closeOther(params: unknown): void {
    const { type, targetId } = Created.safeParse(params).data?.targetInfo ?? {};
    if (type === 'page' && targetId !== this.#target)
      this.#quietly(this.#deps.tools.call(Any, 'Target.closeTarget', { targetId }));
  }

  /** Clears the history, and simulates a user gesture, because only a touched page is asked before it closes. */
  async #settle(): Promise<void> {
    this.#leaving = false;
    await this.#page(Any, 'Page.resetNavigationHistory');
    await this.#page(Any, 'Runtime.evaluate', { expression: '0', userGesture: true });
  }

  /**
   * Accepts the "leave?" dialog of a page in a frame, and of the screen page only when the player leaves it. Cancels
   * all other dialogs.
   */
  #dismiss(params: unknown): void {
    const { type, url } = Dialog.safeParse(params).data ?? {};
    const accept = type === 'beforeunload' && (this.#leaving || url !== this.#deps.url);
    this.#quietly(this.#page(Any, 'Page.handleJavaScriptDialog', { accept }));
  }

  async #navigate(): Promise<void> {
    this.#leaving = true;
    await this.#page(Any, 'Page.navigate', { url: this.#deps.url });
  }

  #page<T>(schema: z.ZodType<T>, method: string, params: object = {}): Promise<T> {
    return this.#deps.tools.call(schema, method, params, this.#session);
  }

  #quietly(work: Promise<unknown>): void {
    work.catch((error) => this.#deps.log.warn('the browser did not follow', error));
  }
}
