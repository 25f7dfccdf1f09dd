/**
 * The screen page in a separate browser, controlled through the same pipe that the agent uses. Playwright is not used:
 * its network log takes 200 MB in half an hour, which no real screen needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { browserFlags } from '../../player/agent/browser/browser-flags.ts';
import { DevTools } from '../../player/agent/browser/devtools.ts';
import { CHROMIUM } from '../../player/agent/testing/chromium.ts';

const Any = z.unknown();
const Context = z.object({ browserContextId: z.string() });
const Target = z.object({ targetId: z.string() });
const Session = z.object({ sessionId: z.string() });
const Evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

export interface ScreenWindow {
  /** Calls a function in the page. The function may not use outer variables, and returns JSON values. */
  ask<T>(inPage: () => T): Promise<T>;
  close(): Promise<void>;
}

export class ScreenBrowser {
  readonly #child: ChildProcess;
  readonly #tools: DevTools;

  /** @param profile folder for the browser's profile */
  constructor(profile: string) {
    const flags = browserFlags({
      profile,
      headless: true,
      root: process.getuid?.() === 0,
      extra: ['--window-size=1920,1080'],
    });
    this.#child = spawn(CHROMIUM, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#tools = new DevTools({
      input: this.#child.stdio[3] as Writable,
      output: this.#child.stdio[4] as Readable,
      event: () => {},
    });
    this.#tools.start();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** @param first runs in the page before its scripts */
  async open(url: string, first: () => void): Promise<ScreenWindow> {
    const { browserContextId } = await this.#tools.call(Context, 'Target.createBrowserContext');
    const { targetId } = await this.#tools.call(Target, 'Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      width: 1920,
      height: 1080,
    });
    const { sessionId } = await this.#tools.call(Session, 'Target.attachToTarget', { targetId, flatten: true });
    const page = <T>(schema: z.ZodType<T>, method: string, params: object = {}) =>
      this.#tools.call(schema, method, params, sessionId);
    await page(Any, 'Page.enable');
    await page(Any, 'Page.addScriptToEvaluateOnNewDocument', { source: `(${first})()` });
    await page(Any, 'Page.navigate', { url });
    return {
      ask: async <T>(inPage: () => T) => {
        const { result, exceptionDetails } = await page(Evaluated, 'Runtime.evaluate', {
          expression: `(${inPage})()`,
          returnByValue: true,
        });
        if (exceptionDetails) throw new Error(`in the page: ${exceptionDetails.text}`);
        return result.value as T;
      },
      close: async () => {
        await this.#tools.call(Any, 'Target.disposeBrowserContext', { browserContextId });
      },
    };
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode !== null || !this.#child.kill('SIGTERM')) return;
    await ended;
    this.#tools.stop();
  }
}
