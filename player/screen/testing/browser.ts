import { type Browser, chromium, type Page } from 'playwright';
import { CHROMIUM } from '../../agent/testing/chromium.ts';
import { FakeHost } from './fake-host.ts';
import { distance, type Picture, picture, type Rgb } from './pictures.ts';

/** @param env beside this program's own */
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

/** One screen on its own fake host. Dispose of it at the end of the test. */
export class ScreenUnderTest {
  readonly host: FakeHost;
  readonly page: Page;
  /** What the page said on its console as an error, and what it threw. */
  readonly complaints: string[] = [];

  static async open(
    browser: Browser,
    { width = 1920, height = 1080, locale = 'en-US' } = {},
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

  async look(): Promise<Picture> {
    return picture(await this.page.screenshot());
  }

  /** Waits until a point has a colour; throws with what it has instead. */
  async seen(x: number, y: number, colour: Rgb, withinMs = 8_000): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const is = (await this.look()).at(x, y);
      if (distance(is, colour) < 24) return;
      if (performance.now() > deadline)
        throw new Error(`at ${x}, ${y} expected ${colour.join(' ')}, saw ${is.join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
