/** A program of ours beneath the desktop shell (the server, a screen's agent), as the shell knows it. */
import type { ProgramSays, ShellSays } from '../protocol/shell.ts';

export interface ProgramOptions {
  /** Of the program's folder: `server/main.js`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Beside the shell's own; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly hear: (message: ProgramSays) => void;
  /** What it wrote on stderr, as it comes. */
  readonly complains?: (text: string) => void;
}

export interface Program {
  /** Nothing, once it has ended. */
  say(message: ShellSays): void;
  /** At once, whatever it does. */
  kill(): void;
  /** Its exit code; null: a signal ended it, or it could not be started. Never rejects. */
  readonly ended: Promise<number | null>;
}

export type StartProgram = (options: ProgramOptions) => Program;
