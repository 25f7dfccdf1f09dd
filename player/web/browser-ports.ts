/**
 * Time, cryptography, sockets, HTTP and log, implemented for a browser. The page comes over plain HTTP, where browsers
 * provide neither crypto.subtle nor randomUUID, and the core hashes and signs synchronously, which browsers never
 * provide. Therefore both are computed here.
 */
import { getPublicKey, hashes, sign, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { ConnectSocket, Crypto, Get, Log, Time } from '../core/ports.ts';

hashes.sha512 = sha512;

export const browserTime: Time = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const utf8 = new TextEncoder();
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
/** Prefix of the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const SPKI = '302a300506032b6570032100';

export const browserCrypto: Crypto = {
  sha256: (bytes) => bytesToHex(sha256(typeof bytes === 'string' ? utf8.encode(bytes) : bytes)),
  sha256OfHex: (hex) => bytesToHex(sha256(hexToBytes(hex))),
  randomHex: (count) => bytesToHex(randomBytes(count)),
  uuid: () => {
    const bytes = randomBytes(16);
    // Version 4, variant 1 (RFC 9562).
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  },
  random: () => Math.random(),
  newSigningKey: () => bytesToHex(randomBytes(32)),
  publicKey: (stored) => bytesToHex(getPublicKey(hexToBytes(stored))),
  sign: (stored, text) => bytesToHex(sign(utf8.encode(text), hexToBytes(stored))),
  verify: (publicKey, text, signature) => {
    try {
      return (
        publicKey.startsWith(SPKI) &&
        verify(hexToBytes(signature), utf8.encode(text), hexToBytes(publicKey.slice(SPKI.length)))
      );
    } catch {
      return false; // A signature cannot be valid for an invalid key.
    }
  },
};

export const connectSocket: ConnectSocket = (url, subprotocol, events) => {
  const socket = new WebSocket(url, subprotocol);
  socket.addEventListener('open', () => events.opened());
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.text(data);
    else socket.close(4400, 'not text');
  });
  socket.addEventListener('close', ({ code, reason }) => events.closed(code, reason));
  return {
    // A socket that is closing drops the message. Important messages are sent again on the next socket.
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close: (code, reason) => socket.close(code, reason),
  };
};

export const httpGet: Get = async (url, headers, signal) => {
  // The browser must not cache the answer: downloads are stored in IndexedDB, and a replacement of a damaged file must
  // come from the server.
  const response = await fetch(url, { headers, signal, redirect: 'error', credentials: 'omit', cache: 'no-store' });
  return { status: response.status, header: (name) => response.headers.get(name), body: chunksOf(response.body) };
};

/** Reads a stream by chunks. Not every browser can iterate over a stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  if (!reader) return;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Cancels the stream if the reader stopped before its end. Has no effect on a stream that has ended or failed.
    void reader.cancel().catch(() => {});
  }
}

/** Writes to the console of the browser. Messages for the operator go to the server through the log of the core. */
export const consoleLog: Log = {
  info: (message, detail) => console.info(message, detail ?? ''),
  warn: (message, detail) => console.warn(message, detail ?? ''),
  error: (message, detail) => console.error(message, detail ?? ''),
};
