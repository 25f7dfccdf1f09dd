/** A store as a bare HTTPS client of headquarters: requests with any credential and body, and the answers. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { SPKI } from '../../server/kernel/trust/signed-by.ts';
import { meet } from '../../server/store-link/connection/https-connection.ts';
import { type Key, newKey } from '../../server/store-link/testing/journal.ts';
import { enrolmentAsk } from '../../server/store-link/testing/store.ts';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '../../shared/chain/tunnel.ts';
import { BLOB_PATH, DownlinkLine, LISTEN_VERB, sessionText } from '../../shared/chain/wire.ts';
import { fromAnywhere, must } from '../people.ts';
import type { Server } from './rig.ts';

export interface Reply {
  readonly status: number;
  readonly body: any;
}

const begin = async (
  hq: Server,
  path: string,
  { token, body, headers = {} }: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
): Promise<IncomingMessage> => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const asked = request(`https://127.0.0.1:${hq.httpsPort}${path}`, {
    method: path.startsWith(TUNNEL_PATH) || path.startsWith(BLOB_PATH) ? 'GET' : 'POST',
    rejectUnauthorized: false,
    agent: false,
    headers: {
      ...fromAnywhere(),
      'Content-Length': bytes.length,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  asked.end(bytes);
  return new Promise((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
    asked.once('upgrade', (reply, socket) => {
      socket.destroy();
      resolve(reply);
    });
  });
};

const readAll = async (reply: IncomingMessage): Promise<Reply> => {
  let text = '';
  if (reply.statusCode !== 101) for await (const part of reply.setEncoding('utf8')) text += part as string;
  return { status: reply.statusCode!, body: text === '' ? undefined : JSON.parse(text) };
};

/**
 * Sends a request to headquarters. @param verb known or unknown type of the request @param body JSON, or the bytes of a
 * segment (batch of plays)
 */
export const askHq = async (hq: Server, verb: string, body: unknown, token?: string): Promise<Reply> =>
  readAll(await begin(hq, `/chain/${verb}`, { token, body }));

/** Fetches a document or file by its hash. `bytes` is the whole body of the answer. */
export const fetchBlob = async (hq: Server, sha256: string, token?: string): Promise<Reply & { bytes: Buffer }> => {
  const reply = await begin(hq, BLOB_PATH + sha256, { token });
  const bytes = await buffer(reply);
  return { status: reply.statusCode!, bytes, body: reply.statusCode === 200 ? undefined : JSON.parse(String(bytes)) };
};

/** Opens a tunnel connection. Status 101 means that headquarters was waiting for this tunnel. */
export const comeByTunnel = async (hq: Server, id: string, token?: string): Promise<Reply> =>
  readAll(
    await begin(hq, `${TUNNEL_PATH}?id=${id}`, {
      token,
      headers: { Connection: 'Upgrade', Upgrade: TUNNEL_PROTOCOL },
    }),
  );

export interface RawStore {
  /** The store's id at headquarters. */
  readonly ref: string;
  readonly key: Key;
  readonly token: string;
}

/** Returns the body of a sign-in request, signed with a nonce of headquarters. */
export const sessionAsk = async (hq: Server, store: string, key: Key, nonceOf = store) => {
  const { nonce } = must((await askHq(hq, 'challenge', { store: nonceOf })) as never);
  const { fingerprint } = hq.site.app.identity;
  return { store, nonce, signature: key.sign(sessionText(store, nonce, fingerprint)) };
};

/** Enrols a server with a code for this store, and signs in. */
export const enrolRaw = async (hq: Server, ref: string, key: Key = newKey()): Promise<RawStore> => {
  const { code } = must(await hq.call('POST', `/api/stores/${ref}/code`), 201);
  const { ask } = enrolmentAsk(code, { publicKey: SPKI + key.key, sign: key.sign }, 'Raw');
  const { fingerprint } = await meet(`https://127.0.0.1:${hq.httpsPort}`, () => true);
  must((await askHq(hq, 'enrol', ask(fingerprint))) as never);
  const { token } = must((await askHq(hq, 'session', await sessionAsk(hq, ref, key))) as never);
  return { ref, key, token };
};

export const addRaw = async (hq: Server, name: string): Promise<RawStore> =>
  enrolRaw(hq, must(await hq.call('POST', '/api/stores', { name }), 201).id);

/** Collects the messages of headquarters to the store, in order, until the collection is stopped. */
export const listenRaw = async (hq: Server, token: string) => {
  const reply = await begin(hq, `/chain/${LISTEN_VERB}`, { token });
  if (reply.statusCode !== 200) throw new Error(`listen is answered ${reply.statusCode}`);
  const lines: z.infer<typeof DownlinkLine>[] = [];
  createInterface({ input: reply }).on('line', (line) => {
    if (line !== '') lines.push(DownlinkLine.parse(JSON.parse(line)));
  });
  const ended = once(reply, 'close');
  return {
    lines,
    ended,
    get isEnded() {
      return reply.destroyed || reply.complete;
    },
    end: () => reply.destroy(),
  };
};
