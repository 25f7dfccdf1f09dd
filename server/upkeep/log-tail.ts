/** Reads the newest lines of the server's log for the status page. */
import { open } from 'node:fs/promises';

const BYTES = 64 * 1024;
const LINES = 100;
const MAX_MESSAGE = 500;

interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly message: string;
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** Returns the newest lines of the log, sorted from old to new; empty without a log. */
export const tailOf = async (file: string): Promise<LogLine[]> => {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - BYTES);
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(size - start), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // Drops the first line, because the text starts in the middle of a line.
    return (start > 0 ? lines.slice(1) : lines).flatMap(parse).slice(-LINES);
  } finally {
    await handle.close();
  }
};

const parse = (line: string): LogLine[] => {
  if (!line) return [];
  try {
    const { time, level, msg, error, path, status } = JSON.parse(line) as {
      time?: string;
      level?: number;
      msg?: string;
      error?: { message?: string };
      path?: string;
      status?: number;
    };
    const more = [path, status, error?.message].filter((part) => part !== undefined).join(' ');
    return [
      {
        at: String(time ?? ''),
        level: LEVELS[level ?? 30] ?? 'info',
        message: `${msg ?? ''}${more ? ` (${more})` : ''}`.slice(0, MAX_MESSAGE),
      },
    ];
  } catch {
    return [];
  }
};
