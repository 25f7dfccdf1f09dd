/** Where stores come in: POST /chain/<verb>, over HTTPS alone. Everything is bounded before it is read. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from '../../shared/chain/segment.ts';
import { type AskOf, CHAIN_VERBS, type ChainVerb, LISTEN_VERB, SEGMENT_VERB } from '../../shared/chain/wire.ts';
import { endRaw } from '../http/drain.ts';
import type { Upgrade } from '../http/server.ts';
import { diskTrouble } from '../kernel/disk-trouble.ts';
import { MinuteCounts } from '../kernel/minute-counts.ts';
import type { Parts } from '../kernel/parts.ts';
import type { Downlink } from './downlink.ts';
import { Refused } from './refused.ts';
import type { Sessions } from './sessions.ts';
import type { Tunnels } from './tunnels.ts';
import type { Verbs } from './verbs.ts';
import type { KnownStore } from './writer.ts';

const PATH = /^\/chain\/([a-z]+)(?:\?.*)?$/;
/** Codes that one address tries. */
const ENROLMENTS_A_MINUTE = 60;
/** Of one address, to sign in: a chain may come through one, all of it at once when headquarters is back. */
const SIGN_INS_A_MINUTE = 30_000;
/** Of one store: a segment takes some milliseconds of everybody's time. */
const ASKED_A_MINUTE = 1_200;
/** In memory at once; whoever comes then comes again. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Of one store at once: an honest one sends the next when it has heard of the last. */
const MAX_SEGMENTS = 2;
const PATIENCE_MS = 60_000;
/** What a store that listens may leave unread. */
const MAX_UNREAD_BYTES = 256 * 1024;

interface Deps extends Pick<Parts, 'mono' | 'log' | 'db'> {
  readonly sessions: Sessions;
  readonly verbs: Verbs;
  readonly downlink: Pick<Downlink, 'attach'>;
  readonly tunnels: Pick<Tunnels, 'claim'>;
  readonly addressOf: (req: IncomingMessage) => string;
}

export interface Door {
  /** False: the request is none of a store. */
  readonly request: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** A store comes with a connection that it was asked for. */
  readonly tunnel: Upgrade;
}

