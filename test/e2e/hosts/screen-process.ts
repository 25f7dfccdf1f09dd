/** A screen as in a store: the player with its browser in a separate process, observed by its pixels. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Picture, picture } from '../../../player/screen/testing/pictures.ts';
import { ownPort } from '../../harness.ts';
import { end } from './child.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const ANSWER_WITHIN_MS = 3_000;

/** Sends one request of Chromium's DevTools protocol on a new connection. */
async function askDevTools<T>(address: string, method: string, params: object = {}): Promise<T> {
  const socket = new WebSocket(address);
  try {
    return await new Promise<T>((resolve, reject) => {
      // Limits the time, because a page that is being replaced may never answer.
      setTimeout(() => reject(new Error('the browser does not answer in time')), ANSWER_WITHIN_MS).unref();
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, method, params }));
      socket.onerror = () => reject(new Error('the browser does not answer'));
      socket.onclose = () => reject(new Error('the browser is gone'));
      socket.onmessage = ({ data }) => {
        const { id, result, error } = JSON.parse(String(data));
        if (id === 1) error ? reject(new Error(error.message)) : resolve(result as T);
      };
    });
  } finally {
    socket.close();
  }
}

export class ScreenProcess {
  readonly #t: TestContext;
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #size: { readonly width: number; readonly height: number };
  #child: ChildProcess | undefined;
  #port = 0;

  constructor(
    t: TestContext,
    {
      server,
      data,
      name,
      size,
      env = {},
    }: {
      readonly server: string;
      readonly data: string;
      readonly name: string;
      readonly size: { readonly width: number; readonly height: number };
      readonly env?: Readonly<Record<string, string>>;
    },
  ) {
    this.#t = t;
    this.#args = ['player/main.ts', '--server', server, '--data', data, '--headless', '--name', name];
    this.#env = env;
    this.#size = size;
    t.after(() => this.#child?.kill('SIGKILL'));
  }

  async start(): Promise<void> {
    this.#port = await ownPort();
    const { width, height } = this.#size;
    const child = spawn(process.execPath, this.#args, {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        ...this.#env,
        // The player uses the pipe to the browser. The additional port lets the test take screenshots while the server
        // is down.
        VITRINE_BROWSER_FLAGS: `--disable-gpu --window-size=${width},${height} --remote-debugging-port=${this.#port}`,
      },
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#t.diagnostic(text.trim()));
    this.#child = child;
  }

  /** Kills the player, like a power cut. Its browser ends with it. */
  async kill(): Promise<void> {
    if (this.#child) await end(this.#child);
  }

  /** Kills all browser processes of this type, like the system does when memory is short. */
  async killBrowser(type: 'browser' | 'renderer' | 'GPU'): Promise<void> {
    const { webSocketDebuggerUrl } = (await this.#json('version')) as { webSocketDebuggerUrl: string };
    const { processInfo } = await askDevTools<{ processInfo: { type: string; id: number }[] }>(
      webSocketDebuggerUrl,
      'SystemInfo.getProcessInfo',
    );
    const ids = processInfo.filter((one) => one.type === type).map(({ id }) => id);
    if (ids.length === 0) throw new Error(`the browser has no process of type ${type}`);
    for (const id of ids) process.kill(id, 'SIGKILL');
  }

  /** Returns the picture on the screen; null while the browser has no page. */
  async look(): Promise<Picture | null> {
    const photo = await this.photo();
    return photo && picture(photo);
  }

  /** Returns the same picture as PNG. */
  async photo(): Promise<Buffer | null> {
    try {
      const pages = (await this.#json('list')) as { type: string; webSocketDebuggerUrl: string }[];
      const page = pages.find(({ type }) => type === 'page');
      if (!page) return null;
      const shot = await askDevTools<{ data: string }>(page.webSocketDebuggerUrl, 'Page.captureScreenshot');
      return Buffer.from(shot.data, 'base64');
    } catch {
      return null;
    }
  }

  async #json(what: string): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/json/${what}`, { signal: AbortSignal.timeout(5_000) });
    return response.json();
  }
}
