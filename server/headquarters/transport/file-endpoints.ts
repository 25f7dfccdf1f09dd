/**
 * Sends documents and files of campaigns to the stores that need them: GET by hash, with ranges. Any other request gets
 * the same 404, whether the hash exists or not.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutWhenStalled } from '../../http/limits/stalled.ts';
import { sendBlob, wantedPart } from '../../http/send-file.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { DesiredStatesStore } from './desired-states.store.ts';
import type { DesiredStates } from './desired-states.ts';

/**
 * Maximum numbers of files that are sent at the same time: per store, and in total. Further requests are refused and
 * retried.
 */
const MAX_OF_ONE = 4;
const MAX_OF_ALL = 256;
/** Value of the Retry-After header, in seconds. */
const AGAIN_SECONDS = 5;

interface Deps {
  readonly store: Pick<DesiredStatesStore, 'document' | 'file'>;
  readonly desiredStates: Pick<DesiredStates, 'needs'>;
  readonly media: Pick<MediaStore, 'pathOf'>;
  /** @default 256 */
  readonly most?: number;
}

export class FileEndpoints {
  readonly #deps: Deps;
  /** Running responses by store number. */
  readonly #sending = new Map<number, Set<ServerResponse>>();
  #all = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the file is sent or the store has disconnected.
   * @throws Refused, ApiError 404 when the file is
   * missing on the disk, ApiError 416 for an invalid range
   */
  async send(store: KnownStore, sha256: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.#deps.desiredStates.needs(store, sha256)) throw notNeeded();
    const own = this.#sending.get(store.id) ?? new Set();
    if (own.size >= MAX_OF_ONE || this.#all >= (this.#deps.most ?? MAX_OF_ALL)) {
      res.setHeader('Retry-After', AGAIN_SECONDS);
      throw own.size >= MAX_OF_ONE
        ? new Refused('too_many', 429, `Headquarters sends a store at most ${MAX_OF_ONE} files at the same time.`)
        : new Refused('busy', 503, 'Headquarters is busy with files of other stores. This server tries again later.');
    }
    this.#sending.set(store.id, own.add(res));
    this.#all++;
    try {
      cutWhenStalled(res);
      await this.#answer(sha256, req, res);
      await finished(res);
    } finally {
      this.#all--;
      own.delete(res);
      if (own.size === 0) this.#sending.delete(store.id);
    }
  }

  /** Returns the text of a document, or the path of a file; undefined: the document or file no longer exists. */
  find(sha256: string): { readonly text: Buffer } | { readonly path: string; readonly size: number } | undefined {
    const { store, media } = this.#deps;
    const document = store.document(sha256);
    if (document !== undefined) return { text: Buffer.from(document) };
    const file = store.file(sha256);
    return file && { path: media.pathOf(sha256), size: file.size };
  }

  /** Ends all transfers to a store whose server was replaced or removed. */
  drop(id: number): void {
    for (const res of this.#sending.get(id) ?? []) res.destroy();
  }

  async #answer(sha256: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { store, media } = this.#deps;
    const document = store.document(sha256);
    if (document !== undefined) return sendText(req, res, { sha256, bytes: Buffer.from(document) });
    const file = store.file(sha256);
    if (!file) throw notNeeded();
    await sendBlob(req, res, { path: media.pathOf(sha256), sha256, ...file, immutable: true });
  }
}

const sendText = (
  req: IncomingMessage,
  res: ServerResponse,
  { sha256, bytes }: { sha256: string; bytes: Buffer },
): void => {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  };
  const wanted = wantedPart(req, res, { etag: `"${sha256}"`, size: bytes.length, headers });
  if (wanted) res.writeHead(wanted.status, wanted.headers).end(bytes.subarray(wanted.start, wanted.end));
};

/** Resolves when the response is sent or closed. A transfer counts against the limits until then. */
const finished = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (res.closed || res.destroyed || res.writableFinished) return resolve();
    res.once('finish', resolve);
    res.once('close', resolve);
  });

const notNeeded = () =>
  new Refused(
    'bad_request',
    404,
    'The desired state of this store contains no file with this hash, or the file no longer exists.',
  );
