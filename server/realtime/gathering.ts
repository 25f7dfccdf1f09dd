import type { Wheel } from './wheel.ts';

/** Collects the answers of several devices to one question, for a limited time. */
export class Gathering<A> {
  readonly answers = new Map<string, A>();
  /** Resolves when all have answered or the time is up. Never rejects. */
  readonly done: Promise<void>;
  readonly #open: Set<string>;
  readonly #cancel: () => void;
  readonly #finish: () => void;

  constructor(deviceIds: Iterable<string>, wheel: Wheel, ms: number) {
    this.#open = new Set(deviceIds);
    ({ promise: this.done, resolve: this.#finish } = Promise.withResolvers<void>());
    this.#cancel = wheel.after(ms, () => this.#finish());
    this.#check();
  }

  /** Adds a device that is asked. */
  expect(deviceId: string): void {
    this.#open.add(deviceId);
  }

  expects(deviceId: string): boolean {
    return this.#open.has(deviceId);
  }

  /** False when this device was not asked, or has answered before. */
  answer(deviceId: string, answer: A): boolean {
    if (!this.#open.delete(deviceId)) return false;
    this.answers.set(deviceId, answer);
    this.#check();
    return true;
  }

  #check(): void {
    if (this.#open.size > 0) return;
    this.#cancel();
    this.#finish();
  }
}
