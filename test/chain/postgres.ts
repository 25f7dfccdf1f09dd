/** A real PostgreSQL in a temporary folder, which can be killed, frozen and restored to an earlier state. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ending, freePort } from '../harness.ts';
import { until } from '../until.ts';

const WAIT_MS = 30_000;
/** Folder and prefix of PostgreSQL's programs. Debian installs them in a folder for each version. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin/initdb')
  .map((file) => file.slice(0, -'initdb'.length))
  .toSorted()
  .at(-1);
const isRoot = process.getuid?.() === 0;
/** Returns the user or group id of `postgres`. PostgreSQL refuses to run as root. */
const idOf = (what: string): number => Number(spawnSync('id', [what, 'postgres'], { encoding: 'utf8' }).stdout);
const [UID, GID] = isRoot ? [idOf('-u'), idOf('-g')] : [0, 0];

/** Reason why PostgreSQL cannot be tested here; false if it can. */
export const noPostgres =
  (PROGRAMS === undefined || (isRoot && !UID)) &&
  'THERE IS NO PostgreSQL ON THIS COMPUTER: nothing of a chain whose plays are in it is tested';
if (noPostgres) process.stderr.write(`${noPostgres}\n`);

const asServer = isRoot ? { uid: UID!, gid: GID! } : {};

export class Postgres {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /** Starts a PostgreSQL server that runs until the test ends. */
  static async open(t: Ending, settings: readonly string[] = []): Promise<Postgres> {
    // Uses a folder in /tmp when the tests run as root, because the user `postgres` has no access to the folders of the
    // tests.
    const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'vitrine-pg-'));
    if (isRoot) chownSync(folder, UID!, GID!);
    const data = join(folder, 'now');
    execFileSync(
      `${PROGRAMS}initdb`,
      ['-D', data, '-U', 'vitrine', '--encoding', 'UTF8', '--locale', 'C', '--auth', 'trust', '--no-sync'],
      { ...asServer, stdio: 'ignore', cwd: folder },
    );
    const made = new Postgres(folder, await freePort());
    await made.start(settings);
    t.after(async () => {
      await made.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    return made;
  }

  async start(settings: readonly string[] = []): Promise<void> {
    const given = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=${this.#folder}`,
      ...settings,
    ];
    this.#child = spawn(`${PROGRAMS}postgres`, ['-D', this.#data, ...given.flatMap((one) => ['-c', one])], {
      ...asServer,
      stdio: 'ignore',
      cwd: this.#folder,
    });
    await until('PostgreSQL answers', WAIT_MS, () => this.ask('SELECT 1').then(Boolean, () => false), 50);
  }

  /** Creates a new database. Returns its address. */
  async database(): Promise<string> {
    const name = `plays${++this.#databases}`;
    await this.ask(`CREATE DATABASE ${name}`);
    return this.urlOf(name);
  }

  urlOf(database: string): string {
    return `postgres://vitrine@127.0.0.1:${this.port}/${database}`;
  }

  async ask(sql: string, url = this.urlOf('postgres')): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Kills all processes, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const others = this.#others();
    this.#signal('SIGKILL');
    await once(child, 'exit');
    await until('all of PostgreSQL is gone', WAIT_MS, () => others.every((pid) => !existsSync(`/proc/${pid}`)), 20);
  }

  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Copies the data folder. The caller kills PostgreSQL before, and starts it afterwards. */
  keep(): void {
    this.#copy(this.#data, join(this.#folder, 'yesterday'));
  }

  get isKept(): boolean {
    return existsSync(join(this.#folder, 'yesterday'));
  }

  /** Restores the copied data folder. The caller kills PostgreSQL before, and starts it afterwards. */
  putBack(): void {
    if (this.isKept) this.#copy(join(this.#folder, 'yesterday'), this.#data);
  }

  get #data(): string {
    return join(this.#folder, 'now');
  }

  #copy(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    if (isRoot) execFileSync('chown', ['-R', `${UID}:${GID}`, to]);
    execFileSync('chmod', ['700', to]);
  }

  /** Returns the ids of PostgreSQL's child processes. Each is in a separate process group. */
  #others(): number[] {
    const pid = this.#child!.pid!;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of [this.#child!.pid!, ...this.#others()])
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
  }
}
