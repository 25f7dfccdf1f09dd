/** The hub of a chain: a real nats-server, started as an administrator does. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { ownPort } from '../harness.ts';
import { until } from '../until.ts';
import { openHq } from './rig.ts';

const WAIT_MS = 30_000;
export const HUB = ['/usr/sbin/nats-server', 'nats-server'].find((name) => spawnSync(name, ['--version']).status === 0);
/** Reason why NATS cannot be tested here; false if it can. */
export const noHub: string | false =
  HUB === undefined && 'THERE IS NO nats-server ON THIS COMPUTER: nothing of a chain by NATS is tested';
if (noHub) process.stderr.write(`${noHub}\n`);

interface Seen {
  readonly cid: number;
  readonly name: string;
  readonly subscriptions_list_detail?: readonly { readonly subject: string; readonly msgs: number }[];
}

interface Place {
  /** The configuration file that headquarters writes (nats.conf). */
  readonly file: string;
  /** Port of the hub's monitoring endpoint. */
  readonly monitor: number;
  /** Port for clients; by default the port in the configuration file. */
  readonly port?: number;
}

export class Hub {
  kills = 0;
  readonly #place: Place;
  readonly #segments = new Map<string, number>();
  #child: ChildProcess | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** @param file configuration file; by default that of headquarters */
  async start(file = this.#place.file): Promise<void> {
    const { monitor, port } = this.#place;
    await until('what the hub is started with is written', WAIT_MS, () => existsSync(file));
    const at = port === undefined ? [] : ['-a', '127.0.0.1', '-p', String(port)];
    this.#child = spawn(HUB!, ['-c', file, '-m', String(monitor), ...at], { stdio: 'ignore' });
    await until('the hub answers', WAIT_MS, () => this.connections().then(Boolean, () => false));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    this.kills++;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Deletes all files of the hub. Call it while the hub is killed. */
  loseFolder(): void {
    rmSync(dirname(this.#place.file), { recursive: true, force: true });
  }

  /** Waits until this number of clients is connected to the hub. */
  async has(count: number): Promise<void> {
    const isSo = async () => (await this.connections()).length === count;
    await until(`${count} are at the hub`, WAIT_MS, isSo);
  }

  async connections(): Promise<Seen[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#place.monitor}/connz?subs=detail`);
    return ((await answer.json()) as { connections: Seen[] }).connections;
  }

  /**
   * Returns the number of segments (batches of plays) that reached headquarters through the hub. Segments that a
   * connection receives between the last call and its end are not counted.
   */
  async segments(): Promise<number> {
    for (const { name, cid, subscriptions_list_detail: list = [] } of await this.connections()) {
      const up = list.find(({ subject }) => subject.startsWith('up.'));
      if (name === 'headquarters' && up) this.#segments.set(`${this.kills} ${cid}`, up.msgs);
    }
    return [...this.#segments.values()].reduce((sum, one) => sum + one, 0);
  }
}

/** Headquarters in this process, connected to a hub. */
export const openHub = async (t: TestContext) => {
  const [port, monitor] = [await ownPort(), await ownPort()];
  const server = `tls://127.0.0.1:${port}`;
  const hq = await openHq(t, { env: { VITRINE_NATS: server } });
  const hub = new Hub({ monitor, file: join(hq.site.data, 'nats', 'nats.conf') });
  t.after(() => hub.kill());
  await hub.start();
  await hub.has(1);
  return { hq, hub, server };
};
