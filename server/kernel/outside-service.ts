/**
 * A program beside the server that headquarters uses. Its last known state is available without a request to the
 * program, so that monitoring costs nothing.
 */
export interface OutsideService {
  readonly name: 'postgres' | 'hub';
  /** Reason why the program does not work, in sentences; undefined: it works. */
  readonly failure: string | undefined;
}
