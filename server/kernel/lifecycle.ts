/** Constructors only remember; `start` and `stop` are mirror images. The composition root starts in order and stops in reverse. */
export interface Lifecycle {
  readonly name: string;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}
