/** Describes a service of this machine, as the systems' units are made from it. */
export interface ServerOptions {
  readonly user: string;
  readonly data: string;
  /** The Node to run with, followed by what it runs. */
  readonly node: string;
  readonly script: string;
  readonly port: number;
  /** Where the running service says how it can be found. */
  readonly note: string;
  /** Says that the machine may fall asleep although it serves. */
  readonly maySleep: boolean;
}

/** A file of the system that says what to start, and when. */
export interface UnitFile {
  readonly path: string;
  readonly text: string;
}

/** A program that is run to its end. */
export interface Step {
  readonly program: string;
  readonly args: readonly string[];
  /** Set where what it undoes may not be there, or what it makes may be there already. */
  readonly mayFail?: true;
}

/** Finds characters that no file of a system takes within a line; nobody has them in a path by intention. */
export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);
