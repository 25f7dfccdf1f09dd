import { after, before } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { until } from '../../../test/until.ts';
import { CHROMIUM } from '../../agent/testing/chromium.ts';
import { FakeHost } from './fake-host.ts';
import { distance, type Picture, picture, plainJpeg, type Rgb } from './pictures.ts';
import { playing, program } from './programs.ts';

/** @param env added to the environment of this process */
export const launchBrowser = (env: Readonly<Record<string, string>> = {}): Promise<Browser> =>
  chromium.launch({
    env: { ...(process.env as Record<string, string>), ...env },
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });

type Size = { readonly width?: number; readonly height?: number; readonly locale?: string };

/**
 * Starts one browser for all tests of a file, and returns a function that opens a screen. Called once per test file.
 */
export const screens = (): ((size?: Size) => Promise<ScreenUnderTest>) => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  return (size) => ScreenUnderTest.open(browser, size);
};

/** One screen with its own fake host. Dispose of it at the end of the test. */
export class ScreenUnderTest {
  readonly host: FakeHost;
  readonly page: Page;
  /** Console errors and uncaught exceptions of the page. */
  readonly complaints: string[] = [];

  static async open(
    browser: Browser,
    { width = 1920, height = 1080, locale = 'en-US' }: Size = {},
  ): Promise<ScreenUnderTest> {
    const host = new FakeHost();
    await host.start();
    const page = await browser.newPage({ viewport: { width, height }, locale });
    return new ScreenUnderTest(host, page);
  }

  constructor(host: FakeHost, page: Page) {
    this.host = host;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' && !message.text().includes('favicon') && this.complaints.push(message.text()),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close();
    await this.host.stop();
  }

  async open(): Promise<void> {
    await this.page.goto(this.host.url);
  }

  /** Adds a picture of one colour. Returns its hash. */
  async plain(colour: Rgb, width?: number, height?: number): Promise<string> {
    return this.host.add(await plainJpeg(colour, width, height), 'image/jpeg');
  }

  /** Plays a playlist of these items. */
  play(...items: readonly ProgramItem[]): void {
    this.host.push(playing(program(items)));
  }

  async look(): Promise<Picture> {
    return picture(await this.page.screenshot());
  }

  /** Waits until a point has a colour. Throws with the actual colour after the time limit. */
  async seen(x: number, y: number, colour: Rgb, withinMs = 8_000): Promise<void> {
    let saw: Rgb | undefined;
    const look = async () => {
      saw = (await this.look()).at(x, y);
      return distance(saw, colour) < 24;
    };
    await until(() => `at ${x}, ${y} expected ${colour.join(' ')}, saw ${saw?.join(' ')}`, withinMs, look);
  }
}
