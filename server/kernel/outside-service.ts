/** A program beside the server that headquarters uses. Its state is known without asking it, so that monitoring costs nothing. */
export interface OutsideService {
  readonly name: 'postgres' | 'hub';
  /** Why it does not work, in sentences; undefined: it works. */
  readonly failure: string | undefined;
}
