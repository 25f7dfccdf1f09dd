import type { Wheel } from '../wheel.ts';

/** Collects the answers of several devices to one request, until a time limit. */
export class Gathering<A> {
  readonly answers = new Map<string, A>();
  /** Resolves when all devices have answered or the time limit is reached. Never rejects. */
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

  /** Adds a device from which an answer is expected. */
  expect(deviceId: string): void {
    this.#open.add(deviceId);
  }

  expects(deviceId: string): boolean {
    return this.#open.has(deviceId);
  }

  /** Returns false when no answer is expected from this device, or it has already answered. */
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
