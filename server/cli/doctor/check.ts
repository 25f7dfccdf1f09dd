import { createServer } from 'node:net';

/** One thing that was looked at. */
export interface Check {
  readonly area: 'machine' | 'network' | 'https' | 'database' | 'media' | 'backups';
  /** `warn` means that it works, but somebody should know. */
  readonly level: 'ok' | 'warn' | 'bad';
  readonly text: string;
}

export interface At {
  readonly data: string;
  readonly port: number;
  readonly inUse: boolean;
  /** Null when HTTPS is turned off. */
  readonly httpsPort: number | null;
  readonly given: { readonly cert: string; readonly key: string } | undefined;
  readonly quick: boolean;
}

export type Look = (at: At) => Check[] | Promise<Check[]>;

export const checkOf =
  (area: Check['area']) =>
  (level: Check['level'], text: string): Check => ({ area, level, text });

/** Returns why this program cannot listen on a port, undefined when the port is free. */
export const portTrouble = (port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen(port, () => server.close(() => done(undefined)));
  });
