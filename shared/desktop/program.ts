/** Program below the desktop shell (the server or the agent of a screen), as the shell sees it. */
import type { ProgramSays, ShellSays } from '../protocol/shell.ts';

export interface ProgramOptions {
  /** Script in the folder of the program: `server/main.js`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Variables in addition to the shell's own; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly hear: (message: ProgramSays) => void;
  /** Receives the output on stderr as it arrives. */
  readonly complains?: (text: string) => void;
}

export interface Program {
  /** Sends a message; does nothing after the end of the program. */
  say(message: ShellSays): void;
  /** Ends the program at once in every state. */
  kill(): void;
  /** Resolves with the exit code; null: a signal ended it, or it could not be started. Never rejects. */
  readonly ended: Promise<number | null>;
}

export type StartProgram = (options: ProgramOptions) => Program;
