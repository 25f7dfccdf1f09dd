import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
/** What a proxy adds to what it passes on from elsewhere. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const;

/** The request comes from this machine itself, and not through a proxy that runs on it. */
export const isOwnMachine = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && PASSED_ON.every((name) => headers[name] === undefined);