export const createDoor = ({ sessions, verbs, downlink, tunnels, addressOf, mono, log, db }: Deps): Door => {
  const counts = new MinuteCounts({ mono });
  /** Bytes of all that is being read, or waits for its turn. */
  let waiting = 0;
  /** Segments of each store that are being read or taken. */
  const sending = new Map<number, number>();

  const count = (key: string, most: number): void => {
    if (counts.add(key).count > most)
      throw new Refused('too_many', 429, 'Headquarters is asked too often. It is asked again in a while.');
  };

  /** Does something with what is sent, which counts until that is done. @throws Refused */
  const reading = async <T>(req: IncomingMessage, most: number, use: (body: Buffer) => T): Promise<Awaited<T>> => {
    const tooLarge = () => new Refused('bad_request', 413, `It is larger than ${most} bytes.`);
    if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge();
    const parts: Buffer[] = [];
    let bytes = 0;
    const late = setTimeout(() => req.destroy(), PATIENCE_MS);
    try {
      for await (const part of req as AsyncIterable<Buffer>) {
        bytes += part.length;
        waiting += part.length;
        if (bytes > most) throw tooLarge();
        if (waiting > MAX_BODY_BYTES)
          throw new Refused('busy', 503, 'Headquarters is busy with other stores. Plays stay here until it has time.');
        parts.push(part);
      }
      clearTimeout(late);
      return await use(Buffer.concat(parts));
    } finally {
      clearTimeout(late);
      waiting -= bytes;
    }
  };

  /** A segment is for the store that asks when all of it is here: another PC may have taken its place meanwhile. */
  const takeSegment = async (req: IncomingMessage, { id }: KnownStore): Promise<unknown> => {
    const before = sending.get(id) ?? 0;
    if (before >= MAX_SEGMENTS)
      throw new Refused(
        'too_many',
        429,
        'Headquarters is still busy with plays of this server. They stay here until it has time.',
      );
    sending.set(id, before + 1);
    try {
      return await reading(req, MAX_SEGMENT_BYTES + MAX_HEADER_BYTES, (file) =>
        verbs.segment(sessions.of(req.headers.authorization), file),
      );
    } finally {
      const left = sending.get(id)! - 1;
      if (left > 0) sending.set(id, left);
      else sending.delete(id);
    }
  };

  const answerVerb = async (verb: ChainVerb, req: IncomingMessage): Promise<unknown> => {
    const { ask, most } = CHAIN_VERBS[verb];
    const parsed = (ask as z.ZodType).safeParse(await reading(req, most, jsonOf));
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      throw new Refused('bad_request', 400, `${path.join('.') || 'The request'}: ${message}`);
    }
    const asked = <V extends ChainVerb>() => parsed.data as AskOf<V>;
    /** As it is now that all is here: it may have been removed meanwhile. */
    const store = () => sessions.of(req.headers.authorization);
    switch (verb) {
      case 'enrol':
        return verbs.enrol(asked<'enrol'>());
      case 'challenge':
        return verbs.challenge(asked<'challenge'>());
      case 'session':
        return verbs.session(asked<'session'>());
      case 'through':
        return await verbs.through(store(), asked<'through'>());
      case 'presence':
        return verbs.presence(store(), asked<'presence'>());
      case 'answer':
        return verbs.answer(store(), asked<'answer'>());
      case 'leave':
        return verbs.leave(store());
    }
  };

  const answer = async (name: string, req: IncomingMessage): Promise<unknown> => {
    const isSegment = name === SEGMENT_VERB;
    const verb = Object.hasOwn(CHAIN_VERBS, name) ? (name as ChainVerb) : undefined;
    if (req.method !== 'POST' || (!isSegment && verb === undefined && name !== LISTEN_VERB))
      throw new Refused('bad_request', 404, 'Headquarters of this version does not know what it is asked.');
    if (verb !== undefined && CHAIN_VERBS[verb].open) {
      count(
        `${verb === 'enrol' ? verb : 'open'} ${addressOf(req)}`,
        verb === 'enrol' ? ENROLMENTS_A_MINUTE : SIGN_INS_A_MINUTE,
      );
      return answerVerb(verb, req);
    }
    const store = sessions.of(req.headers.authorization);
    count(`store ${store.id}`, ASKED_A_MINUTE);
    if (verb !== undefined) return answerVerb(verb, req);
    return isSegment ? takeSegment(req, store) : HELD;
  };

  /** Keeps the answer open: what the store is told goes into it. */
  const hold = (req: IncomingMessage, res: ServerResponse): void => {
    const store = sessions.of(req.headers.authorization);
    req.resume();
    res.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    const detach = downlink.attach(store, {
      say: (text) => {
        if (res.destroyed || res.writableLength > MAX_UNREAD_BYTES) return false;
        res.write(text);
        return true;
      },
      // An end that waits for what is unread would wait for ever.
      end: () => void (res.writableLength > 0 ? res.destroy() : res.end()),
    });
    res.once('close', detach);
  };

  const respond = async (name: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const body = await answer(name, req);
      if (body === HELD) return hold(req, res);
      // What it says is so also after a crash.
      await db.durable();
      send(res, 200, body);
    } catch (error) {
      if (req.destroyed && !res.writable) return;
      if (error instanceof Refused) return send(res, error.status, { error: error.message, code: error.code });
      // The client has gone in the middle.
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return;
      if (diskTrouble(error) === undefined) log.error(`POST /chain/${name} failed`, { error });
      send(res, 503, { error: 'Headquarters cannot answer just now. It is asked again in a while.', code: 'busy' });
    }
  };

  return {
    request: (req, res) => {
      const name = PATH.exec(req.url ?? '')?.[1];
      if (name === undefined) return false;
      void respond(name, req, res);
      return true;
    },
    tunnel: (req, socket, head) => {
      try {
        count(`tunnel ${sessions.of(req.headers.authorization).id}`, ASKED_A_MINUTE);
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

const HELD = Symbol('held');

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Refused('bad_request', 400, 'It is no JSON.');
  }
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
