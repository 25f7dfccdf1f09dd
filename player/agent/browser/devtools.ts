/** Chromium's DevTools protocol over the pipe that it was started with: NUL-terminated JSON in both directions. */
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const Message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

export interface DevToolsEvent {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Maximum size of a message in bytes. A PNG screenshot of an 8K panel is smaller. Only a broken browser sends a larger
 * message.
 */
const MOST_BYTES = 64 * 1024 * 1024;

interface Deps {
  readonly input: Writable;
  readonly output: Readable;
  readonly event: (event: DevToolsEvent) => void;
}

export class DevTools {
  readonly #deps: Deps;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #parts: Buffer[] = [];
  #bytes = 0;
  #last = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#deps.output.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#deps.output.on('close', () => this.stop());
    this.#deps.output.on('error', () => this.stop());
    this.#deps.input.on('error', () => this.stop());
  }

  stop(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    this.#waiting.clear();
    this.#deps.input.destroy();
    this.#deps.output.destroy();
  }

  async call<T>(schema: z.ZodType<T>, method: string, params: object = {}, sessionId?: string): Promise<T> {
    if (this.#deps.input.destroyed) throw new Error('the browser has ended');
    const id = ++this.#last;
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#deps.input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    return schema.parse(await answered);
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...this.#parts, chunk.subarray(from, end)]).toString('utf8');
      this.#parts = [];
      this.#bytes = 0;
      from = end + 1;
      this.#message(text);
    }
    this.#parts.push(chunk.subarray(from));
    this.#bytes += chunk.length - from;
    if (this.#bytes > MOST_BYTES) this.stop();
  }

  #message(text: string): void {
    const { id, method, sessionId, params, result, error } = Message.parse(JSON.parse(text));
    if (method !== undefined) return this.#deps.event({ method, sessionId, params: params ?? {} });
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }
}
