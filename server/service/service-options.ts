/** Options of a service, from which the unit files of each system are made. */
export interface ServerOptions {
  readonly user: string;
  readonly data: string;
  /** Path of Node. `script` is the path of the program that Node runs. */
  readonly node: string;
  readonly script: string;
  readonly port: number;
  /** Path of the note with the address of the running service. */
  readonly note: string;
  /** True if the machine may sleep while the server runs. */
  readonly maySleep: boolean;
}

/** A file of the system's service manager, which describes what to start and when. */
export interface UnitFile {
  readonly path: string;
  readonly text: string;
}

/** A command to run while a service is installed or removed. The next step waits until the command has ended. */
export interface Step {
  readonly program: string;
  readonly args: readonly string[];
  /** Set when the command may fail, for example because the thing to remove is absent or the thing to create exists. */
  readonly mayFail?: true;
}

/**
 * Returns whether a text contains control characters, which would break a line of a unit file. No real path contains
 * them.
 */
export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);
