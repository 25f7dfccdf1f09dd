/**
 * Writes a structured log: one JSON object a line in the data folder, rotated; errors are also said on stderr, in
 * words.
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
  /** Writes for a process that ends now: the line is on disk when this returns, as far as the disk takes it. */
  lastWords(message: string, facts?: Record<string, unknown>): void;
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

/** Keeps the newest 14 files of 10 MB, so that a log never fills the disk. */
const ROTATION = { size: '10M', maxFiles: 14 } as const;

/**
 * After a failure (a full disk, most likely) the file is opened anew no sooner than this. What is said meanwhile is
 * lost.
 */
const REOPEN_MS = 1_000;
/** Looks this often whether somebody removed the file: the log would be written for nobody. */
const LOOK_MS = 1_000;

/** Writes to the rotated file; a file that cannot be written takes nobody down with it. */
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
    // It is said on stderr as well.
  }
};
