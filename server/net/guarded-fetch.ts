/**
 * Fetches addresses that users entered: remote content, feeds, weather, logos. No other code of the server fetches such
 * addresses. Each redirect is checked, and the connection goes to exactly the address that was checked, so a changing
 * DNS answer has no effect.
 */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type Address, HostUnknown, type SsrfGuard } from './ssrf-guard.ts';

const MAX_REDIRECTS = 5;

/** Error: the other server did not answer, or not as expected. The message is shown to people. */
class FetchFailed extends Error {
  /** HTTP status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.name = 'FetchFailed';
    this.status = status;
  }
}

interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum time without any data, in milliseconds. @default 15_000 */
  readonly silenceMs?: number;
  /**
   * Maximum time until the answer begins, per address, in milliseconds. Needed because an answer that arrives byte by
   * byte never exceeds `silenceMs`.
   * @default 30_000
   */
  readonly answerMs?: number;
  readonly signal?: AbortSignal;
}

export interface Fetched {
  /** Final address after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body of the answer. The caller must read it to the end or destroy it. */
  readonly body: IncomingMessage;
}

export class GuardedFetch {
  readonly #guard: SsrfGuard;

  constructor(guard: SsrfGuard) {
    this.#guard = guard;
  }

  /**
   * Returns the answer, whatever its status; redirects are followed.
   * @throws AddressRefused, FetchFailed
   */
  async get(address: string, options: FetchOptions = {}): Promise<Fetched> {
    let url = this.#guard.parse(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const body = await this.#once(url, options);
      const status = body.statusCode ?? 0;
      const location = body.headers.location;
      if (![301, 302, 303, 307, 308].includes(status) || !location) return { url, status, headers: body.headers, body };
      body.destroy();
      url = this.#guard.parse(location, url.href);
    }
    throw new FetchFailed(`${url.host} redirects too often`);
  }

  /**
   * Returns the whole answer in memory.
   * @param options.beyond handling of an answer larger than `maxBytes`.
   * @default
   * 'refuse'
   * @throws AddressRefused, FetchFailed (also for an answer larger than `maxBytes`, and for any status except
   * 200 and 304)
   */
  async getBytes(
    address: string,
    options: FetchOptions & { readonly maxBytes: number; readonly beyond?: 'refuse' | 'cut' },
  ): Promise<{ url: URL; status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
    const { url, status, headers, body } = await this.get(address, options);
    if (status !== 200 && status !== 304) {
      body.destroy();
      throw new FetchFailed(`${url.host} answered with the status ${status}`, status);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size <= options.maxBytes) {
          chunks.push(chunk);
          continue;
        }
        if (options.beyond !== 'cut') throw new FetchFailed(`${url.host} sent more than ${options.maxBytes} bytes`);
        chunks.push(chunk.subarray(0, chunk.length - (size - options.maxBytes)));
        break;
      }
    } catch (error) {
      throw error instanceof FetchFailed ? error : new FetchFailed(`${url.host} ended its answer too early`);
    }
    return { url, status, headers, bytes: Buffer.concat(chunks) };
  }

  async #once(url: URL, options: FetchOptions): Promise<IncomingMessage> {
    let addresses: readonly Address[];
    try {
      addresses = await this.#guard.addressesOf(url);
    } catch (error) {
      throw error instanceof HostUnknown ? new FetchFailed(error.message) : error;
    }
    options.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const silenceMs = options.silenceMs ?? 15_000;
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        // Every request opens a new connection, because a kept-alive connection could belong to an address that was
        // checked earlier.
        agent: false,
        lookup: pinned(addresses),
        headers: { 'User-Agent': 'Vitrine', Accept: '*/*', 'Accept-Encoding': 'identity', ...options.headers },
        timeout: silenceMs,
        ...(options.signal && { signal: options.signal }),
      });
      const answerMs = options.answerMs ?? 30_000;
      const late = setTimeout(
        () => request.destroy(new FetchFailed(`${url.host} did not answer in ${answerMs / 1000} s`)),
        answerMs,
      );
      request
        .once('close', () => clearTimeout(late))
        .once('response', (response) => {
          clearTimeout(late);
          response.on('error', () => {});
          resolve(response);
        });
      request.on('timeout', () =>
        request.destroy(new FetchFailed(`${url.host} did not answer in ${silenceMs / 1000} s`)),
      );
      request.on('error', (error) =>
        reject(error instanceof FetchFailed ? error : new FetchFailed(sentence(error, url))),
      );
      request.end();
    });
  }
}

/** Answers every DNS lookup of the connection with the checked addresses. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, callback) => {
    const wanted = addresses.filter(
      ({ family }) => !options.family || options.family === family || options.family === `IPv${family}`,
    );
    const usable = wanted.length > 0 ? wanted : addresses;
    if (options.all)
      callback(
        null,
        usable.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, usable[0]!.address, usable[0]!.family);
  };

const sentence = (error: NodeJS.ErrnoException, url: URL): string => {
  if (error.code === 'ECONNREFUSED') return `${url.host} refused the connection`;
  if (error.code === 'ETIMEDOUT' || error.code === 'EHOSTUNREACH' || error.code === 'ENETUNREACH')
    return `${url.host} cannot be reached`;
  if (error.code?.includes('CERT') || error.code?.includes('SELF_SIGNED'))
    return `${url.host} has a certificate that is not valid (${error.code})`;
  return `${url.host} cannot be fetched (${error.code ?? error.message})`;
};
