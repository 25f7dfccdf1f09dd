/** A chain that speaks by NATS: headquarters, a real nats-server, real stores. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import {
  askSubject,
  downSubject,
  HUB_VERBS,
  HubAnswer,
  inboxOf,
  segmentSubject,
  storePermissions,
} from '../../shared/chain/subjects.ts';
import { freePort } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { CutLine } from './cut-line.ts';
import { openHq, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 30_000;
const HUB = ['/usr/sbin/nats-server', 'nats-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const skip = HUB === undefined && 'THERE IS NO nats-server ON THIS COMPUTER: nothing of a chain by NATS is tested';
if (skip) process.stderr.write(`${skip}\n`);

interface Seen {
  readonly name: string;
  readonly in_msgs: number;
  readonly in_bytes: number;
  readonly authorized_user: string;
  readonly subscriptions_list_detail?: readonly { readonly subject: string; readonly msgs: number }[];
}

/** The hub, as an administrator would start it. */
class Hub {
  readonly port: number;
  readonly #monitor: number;
  readonly #file: string;
  #child: ChildProcess | undefined;

  constructor(port: number, monitor: number, file: string) {
    this.port = port;
    this.#monitor = monitor;
    this.#file = file;
  }

  async start(): Promise<void> {
    await until('what the hub is started with is written', WAIT_MS, () => existsSync(this.#file));
    this.#child = spawn(HUB!, ['-c', this.#file, '-m', String(this.#monitor)], { stdio: 'ignore' });
    await until('the hub answers', WAIT_MS, () => this.connections().then(Boolean, () => false));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async connections(): Promise<Seen[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#monitor}/connz?subs=detail&auth=true`);
    return ((await answer.json()) as { connections: Seen[] }).connections;
  }
}

const openHub = async (t: TestContext, data?: string) => {
  const [port, monitor] = [await freePort(), await freePort()];
  const hq = await openHq(t, { env: { VITRINE_NATS: `tls://127.0.0.1:${port}` }, ...(data !== undefined && { data }) });
  const hub = new Hub(port, monitor, join(hq.site.data, 'nats', 'nats.conf'));
  t.after(() => hub.kill());
  await hub.start();
  await until('headquarters is at the hub', WAIT_MS, async () => (await hub.connections()).length === 1);
  return { hq, hub };
};

test('spike', { skip }, async (t) => {
  const { hq, hub } = await openHub(t);
  const https = await CutLine.open(hq.httpsPort);
  t.after(() => https.close());
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  must(await mill.call('POST', '/api/chain', { address: `https://127.0.0.1:${https.port}`, code }), 201);
  await until('two are there', WAIT_MS, async () => (await hub.connections()).length === 2);
  https.isCut = true;
  https.break();
  await till.show(20);
  await until('told', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    const { link } = await mill.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });
  console.log(await hq.get('/api/stores/plays/totals?'), JSON.stringify(await hub.connections()));
});
