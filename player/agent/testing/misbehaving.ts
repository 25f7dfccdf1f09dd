/** Starts a screen with the player's own browser, and a web server whose responses the test can change. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serve } from '../../../test/serve.ts';
import { until } from '../../../test/until.ts';
import { MemoryLog } from '../../core/testing/fakes.ts';
import { FakeHost } from '../../screen/testing/fake-host.ts';
import { distance, picture, type Rgb } from '../../screen/testing/pictures.ts';
import { Browser } from '../browser/browser.ts';
import { findBrowser, thisMachine } from '../browser/browser-find.ts';
import { nodeTime } from '../node-ports.ts';
import { folderFor } from './folder.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const executable = await findBrowser(thisMachine());
export const needsBrowser = { skip: executable ? false : 'no Chromium on this machine', timeout: 90_000 } as const;

export const page =
  (colour: string, body = ''): Answer =>
  (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><body style="margin:0;height:100vh;background:${colour}"><p>page</p>${body}`);

export interface RigOptions {
  readonly headless?: boolean;
  /** Environment of the browser and its child processes. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function misbehaving(t: TestContext, { headless = true, env = {} }: RigOptions = {}) {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const { origin } = await serve(t, (request, response) => {
    asked.push(request.url ?? '');
    (
      answers.get(new URL(request.url ?? '/', 'http://site').pathname) ??
      ((_request, other) => other.writeHead(404).end())
    )(request, response);
  });
  const host = new FakeHost();
  await host.start();
  t.after(() => host.stop());
  const mode = {
    profile: join(folderFor(t), 'browser'),
    headless,
    root: process.getuid?.() === 0,
    extra: ['--window-size=640,360', '--disable-gpu'],
  };
  // Timers of the player run five times as fast. Timers of the page run at normal speed.
  const time = { ...nodeTime, after: (ms: number, run: () => void) => nodeTime.after(ms / 5, run) };
  const before = { ...process.env };
  Object.assign(process.env, env);
  const browser = new Browser({
    executable: executable ?? '',
    mode,
    url: host.url,
    time,
    random: () => 0.5,
    log: new MemoryLog(),
  });
  const alive = setInterval(() => browser.alive(), 100);
  t.after(async () => {
    clearInterval(alive);
    await browser.stop();
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  const seen = async (colour: Rgb, withinMs = 20_000): Promise<void> => {
    let saw = '';
    const look = async () => {
      const shot = await browser.screenshot();
      const is = 'data' in shot ? (await picture(Buffer.from(shot.data, 'base64'))).at(320, 150) : null;
      saw = is?.join(' ') ?? JSON.stringify(shot);
      return is !== null && distance(is, colour) < 40;
    };
    await until(() => `expected ${colour.join(' ')}, saw ${saw}`, withinMs, look);
  };
  return {
    answers,
    asked,
    host,
    browser,
    seen,
    origin,
  };
}
