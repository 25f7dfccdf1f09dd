/**
 * The way to PostgreSQL: comes to it again and again, and is the only one there that takes plays, by a lock that a
 * connection of its own holds. Where that connection is lost, or it is not known what became of a change, everything
 * begins anew: what an earlier connection may still have on its way is ended before the first question is asked.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientBase, ClientConfig, Pool, QueryResultRow } from 'pg';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { type About, examine, holdAlone, migrate, risksOf, Unfit, within } from './pg-schema.ts';

/** 1, 2, 4, 5, 5 … s */
const RETRY_MS = { least: 1_000, most: 5_000 };
/** Another headquarters has the lock: asked again so often. */
const WAIT_MS = 1_000;
const CONNECT_MS = 5_000;
/** It is asked whether it is there; one that is frozen is found out in both together. */
const PULSE_MS = 2_500;
const PULSE_PATIENCE_MS = 4_000;
/** A segment takes some milliseconds. */
const QUICK_MS = 8_000;
/** Reports, and the removal of a store. */
const LONG_MS = 60_000;
const IDLE_MS = 30_000;
/** Connections. Of changes more are no faster, and PostgreSQL has 100 by default. */
const MOST = { quick: 10, long: 3 };
const INT8 = 20;
/** As PostgreSQL itself answers (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** It ends, or lets nobody in, or takes nothing. */
const LOST = /^(08|28|3D|57|58|XX|25006)/;

export interface PgAsked {
  /** It is prepared once a connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** What the warehouse asks. */
export type PgAsk = <Row extends QueryResultRow>(asked: PgAsked) => Promise<Row[]>;

interface Deps extends Pick<Parts, 'log'> {
  /** As it was given, with its password. */
  readonly url: string;
  /** Of this server's key. */
  readonly fingerprint: string;
  /** Looks at the database before anything of it is used. @throws Unfit */
  readonly admit: (about: About) => void | Promise<void>;
}

interface Open {
  readonly quick: Pool;
  readonly long: Pool;
  /** Connections of both. */
  readonly clients: Set<ClientBase>;
  /** Says to each that waits for an answer that there is none. */
  readonly asking: Set<(answer: undefined) => void>;
  /** What it ended by; resolves once. */
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
  new ApiError(503, 'Another headquarters uses the database of plays. This one takes over when that one ends.', retry);
const tooSlow = () =>
  new ApiError(503, 'The database of plays took too long. Try again, or ask for fewer days or stores.', retry);
const noRoom = () =>
  new ApiError(
    507,
    'The disk of the database of plays is full. Nothing was changed. Free some space there, then try again.',
  );
const unfit = (why: string) =>
  new ApiError(503, `The database of plays is not used. ${why}`, { ...retry, params: { why } });

export class PgLine implements Lifecycle {
  readonly name = 'postgres';
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #open: Open | undefined;
  #why: ApiError = notReached();
  /** Said last of it. */
  #told = '';
  #running: Promise<void> | undefined;
  /** Until it is known for the first time whether it is there: whoever asks in that moment waits. */
  #first = Promise.withResolvers<void>();

  /**
   * Quick questions that are being asked, and those that wait for their turn: a whole chain may come back at once, and
   * what was read of a segment would be read in vain where its last question is given up.
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

  /** What is done in some milliseconds. @throws ApiError 503, 507 */
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
  /** What may take a minute. @throws ApiError 503, 507 */
  readonly long: PgAsk = (asked) => this.#ask('long', asked);

  /** Why plays cannot be taken or read, in a sentence; undefined: the database answered within the last seconds. */
  get failure(): string | undefined {
    return this.#open ? undefined : this.#why.message;
  }

  async #ask<Row extends QueryResultRow>(how: 'quick' | 'long', asked: PgAsked): Promise<Row[]> {
    await this.#first.promise;
    const open = this.#open;
    if (!open) throw this.#why;
    // A connection that is being made is not ended with the pool: it would wait until its own time is over.
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
    // Its own limit of time, a lock, a deadlock: nothing was done.
    if (code === '57014' || code === '55P03' || code === '40P01' || code === '40001') return tooSlow();
    // All connections are in use.
    if (message === 'timeout exceeded when trying to connect') return tooSlow();
    // It refuses what it is asked, a fault of ours: whatever one store sends, others are not to suffer from it.
    if (typeof code === 'string' && SQLSTATE.test(code) && !LOST.test(code)) return error;
    // What became of it nobody knows.
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

  /** From the first connection to the loss of the lock. */
  async #hold(opened: () => void): Promise<void> {
    const { log, fingerprint, admit } = this.#deps;
    const client = await connectTo(this.#deps.url, 'vitrine: lock', QUICK_MS);
    let open: Open | undefined;
    try {
      await examine(client, fingerprint);
      while (!(await holdAlone(client))) {
        this.#tell(waiting(), undefined);
        this.#first.resolve();
        await this.#pause(WAIT_MS);
        if (this.#stopped) return;
      }
      await endOthers(client);
      // Whoever had it before may have changed it.
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

/** Its address without what lets somebody in. */
export const placeOf = (url: string): string => {
  const [, rest = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?(.*)$/i.exec(url) ?? [];
  const [place = '', query = ''] = rest.split('?');
  const socket = new URLSearchParams(query).get('host');
  return socket === null ? place : `${socket}${place}`;
};

/** Of what the driver and the server say; an address that cannot be read stands in the error beside its message. */
export const wordsOf = (error: unknown): string => {
  const { message, code, errors } = error as { message: string; code?: string; errors?: readonly Error[] };
  return message || errors?.map((one) => one.message).join(', ') || code || 'the connection ended';
};

const configOf = (url: string): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

/** A connection for itself. What it is set to does not depend on what stands in the address. */
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

/** Also where the other end says nothing any more. */
const leave = (client: Client): void => {
  void client.end().catch(() => {});
  (client as Client & { unref(): void }).unref();
};

const setUp = (client: ClientBase, name: string, limitMs: number) =>
  client.query(
    // A plan of milliseconds is not compiled; a month's sums fit into memory.
    `SET application_name = '${name}'; SET synchronous_commit = on; SET statement_timeout = ${limitMs}; SET jit = off; SET work_mem = '64MB';
     ${KEEPALIVE}`,
  );

/** A lock of a computer that lost its power is given up within half a minute. */
const KEEPALIVE = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** Numbers here are whole and below 2^53. */
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

/** Whoever waits for an answer is told that there is none. */
const close = async ({ quick, long, clients, asking }: Open): Promise<void> => {
  for (const lose of asking) lose(undefined);
  const ending = [quick.end(), long.end()];
  for (const client of clients) leave(client as Client);
  await Promise.race([Promise.all(ending).catch(() => {}), pause(500, undefined, { ref: false })]);
};

/**
 * Ends what another program, or this one before, may have left running: a change that is done later than whoever asked
 * for it knows would name places in files that hold something else by then.
 * @throws Unfit where they do not end
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
  throw new Unfit('A change from before is still being done there. It is looked at again in a moment.');
};
