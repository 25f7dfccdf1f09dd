/**
 * A store of real processes for the fault tests: a server, a player with its browser, and screenshots that depend on
 * neither server nor player.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { chromium } from 'playwright';
import { distance, picture, plainJpeg, type Rgb } from '../../player/screen/testing/pictures.ts';
import { callerOf, freePort, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';

const ROOT = join(import.meta.dirname, '../..');
export const RED: Rgb = [220, 30, 40];
export const GREEN: Rgb = [20, 170, 70];
/** Limit in milliseconds for the time from any fault until the picture is back. */
export const BACK_MS = 5_000;
export const TURN_MS = 2_000;

const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_'))),
  // The tests act as many clients at one address, so the server trusts the addresses in their proxy headers.
  VITRINE_TRUSTED_PROXIES: '127.0.0.1',
  ...more,
});

/** A process started by the test. Its output is printed when the test fails. */
export class Program {
  readonly child: ChildProcess;
  output = '';

  constructor(t: TestContext, file: string, args: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [join(ROOT, file), ...args], {
      cwd: ROOT,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output = (this.output + text).slice(-20_000)));
    t.after(() => this.kill());
  }

  get gone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Kills the process, like a power cut. */
  async kill(): Promise<void> {
    if (this.gone) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** The process of the server, which may be stopped and started, and a signed-in user. */
export class Shop {
  readonly origin: string;
  readonly data: string;
  readonly #t: TestContext;
  readonly #port: number;
  #program: Program | undefined;
  #token = '';

  static async open(t: TestContext): Promise<Shop> {
    const shop = new Shop(t, await freePort());
    await shop.start();
    shop.#token = (
      await shop.call(
        'POST',
        '/api/auth/register',
        { email: 'owner@store.test', password: 'correct horse', name: 'Owner' },
        201,
      )
    ).token;
    return shop;
  }

  constructor(t: TestContext, port: number) {
    this.#t = t;
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.data = join(tempFolder(t), 'server');
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.#port), '--host', '127.0.0.1', '--data', this.data, '--no-discovery'];
    this.#program = new Program(this.#t, 'server/main.ts', args, { VITRINE_LOG_LEVEL: 'warn', VITRINE_HTTPS: '0' });
    const program = this.#program;
    await until('the server answers', 20_000, async () => {
      if (program.gone) throw new Error(`the server ended: ${program.output}`);
      return (await fetch(`${this.origin}/api/health`).catch(() => undefined))?.ok;
    });
  }

  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  get output(): string {
    return this.#program?.output ?? '';
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    status = 200,
    more: Record<string, string> = {},
  ): Promise<any> {
    return must(await callerOf(this.origin)(method, path, { token: this.#token, body, headers: more }), status);
  }

  async upload(name: string, bytes: Buffer): Promise<{ id: string; sha256: string }> {
    return must(await upload(this, this.#token, bytes, name), 201);
  }

  uploadPlain(name: string, colour: Rgb): Promise<{ id: string; sha256: string }> {
    return plainJpeg(colour, 320, 180).then((bytes) => this.upload(name, bytes));
  }

  /** Publishes a playlist of contents of equal duration. Returns its id. */
  async playlist(contents: readonly string[], seconds = TURN_MS / 1000): Promise<string> {
    const { id } = await this.call('POST', '/api/playlists', { name: 'Window' }, 201);
    for (const content_id of contents)
      await this.call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec: seconds }, 201);
    await this.call('POST', `/api/playlists/${id}/publish`);
    return id;
  }

  /** Claims the player with this name. Returns the id of the device. */
  async claim(name: string): Promise<string> {
    const pending_id = await until(`"${name}" waits to be claimed`, 20_000, async () => {
      const waiting: { pending_id: string; name: string }[] = await this.call('GET', '/api/devices/pending');
      return waiting.find((one) => one.name === name)?.pending_id;
    });
    return (await this.call('POST', '/api/devices/pair', { pending_id }, 201)).id;
  }

  assign(playlistId: string, deviceId: string): Promise<unknown> {
    return this.call('POST', `/api/playlists/${playlistId}/assign`, { device_id: deviceId });
  }

  /** The plays of the report, the newest first. */
  plays(deviceId: string): Promise<PlayRow[]> {
    return this.call('GET', `/api/reports/plays?device_id=${deviceId}&limit=5000`);
  }
}

export interface PlayRow {
  readonly id: string;
  readonly content_id: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly completed: 0 | 1;
}

/** The process of the player, which may be stopped and started, and its screen. */
export class Kiosk {
  readonly data: string;
  readonly name: string;
  readonly #t: TestContext;
  readonly #server: string;
  readonly #eyes: number | null;
  #program: Program | undefined;

  /** @param options.window whether a real browser runs on the screen; without it, the test opens the page's address */
  static async open(
    t: TestContext,
    server: string,
    options: { window: boolean; name?: string; data?: string },
  ): Promise<Kiosk> {
    const kiosk = new Kiosk(t, server, {
      name: options.name ?? 'Window',
      data: options.data ?? join(tempFolder(t), 'player'),
      eyes: options.window ? await freePort() : null,
    });
    await kiosk.start();
    return kiosk;
  }

  constructor(
    t: TestContext,
    server: string,
    { name, data, eyes }: { name: string; data: string; eyes: number | null },
  ) {
    this.#t = t;
    this.#server = server;
    this.name = name;
    this.data = data;
    this.#eyes = eyes;
  }

  async start(): Promise<void> {
    const args = [
      '--server',
      this.#server,
      '--data',
      this.data,
      '--name',
      this.name,
      this.#eyes === null ? '--no-window' : '--headless',
    ];
    // Opens a debugging port for the test. The agent itself controls its browser through a pipe.
    const flags = `--remote-debugging-port=${this.#eyes} --disable-gpu --window-size=320,180`;
    this.#program = new Program(
      this.#t,
      'player/main.ts',
      args,
      this.#eyes === null ? {} : { VITRINE_BROWSER_FLAGS: flags },
    );
    await until('the player has started', 20_000, () => /screen: (\S+)/.test(this.output));
  }

  kill(): Promise<void> {
    return this.#program?.kill() ?? Promise.resolve();
  }

  get output(): string {
    return this.#program?.output ?? '';
  }

  /** Address of the screen page for this run of the agent. */
  get page(): string {
    return /screen: (\S+)/.exec(this.output)?.[1] ?? '';
  }

  /** Process ids of the browser and of its pages. */
  processes(): { browser: number; renderers: number[] } {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 24 }).split('\n');
    const all = lines
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .flatMap((match) => (match ? [{ pid: Number(match[1]), args: match[3] ?? '' }] : []));
    const ours = all.filter(({ args }) => args.includes(`--user-data-dir=${join(this.data, 'browser')}`));
    const browser = ours.find(({ args }) => !args.includes('--type='))?.pid;
    if (browser === undefined) throw new Error('the browser does not run');
    const renderers = all
      .filter(({ pid, args }) => args.includes('--type=renderer') && isBelow(pid, browser, lines))
      .map(({ pid }) => pid);
    return { browser, renderers };
  }

  /** The colour in the middle of the screen; undefined while no picture can be taken. */
  async colour(): Promise<Rgb | undefined> {
    try {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${this.#eyes}`, { timeout: 2_000 });
      try {
        const page = browser.contexts()[0]?.pages()[0];
        if (!page) return undefined;
        const look = await picture(await page.screenshot({ timeout: 1_500 }));
        return look.at(look.width / 2, look.height / 2);
      } finally {
        await browser.close();
      }
    } catch {
      return undefined;
    }
  }

  /** Resolves with the milliseconds until the screen showed one of the colours. */
  async shows(colours: readonly Rgb[], withinMs = BACK_MS): Promise<number> {
    const since = Date.now();
    await until(`the screen shows one of ${JSON.stringify(colours)}`, withinMs, async () => {
      const is = await this.colour();
      return is && colours.some((colour) => distance(is, colour) < 24);
    });
    return Date.now() - since;
  }

  /** Checks that the screen shows both colours alternately, so that it does not stand still. */
  async goesOn(): Promise<void> {
    await this.shows([RED], TURN_MS + BACK_MS);
    await this.shows([GREEN], TURN_MS + BACK_MS);
  }

  /** Returns the state that the agent sends to its screen now. */
  async state(): Promise<any> {
    const reader = (await fetch(`${this.page}events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; reader; ) {
      const { value, done } = await reader.read();
      text += value ?? '';
      const line = /^data: (.*)\n\n/m.exec(text)?.[1];
      if (!line && !done) continue;
      await reader.cancel();
      if (line) return JSON.parse(line);
      break;
    }
    throw new Error('the agent tells its screen nothing');
  }
}

const isBelow = (pid: number, ancestor: number, lines: readonly string[]): boolean => {
  const parentOf = new Map(
    lines.flatMap((line) =>
      /^\s*(\d+)\s+(\d+)/.test(line) ? [line.trim().split(/\s+/).slice(0, 2).map(Number) as [number, number]] : [],
    ),
  );
  for (let at = pid, depth = 0; depth < 10; depth++) {
    const parent = parentOf.get(at);
    if (parent === undefined) return false;
    if (parent === ancestor) return true;
    at = parent;
  }
  return false;
};

/**
 * Throws when the report contains a play twice or overlapping plays, or when a play outside of the allowed gaps is
 * missing.
 */
export const judge = (
  plays: readonly PlayRow[],
  {
    anchor,
    from,
    to,
    gaps,
  }: { anchor: number; from: number; to: number; gaps: readonly (readonly [from: number, to: number])[] },
): { shown: number; missing: number } => {
  const turnOf = (play: PlayRow): number => Math.round((play.started_at * 1_000 + 500 - anchor) / TURN_MS);
  const ids = new Set(plays.map(({ id }) => id));
  if (ids.size !== plays.length) throw new Error('the same play is in the report twice');
  const turns = new Map<number, PlayRow[]>();
  for (const play of plays) turns.set(turnOf(play), [...(turns.get(turnOf(play)) ?? []), play]);
  let [shown, missing] = [0, 0];
  for (let turn = Math.ceil((from - anchor) / TURN_MS); anchor + (turn + 1) * TURN_MS <= to; turn++) {
    const [start, end] = [anchor + turn * TURN_MS, anchor + (turn + 1) * TURN_MS];
    const disturbed = gaps.some(([since, till]) => start < till && end > since);
    const found = turns.get(turn) ?? [];
    if (!disturbed && found.length !== 1)
      throw new Error(
        `the turn at ${new Date(start).toISOString()} is in the report ${found.length} times: ${JSON.stringify(found)}`,
      );
    if (!disturbed && found[0]?.completed !== 1)
      throw new Error(
        `the turn at ${new Date(start).toISOString()} was whole, but is not reported so: ${JSON.stringify(found)}`,
      );
    if (found.length > 0) shown++;
    else missing++;
  }
  return { shown, missing };
};
