/** Structured log: one JSON object a line in the data folder, rotated; errors also on stderr, in words. */
import pino from 'pino';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent';

type Write = (message: string, facts?: Record<string, unknown>) => void;

export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

export interface FileLog extends Log {
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

/** Files of 10 MB, the newest 14 kept: a log never fills the disk. */
const ROTATION = { size: '10M', maxFiles: 14 } as const;

export const openLog = (folder: string, level: Level): FileLog => {
  const file: RotatingFileStream = createStream('server.log', { path: folder, ...ROTATION });
  // A full disk must not take the server down with it.
  file.on('error', () => {});
  const sink = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: pino.stdSerializers.err } }, file);
  const at =
    (name: 'debug' | 'info' | 'warn'): Write =>
    (message, facts = {}) =>
      sink[name](facts, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: (message, facts = {}) => {
      if (level !== 'silent') process.stderr.write(`${message}${facts['error'] instanceof Error ? `: ${facts['error'].message}` : ''}\n`);
      sink.error(facts, message);
    },
    close: () => new Promise((done) => file.end(done)),
  };
};
