/**
 * Connection to PostgreSQL. Connects again after each failure. A lock on a separate connection makes this process the
 * only writer of plays in the database. When this connection is lost, or the result of a change is unknown, all
 * connections are opened again. Changes of earlier connections that may still run are ended before the first query.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientBase, ClientConfig, Pool, QueryResultRow } from 'pg';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { type About, acquireWriterLock, examine, migrate, risksOf, Unfit, within } from './pg-schema.ts';

/** Delays between attempts to connect. The delays in seconds are 1, 2, 4, 5, 5 and so on. */
const RETRY_MS = { least: 1_000, most: 5_000 };
/** Interval in milliseconds between attempts to get the lock while another headquarters has it. */
const WAIT_MS = 1_000;
const CONNECT_MS = 5_000;
/**
 * Interval and timeout of the health check, in milliseconds. Together they limit the time until a frozen database is
 * noticed.
 */
const PULSE_MS = 2_500;
const PULSE_PATIENCE_MS = 4_000;
/** Timeout of short queries in milliseconds. Storing a segment takes some milliseconds. */
const QUICK_MS = 8_000;
/** Timeout in milliseconds of reports and of the removal of a store. */
const LONG_MS = 60_000;
const IDLE_MS = 30_000;
/**
 * Number of connections per pool. More connections do not make changes faster, and PostgreSQL allows 100 by default.
 */
const MOST = { quick: 10, long: 3 };
const INT8 = 20;
/** Form of error codes of PostgreSQL (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * Error codes that PostgreSQL sends when it shuts down, refuses connections or refuses writes. After such a code,
 * headquarters connects again.
 */
const LOST = /^(08|28|3D|57|58|XX|25006)/;

export interface PgAsked {
  /** Name of a prepared statement. It is prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Query function of the warehouse. */
export type PgAsk = <Row extends QueryResultRow>(asked: PgAsked) => Promise<Row[]>;

interface Deps extends Pick<Parts, 'log'> {
  /** Address as configured, with the password. */
  readonly url: string;
  /** Fingerprint of this server's key. */
  readonly fingerprint: string;
  /** Checks the database before any use. @throws Unfit */
  readonly admit: (about: About) => void | Promise<void>;
}

interface Open {
  readonly quick: Pool;
  readonly long: Pool;
  /** Connections of both pools: one pool for short queries, and one pool for reports. */
  readonly clients: Set<ClientBase>;
  /** For each running query, a function that ends it without an answer. */
  readonly asking: Set<(answer: undefined) => void>;
  /** Resolves once, with the reason why the connection ended. */
  readonly ended: Promise<unknown>;
  readonly end: (why: unknown) => void;
}

const retry = { retryAfter: 5 };
const notReached = () =>
  new ApiError(
    503,
    'The database of plays cannot be reached. Headquarters tries again automatically. See its log for the cause.',
    retry,
  );
const waiting = () =>
  new ApiError(
    503,
    'Another headquarters is using the database of plays. This headquarters takes over when the other one ends.',
    retry,
  );
const tooSlow = () =>
  new ApiError(503, 'The database of plays took too long. Try again, or ask for fewer days or stores.', retry);
const noRoom = () =>
  new ApiError(
    507,
    'The disk of the database of plays is full. Nothing was changed. Free some space there, then try again.',
  );
const unfit = (why: string) =>
  new ApiError(503, `The database of plays cannot be used. ${why}`, { ...retry, params: { why } });

export class PgConnection implements Lifecycle {
  readonly name = 'postgres';
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #open: Open | undefined;
  #why: ApiError = notReached();
  /** Reason for a missing connection that was logged last, so that it is logged only once. */
  #told = '';
  #running: Promise<void> | undefined;
  /** Resolves when the first connection attempt is over. Queries wait for it. */
  #first = Promise.withResolvers<void>();

  /**
   * Number of running short queries, and the queue of waiting ones. A whole chain may reconnect at once. Without the
   * queue, a late query could time out and waste the work that was done for its segment.
   */
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#open?.end(undefined);
    await this.#running;
    this.#first.resolve();
  }

