import type { Wheel } from './wheel.ts';

/** Answers of several devices to one question, for as long as one is ready to wait. */
export class Gathering<A> {
  readonly answers = new Map<string, A>();
  /** When all have answered, or the time is up. Never rejects. */
  readonly done: Promise<void>;
  readonly #open: Set<string>;
  readonly #cancel: () => void;
  #finish!: () => void;

  constructor(deviceIds: Iterable<string>, wheel: Wheel, ms: number) {
    this.#open = new Set(deviceIds);
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#cancel = wheel.after(ms, () => this.#finish());
    this.#check();
  }

  /** One more that is asked. */
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
