/** Interface between the desktop shell and a program that it starts: the server, or the agent of a screen. */
import type { ProgramSays, ShellSays } from '../protocol/shell.ts';

export interface ProgramOptions {
  /** Script in the folder of the program, for example `server/main.js`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Environment variables in addition to the shell's own variables; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly hear: (message: ProgramSays) => void;
  /** Receives text that the program writes to stderr, as it arrives. */
  readonly complains?: (text: string) => void;
}

export interface Program {
  /** Sends a message. Has no effect after the program has ended. */
  send(message: ShellSays): void;
  /** Kills the program at once, whatever its state. */
  kill(): void;
  /** Resolves with the exit code; null: a signal ended it, or it could not be started. Never rejects. */
  readonly ended: Promise<number | null>;
}

export type StartProgram = (options: ProgramOptions) => Program;
