/**
 * Records every frame of the compositor. Single screenshots would miss a picture that is visible for a sixtieth of a
 * second.
 */
import type { CDPSession } from 'playwright';
import type { ScreenUnderTest } from './browser.ts';
import { type Picture, picture } from './pictures.ts';

export class Film {
  readonly #session: CDPSession;
  readonly #frames: string[] = [];

  static async of(screen: ScreenUnderTest): Promise<Film> {
    const film = new Film(await screen.page.context().newCDPSession(screen.page));
    await film.#session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
    return film;
  }

  constructor(session: CDPSession) {
    this.#session = session;
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      this.#frames.push(data);
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    });
  }

  async stop(): Promise<Picture[]> {
    await this.#session.send('Page.stopScreencast');
    await this.#session.detach();
    return Promise.all(this.#frames.map((frame) => picture(Buffer.from(frame, 'base64'))));
  }
}