  /**
   * Runs a query that takes some milliseconds, with the short timeout.
   * @throws ApiError 503, 507
   */
  readonly quick: PgAsk = async (asked) => {
    if (this.#busy < MOST.quick) this.#busy++;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await this.#ask('quick', asked);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  };
  /**
   * Runs a query that may take a minute, such as a report.
   * @throws ApiError 503, 507
   */
  readonly long: PgAsk = (asked) => this.#ask('long', asked);

  /**
   * Reason why plays cannot be stored or read, as a sentence; undefined: the database answered within the last seconds.
   */
  get failure(): string | undefined {
    return this.#open ? undefined : this.#why.message;
  }

  async #ask<Row extends QueryResultRow>(how: 'quick' | 'long', asked: PgAsked): Promise<Row[]> {
    await this.#first.promise;
    const open = this.#open;
    if (!open) throw this.#why;
    // Ending a pool does not close a connection that is being opened. A query on such a connection would wait for the
    // full timeout.
    const { promise: lost, resolve: lose } = Promise.withResolvers<undefined>();
    open.asking.add(lose);
    try {
      const found = await Promise.race([open[how].query<Row>(asked), lost]);
      if (found) return found.rows;
    } catch (error) {
      throw this.#answerFor(open, error);
    } finally {
      open.asking.delete(lose);
    }
    throw this.#why;
  }

  #answerFor(open: Open, error: unknown): unknown {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === '53100') return noRoom();
    // Statement timeout, lock timeout, deadlock or serialisation failure. Nothing was changed.
    if (code === '57014' || code === '55P03' || code === '40P01' || code === '40001') return tooSlow();
    // All connections of the pool are in use, so the caller has to retry.
    if (message === 'timeout exceeded when trying to connect') return tooSlow();
    // PostgreSQL refuses the query itself, which is a bug of this program. The connection stays open, so that a request
    // of one store does not affect other stores.
    if (typeof code === 'string' && SQLSTATE.test(code) && !LOST.test(code)) return error;
    // The connection was lost during a change, so it is unknown whether the change was made.
    open.end(error);
    return this.#why;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopped; failures++) {
      try {
        await this.#hold(() => {
          failures = 0;
        });
      } catch (error) {
        this.#tell(error instanceof Unfit ? unfit(error.message) : notReached(), error);
      }
      this.#first.resolve();
      await this.#pause(Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures));
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {});
  }

  /** Runs from the first connection until the lock is lost. */
  async #hold(opened: () => void): Promise<void> {
    const { log, fingerprint, admit } = this.#deps;
    const client = await connectTo(this.#deps.url, 'vitrine: lock', QUICK_MS);
    let open: Open | undefined;
    try {
      await examine(client, fingerprint);
      while (!(await acquireWriterLock(client))) {
        this.#tell(waiting(), undefined);
        this.#first.resolve();
        await this.#pause(WAIT_MS);
        if (this.#stopped) return;
      }
      await endOthers(client);
      // Reads the state of the database again, because the previous holder of the lock may have changed it.
      await examine(client, fingerprint);
      await admit(await migrate(client, fingerprint));
      for (const risk of await risksOf(client)) log.warn('The database of plays is not safe', { risk });
      if (this.#stopped) return;
      open = await openPools(this.#deps.url);
      client.on('error', open.end);
      this.#open = open;
      this.#told = '';
      this.#first.resolve();
      opened();
      log.info('Plays are in PostgreSQL', { at: placeOf(this.#deps.url) });
      void this.#pulse(client, open);
      const why = await open.ended;
      if (why !== undefined) throw why;
    } finally {
      this.#open = undefined;
      this.#why = notReached();
      if (open) await close(open);
      leave(client);
    }
  }

  async #pulse(client: Client, open: Open): Promise<void> {
    while (this.#open === open) {
      try {
        await client.query(within(PULSE_PATIENCE_MS, 'SELECT 1'));
      } catch (error) {
        return open.end(error);
      }
      await this.#pause(PULSE_MS);
    }
  }

  #tell(why: ApiError, error: unknown): void {
    this.#why = why;
    const said = error === undefined ? why.message : wordsOf(error);
    if (this.#told !== said)
      this.#deps.log.error('The database of plays is not used; stores keep their plays meanwhile', {
        at: placeOf(this.#deps.url),
        error: new Error(said),
      });
    this.#told = said;
  }
}

/** Returns the address without user name and password. */
export const placeOf = (url: string): string => {
  const [, rest = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?(.*)$/i.exec(url) ?? [];
  const [place = '', query = ''] = rest.split('?');
  const socket = new URLSearchParams(query).get('host');
  return socket === null ? place : `${socket}${place}`;
};

/** Returns the message of a driver or server error. An error about an invalid address has it in `errors` or `code`. */
export const wordsOf = (error: unknown): string => {
  const { message, code, errors } = error as { message: string; code?: string; errors?: readonly Error[] };
  return message || errors?.map((one) => one.message).join(', ') || code || 'the connection ended';
};

const configOf = (url: string): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

/** Opens a single connection. Its settings do not depend on the address. */
export const connectTo = async (url: string, name: string, patienceMs?: number): Promise<Client> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...configOf(url),
    types: typesOf(pg.types),
    ...(patienceMs !== undefined && { query_timeout: patienceMs }),
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await setUp(client, name, 0);
  } catch (error) {
    leave(client);
    throw error;
  }
  return client;
};

/** Closes a connection, also when the server does not respond any more. */
const leave = (client: Client): void => {
  void client.end().catch(() => {});
  (client as Client & { unref(): void }).unref();
};

const setUp = (client: ClientBase, name: string, limitMs: number) =>
  client.query(
    // Turns JIT off, because queries take milliseconds, and lets the sums of a month fit into memory.
    `SET application_name = '${name}'; SET synchronous_commit = on; SET statement_timeout = ${limitMs}; SET jit = off; SET work_mem = '64MB';
     ${KEEPALIVE}`,
  );

/** Uses TCP keep-alive, so that PostgreSQL releases the lock within half a minute when this computer loses power. */
const KEEPALIVE = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** Parses int8 as Number. All numbers here are integers below 2^53. */
const typesOf = (types: typeof import('pg').types): NonNullable<ClientConfig['types']> => ({
  getTypeParser: (oid: number, format?: unknown) =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
});

const CHANGES = 'vitrine';

const openPools = async (url: string): Promise<Open> => {
  const { default: pg } = await import('pg');
  const clients = new Set<ClientBase>();
  const asking = new Set<(answer: undefined) => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  const poolOf = (max: number, limitMs: number) => {
    const pool = new pg.Pool({
      ...configOf(url),
      types: typesOf(pg.types),
      max,
      idleTimeoutMillis: IDLE_MS,
      query_timeout: limitMs + 500,
      onConnect: (client: ClientBase) => {
        clients.add(client);
        client.once('end', () => clients.delete(client));
        return setUp(client, CHANGES, limitMs) as never;
      },
    });
    pool.on('error', end);
    return pool;
  };
  return { quick: poolOf(MOST.quick, QUICK_MS), long: poolOf(MOST.long, LONG_MS), clients, asking, ended, end };
};

/** Closes both connection pools. Queries that are still running get no answer. */
const close = async ({ quick, long, clients, asking }: Open): Promise<void> => {
  for (const lose of asking) lose(undefined);
  const ending = [quick.end(), long.end()];
  for (const client of clients) leave(client as Client);
  await Promise.race([Promise.all(ending).catch(() => {}), pause(500, undefined, { ref: false })]);
};

/**
 * Ends changes of another program or of an earlier run of this one. A change that completes after its sender has given
 * up would name offsets in files that hold other data by then.
 * @throws Unfit when they do not end
 */
const endOthers = async (client: ClientBase): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    const { rowCount } = await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND application_name = $1',
      [CHANGES],
    );
    if (rowCount === 0) return;
    await pause(100);
  }
  throw new Unfit('An earlier change of the database is still running. Headquarters checks again in a moment.');
};
