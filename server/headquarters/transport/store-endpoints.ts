/**
 * HTTPS endpoints for stores: POST /chain/<verb> and GET of documents and files. Every request is limited before it is
 * read.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from '../../../shared/chain/segment.ts';
import {
  BLOB_PATH,
  CHAIN_VERBS,
  type ChainVerb,
  IDLE_MS,
  LISTEN_VERB,
  SEGMENT_VERB,
} from '../../../shared/chain/wire.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { endRaw } from '../../http/limits/drain.ts';
import type { Upgrade } from '../../http/server.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { Downlink } from './downlink.ts';
import type { FileEndpoints } from './file-endpoints.ts';
import { readBody } from './read-body.ts';
import { jsonOf, type RequestPipeline } from './request-pipeline.ts';
import type { Sessions } from './sessions.ts';
import type { Tunnels } from './tunnels.ts';

const PATH = /^\/chain\/([a-z]+)(?:\?.*)?$/;
const BLOB = new RegExp(`^${BLOB_PATH}([0-9a-f]{64})$`);
/** Limit of enrolment attempts per address and minute. */
const ENROLMENTS_A_MINUTE = 60;
/**
 * Limit of sign-ins per address and minute. A whole chain may share one address and reconnect at once when headquarters
 * is back.
 */
const SIGN_INS_A_MINUTE = 30_000;
/** Limit of unread bytes per listening store. */
const MAX_UNREAD_BYTES = 256 * 1024;

interface Deps {
  readonly sessions: Sessions;
  readonly pipeline: RequestPipeline;
  readonly downlink: Pick<Downlink, 'attach'>;
  readonly tunnels: Pick<Tunnels, 'claim'>;
  readonly blobs: Pick<FileEndpoints, 'send'>;
  readonly addressOf: (req: IncomingMessage) => string;
}

export interface StoreEndpoints {
  /** Returns false for a request that is not from a store. */
  readonly request: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Accepts a tunnel connection that headquarters requested from a store. */
  readonly tunnel: Upgrade;
  /** Timeout of an unused connection in milliseconds, as in Answering. */
  readonly idleMs: number;
}

const HELD = Symbol('held');

export const createStoreEndpoints = (deps: Deps): StoreEndpoints => {
  const { sessions, pipeline, tunnels, blobs } = deps;
  const answer = createRequestHandler(deps);
  const hold = createListening(deps);

  const respond = async (name: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const body = await answer(name, req);
      if (body === HELD) return hold(req, res);
      await pipeline.durable();
      send(res, 200, body);
    } catch (error) {
      if (req.destroyed && !res.writable) return;
      // The client has disconnected during the request.
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return;
      const { status, message, code } = pipeline.refusal(`POST /chain/${name}`, error);
      send(res, status, { error: message, code });
    }
  };

  const sendBlob = async (sha256: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      req.resume();
      const store = sessions.of(req.headers.authorization);
      pipeline.count(`blob ${store.id}`);
      await blobs.send(store, sha256, req, res);
    } catch (error) {
      const what = error instanceof ApiError ? new Refused('bad_request', error.status, error.message) : error;
      const { status, message, code } = pipeline.refusal(`GET ${BLOB_PATH}`, what);
      send(res, status, { error: message, code });
    }
  };

  return {
    idleMs: IDLE_MS,
    request: (req, res) => {
      const sha256 = BLOB.exec(req.url ?? '')?.[1];
      if (sha256 !== undefined && req.method === 'GET') {
        void sendBlob(sha256, req, res);
        return true;
      }
      const name = PATH.exec(req.url ?? '')?.[1];
      if (name === undefined) return false;
      void respond(name, req, res);
      return true;
    },
    tunnel: (req, socket, head) => {
      try {
        pipeline.count(`tunnel ${sessions.of(req.headers.authorization).id}`);
        tunnels.claim(req, socket, head);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { status, message, code } = error;
        endRaw(
          socket,
          `${status} ${STATUS_CODES[status]}`,
          JSON.stringify({ error: message, code }),
          'application/json',
        );
      }
    },
  };
};

/** Answers POST /chain/<verb>. Returns HELD for a store that listens: its response stays open. */
const createRequestHandler = ({ sessions, pipeline, addressOf }: Pick<Deps, 'sessions' | 'pipeline' | 'addressOf'>) => {
  /**
   * Checks the store again when the whole segment is here, because another PC may have replaced its server meanwhile.
   */
  const takeSegment = (req: IncomingMessage, { id }: KnownStore): Promise<unknown> =>
    pipeline.sending(id, () =>
      readBody(pipeline, req, MAX_SEGMENT_BYTES + MAX_HEADER_BYTES, (file) =>
        pipeline.segment(sessions.of(req.headers.authorization), file),
      ),
    );

  /** Looks the store up again when the whole body is here, because the store may have been removed meanwhile. */
  const answerRequest = async (verb: ChainVerb, req: IncomingMessage): Promise<unknown> =>
    pipeline.answer(verb, await readBody(pipeline, req, CHAIN_VERBS[verb].most, jsonOf), () =>
      sessions.of(req.headers.authorization),
    );

  return async (name: string, req: IncomingMessage): Promise<unknown> => {
    const isSegment = name === SEGMENT_VERB;
    const verb = Object.hasOwn(CHAIN_VERBS, name) ? (name as ChainVerb) : undefined;
    if (req.method !== 'POST' || (!isSegment && verb === undefined && name !== LISTEN_VERB))
      throw new Refused(
        'bad_request',
        404,
        'This version of headquarters does not know this request. Update Vitrine at headquarters.',
      );
    if (verb !== undefined && CHAIN_VERBS[verb].open) {
      pipeline.count(
        `${verb === 'enrol' ? verb : 'open'} ${addressOf(req)}`,
        verb === 'enrol' ? ENROLMENTS_A_MINUTE : SIGN_INS_A_MINUTE,
      );
      return answerRequest(verb, req);
    }
    const store = sessions.of(req.headers.authorization);
    pipeline.count(`store ${store.id}`);
    if (verb !== undefined) return answerRequest(verb, req);
    return isSegment ? takeSegment(req, store) : HELD;
  };
};

/** Keeps the response of a store that listens open. Commands for the store are written into the response. */
const createListening =
  ({ sessions, downlink }: Pick<Deps, 'sessions' | 'downlink'>) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    const store = sessions.of(req.headers.authorization);
    req.resume();
    res.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    const detach = downlink.attach(store, {
      send: (text) => {
        if (res.destroyed || res.writableLength > MAX_UNREAD_BYTES) return false;
        res.write(text);
        return true;
      },
      // end() would wait for ever for the client to read the remaining data.
      end: () => void (res.writableLength > 0 ? res.destroy() : res.end()),
    });
    res.once('close', detach);
  };

const send = (res: ServerResponse, status: number, body: unknown): void => {
  if (res.destroyed || res.headersSent) return;
  const text = JSON.stringify(body);
  res
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(text);
};
