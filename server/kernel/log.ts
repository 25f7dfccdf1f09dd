/**
 * Structured log: one JSON object per line, in rotated files in the data folder. Errors are also written to stderr as
 * text.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent';

type Write = (message: string, facts?: Record<string, unknown>) => void;

export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

export interface FileLog extends Log {
  /**
   * Writes a line synchronously, for a process that is about to exit. The line is on disk when this function returns,
   * if the disk works.
   */
  lastWords(message: string, facts?: Record<string, unknown>): void;
  /** Resolves when all lines are on disk. */
  close(): Promise<void>;
}

/** Keeps the newest 14 files of 10 MB each, so that logs never fill the disk. */
const ROTATION = { size: '10M', maxFiles: 14 } as const;

/**
 * Delay in milliseconds before the log file is opened again after a failure (usually a full disk). Messages in between
 * are lost.
 */
const REOPEN_MS = 1_000;
/**
 * Interval in milliseconds of the check whether the log file was removed, because writes to a removed file would be
 * lost.
 */
const LOOK_MS = 1_000;

/** Writes to the rotated file. A write error never crashes the server. */
const fileOf = (folder: string): { write(line: string): void; close(): Promise<void> } => {
  let failedAt = 0;
  const open = (): RotatingFileStream =>
    createStream('server.log', { path: folder, ...ROTATION }).on('error', () => {
      failedAt = performance.now();
      file.destroy();
    });
  let file = open();
  let lookedAt = performance.now();
  const isGone = (): boolean => {
    if (performance.now() - lookedAt < LOOK_MS) return false;
    lookedAt = performance.now();
    return !existsSync(join(folder, 'server.log'));
  };
  return {
    write: (line) => {
      if (!file.destroyed && isGone()) {
        file.end();
        file = open();
      }
      if (file.destroyed) {
        if (performance.now() - failedAt < REOPEN_MS) return;
        file = open();
      }
      file.write(line);
    },
    close: () =>
      new Promise((done) => {
        if (file.destroyed) done();
        else file.once('close', () => done()).end(() => done());
      }),
  };
};

export const openLog = (folder: string, level: Level): FileLog => {
  const file = fileOf(folder);
  const form = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  };
  const sink = pino(form, file);
  const at =
    (name: 'debug' | 'info' | 'warn'): Write =>
    (message, facts = {}) =>
      sink[name](facts, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: (message, facts = {}) => {
      if (level !== 'silent')
        process.stderr.write(`${message}${facts['error'] instanceof Error ? `: ${facts['error'].message}` : ''}\n`);
      sink.error(facts, message);
    },
    lastWords: (message, facts = {}) =>
      pino(form, { write: (line) => appendIfPossible(join(folder, 'server.log'), line) }).fatal(facts, message),
    close: file.close,
  };
};

const appendIfPossible = (file: string, line: string): void => {
  try {
    appendFileSync(file, line);
  } catch {
    // Ignores this failure, because the message was also written to stderr.
  }
};
