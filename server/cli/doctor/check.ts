import { createServer } from 'node:net';
import { Exit, type ExitCode, type Speech } from '../command.ts';

/** Result of one check. */
export interface Check {
  readonly area:
    | 'machine'
    | 'network'
    | 'https'
    | 'database'
    | 'media'
    | 'backups'
    | 'plays'
    | 'nats'
    | 'postgres'
    | 'stores';
  /** `warn`: the checked thing works, but a person should know about a risk. */
  readonly level: 'ok' | 'warn' | 'bad';
  readonly text: string;
}

export interface At {
  readonly data: string;
  readonly port: number;
  readonly inUse: boolean;
  /** Port of HTTPS; null without HTTPS. */
  readonly httpsPort: number | null;
  readonly given: { readonly cert: string; readonly key: string } | undefined;
  readonly quick: boolean;
}

export type Look = (at: At) => Check[] | Promise<Check[]>;

const MARKS: Record<Check['level'], string> = { ok: 'ok  ', warn: 'note', bad: 'BAD ' };

/** Runs the checks, prints each result at once, and returns the result of the command. */
export const diagnose = async (
  looks: readonly (() => Check[] | Promise<Check[]>)[],
  { print }: Pick<Speech, 'print'>,
): Promise<{ result: { ok: boolean; checks: Check[] }; exit: ExitCode }> => {
  const checks: Check[] = [];
  for (const look of looks) {
    for (const check of await look()) {
      checks.push(check);
      print(`${MARKS[check.level]}  ${check.area.padEnd(9)} ${check.text}`);
    }
  }
  const bad = checks.filter(({ level }) => level === 'bad').length;
  print(bad === 0 ? 'Nothing is wrong.' : `${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong.`);
  return { result: { ok: bad === 0, checks }, exit: bad === 0 ? Exit.done : Exit.found };
};

export const checkOf =
  (area: Check['area']) =>
  (level: Check['level'], text: string): Check => ({ area, level, text });

/** Tries to listen on a port. Returns the error; undefined when the port is free. */
export const portTrouble = (port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen(port, () => server.close(() => done(undefined)));
  });
