/** Screenshots of screens: requests them from the player, and stores the newest. */
import { ApiError } from '../../../shared/contract/errors.ts';
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { PlayerHub } from '../players/player-hub.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import type { Wheel } from '../wheel.ts';
import type { DeliveryStore } from './delivery.store.ts';
import { Gathering } from './gathering.ts';

const WAIT_MS = 5_000;

type Answer = Extract<PlayerMessage, { type: 'screenshot.result' }>;

interface Screenshot {
  readonly mime: string;
  readonly data: Buffer;
  /** Time of the screenshot in epoch seconds. */
  readonly taken_at: number;
}

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly store: DeliveryStore;
  readonly hub: PlayerHub;
  readonly registry: LiveRegistry;
  readonly wheel: Wheel;
}

export class Screenshots {
  readonly #deps: Deps;
  /** Running requests by device. Concurrent requests share one screenshot. */
  readonly #underWay = new Map<
    string,
    { readonly id: string; readonly gathering: Gathering<Answer>; readonly picture: Promise<Screenshot> }
  >();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  latest(deviceId: string): Screenshot | undefined {
    return this.#deps.store.screenshot(deviceId);
  }

  /** @throws ApiError 503 when the player is offline, cannot take a screenshot, or does not answer within 5 s */
  fresh(deviceId: string): Promise<Screenshot> {
    const underWay = this.#underWay.get(deviceId);
    if (underWay) return underWay.picture;
    const id = newId();
    if (!this.#deps.hub.send(deviceId, { type: 'screenshot', id }))
      return Promise.reject(unavailable('The screen is offline'));
    const gathering = new Gathering<Answer>([deviceId], this.#deps.wheel, WAIT_MS);
    const picture = this.#take(deviceId, gathering);
    this.#underWay.set(deviceId, { id, gathering, picture });
    return picture;
  }

  result(deviceId: string, message: Answer): void {
    const underWay = this.#underWay.get(deviceId);
    if (underWay?.id === message.id) underWay.gathering.answer(deviceId, message);
  }

  async #take(deviceId: string, gathering: Gathering<Answer>): Promise<Screenshot> {
    await gathering.done;
    this.#underWay.delete(deviceId);
    const answer = gathering.answers.get(deviceId);
    if (!answer) throw unavailable('The screen did not answer within 5 seconds');
    if (!answer.data || !answer.mime)
      throw unavailable(`The screen could not take a picture of itself${answer.error ? `: ${answer.error}` : ''}`);
    const data = Buffer.from(answer.data, 'base64');
    // Refuses bytes that are not a picture, because people open them as a picture.
    if (!isPicture(data, answer.mime)) throw unavailable('The screen sent something that is no picture');
    const picture = { mime: answer.mime, data, taken_at: seconds(this.#deps.clock) };
    this.#deps.db.write(() => this.#deps.store.saveScreenshot(deviceId, picture.mime, data, picture.taken_at));
    this.#deps.registry.screenshotTaken(deviceId, picture.taken_at);
    return picture;
  }
}

const unavailable = (message: string): ApiError => new ApiError(503, message, { retryAfter: 5 });

const isPicture = (data: Buffer, mime: string): boolean => {
  if (mime === 'image/jpeg') return data.subarray(0, 3).toString('hex') === 'ffd8ff';
  if (mime === 'image/png') return data.subarray(0, 8).toString('hex') === '89504e470d0a1a0a';
  return data.subarray(0, 4).toString('latin1') === 'RIFF' && data.subarray(8, 12).toString('latin1') === 'WEBP';
};
