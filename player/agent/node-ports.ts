/** Time, cryptography, sockets, HTTP and log, implemented with Node. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { uptime } from 'node:os';
import type { ConnectSocket, Crypto, Get, Log, Time } from '../core/ports.ts';
import { connectPinned, getPinned } from './pinned.ts';

export const nodeTime: Time = {
  mono: () => performance.now(),
  // performance.now() uses CLOCK_MONOTONIC on Linux, which stops in suspend. uptime() reads /proc/uptime, or its
  // equivalent elsewhere.
  sinceBoot: () => uptimeOrNaN() * 1_000,
  wall: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Returns NaN if the system does not provide the uptime. Then no sleep is detected. */
function uptimeOrNaN(): number {
  try {
    return uptime();
  } catch {
    return Number.NaN;
  }
}

const keyOf = (stored: string) =>
  createPrivateKey({ key: Buffer.from(stored, 'base64'), format: 'der', type: 'pkcs8' });

export const nodeCrypto: Crypto = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  sha256OfHex: (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex'),
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
  random: () => Math.random(),
  newSigningKey: () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  // The last 32 bytes of an Ed25519 SubjectPublicKeyInfo are the key itself (RFC 8410).
  publicKey: (stored) =>
    createPublicKey(keyOf(stored)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
  sign: (stored, text) => sign(null, Buffer.from(text), keyOf(stored)).toString('hex'),
  verify: (publicKey, text, signature) => {
    try {
      const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
      return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
    } catch {
      return false; // not a valid key
    }
  },
};

export const connectSocket: ConnectSocket = (url, subprotocol, events, trust) => {
  if (trust) return connectPinned(url, subprotocol, events, trust);
  const socket = new WebSocket(url, subprotocol);
  socket.addEventListener('open', () => events.opened());
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.text(data);
    else socket.close(4400, 'not text');
  });
  socket.addEventListener('close', ({ code, reason }) => events.closed(code, reason));
  // Node treats an error event without a listener as an unhandled error. The close event that follows has the same
  // information.
  socket.addEventListener('error', () => {});
  return { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) };
};

export const httpGet: Get = async (url, headers, signal, trust) => {
  if (trust && url.startsWith('https:')) return getPinned(url, headers, signal, trust);
  // Redirects are refused, because the credential must not reach another machine.
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  return { status: response.status, header: (name) => response.headers.get(name), body: response.body ?? emptyBody() };
};

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/**
 * Logs one line per message to stderr, where the starter of the player (systemd, a terminal, the desktop shell) stores
 * them.
 */
export const stderrLog: Log = {
  info: (message, detail) => say('info', message, detail),
  warn: (message, detail) => say('warn', message, detail),
  error: (message, detail) => say('error', message, detail),
};

function say(level: string, message: string, detail: unknown): void {
  const text = detail instanceof Error ? detail.message : detail;
  const more = text === undefined ? '' : `: ${typeof text === 'string' ? text : JSON.stringify(text)}`;
  // Removes control characters: text of a server or a file must not forge lines or move the cursor of the terminal.
  const line = `${message}${more}`.replace(/\p{Cc}/gu, ' ');
  process.stderr.write(`${new Date().toISOString()} ${level} ${line}\n`);
}
