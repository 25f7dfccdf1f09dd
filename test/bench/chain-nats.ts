/** Measures headquarters with stores that are connected over NATS. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadIdentity } from '../../server/identity.ts';
import { HubConnection } from '../../server/store-link/connection/nats-connection.ts';
import { freePort } from '../harness.ts';
import { until } from '../until.ts';
import { ignore, inTurns, presence, type Store, signIn, type Told, WAIT_MS } from './chain-fleet.ts';
import { sayCampaign } from './chain-wishes.ts';
import { startServer } from './child.ts';
import type { Group } from './row.ts';

const HUB = ['/usr/sbin/nats-server', 'nats-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Measures the same stores over NATS. Starts the hub beside headquarters. */
export const byNats = async ({
  data,
  folder,
  stores,
  fingerprint,
  token,
  report,
}: {
  readonly data: string;
  readonly folder: string;
  readonly token: string;
  readonly stores: readonly Store[];
  readonly fingerprint: string;
  readonly report: Parameters<Group['run']>[0]['report'];
}): Promise<void> => {
  if (HUB === undefined) return;
  const hubPort = await freePort();
  const hq = await startServer(data, { env: { VITRINE_CHAIN_ROLE: 'hq', VITRINE_NATS: `tls://127.0.0.1:${hubPort}` } });
  const file = join(data, 'nats', 'nats.conf');
  await until('what the hub is started with is written', WAIT_MS, () => existsSync(file));
  const startHub = () => spawn(HUB, ['-c', file], { stdio: 'ignore' });
  let hub = startHub();
  const lines: HubConnection[] = [];
  const lineOf = new Map<Store, HubConnection>();
  let told: (store: Store, line: Told) => void = ignore;
  const offers = new Map<Store, Awaited<ReturnType<typeof signIn>>>();
  /** Seconds until all stores are connected. */
  const allCome = async (): Promise<number> => {
    const cameAt = performance.now();
    await inTurns(stores, 100, async (store) => {
      const offer =
        offers.get(store) ??
        (await until('the hub is offered', WAIT_MS, async () => signIn(hq.port + 1, store, fingerprint)));
      offers.set(store, offer);
      // After sign-in, the store uses only the hub.
      store.agent.destroy();
      const whose = { store: store.ref, key: store.key };
      const open = () =>
        HubConnection.open({ offer: offer!, host: '127.0.0.1', whose, sign: store.sign }).catch(() => undefined);
      const line = await until('the hub lets it in', WAIT_MS, open);
      lines.push(line);
      lineOf.set(store, line);
      // Repeats the request until headquarters is connected to the hub, too.
      const tell = () => line.request('presence', presence(20)).catch(() => undefined);
      await until('headquarters answers', WAIT_MS, tell);
      const ear = line.listen((one) => told(store, one), ignore);
      ear.catch(() => {});
    });
    return (performance.now() - cameAt) / 1000;
  };
  try {
    const first = await allCome();
    const cpuOf = () => cpuMsOf(hub.pid!);
    const [before, hubBefore] = [await hq.ask('facts'), cpuOf()];
    await inTurns(lines, 100, (line) => line.request('presence', presence(19)));
    const [after, hubAfter] = [await hq.ask('facts'), cpuOf()];
    report('natsCpu', {
      value: (after.cpuMs - before.cpuMs) / 300,
      note: `and the hub ${((hubAfter - hubBefore) / 300).toFixed(1)} %; sent as fast as they are answered, counted over 30 s`,
    });
    report('natsRss', { value: rssMbOf(hub.pid!), note: `headquarters beside it: ${(after.rss / 1e6).toFixed(0)} MB` });
    const wish = await sayCampaign({
      ...{ hq, stores, folder, token, key: loadIdentity(data).publicKey },
      hear: (now) => {
        told = now;
      },
      tell: (store) => lineOf.get(store)!.request('presence', presence(20)),
    });
    report('wishNats', wish.told);
    const ended = once(hub, 'exit');
    hub.kill('SIGKILL');
    await ended;
    await Promise.all(lines.splice(0).map((line) => line.ended));
    hub = startHub();
    report('natsBack', {
      value: await allCome(),
      note: `with what they were offered before; the first time ${first.toFixed(0)} s, each signing in by HTTPS`,
    });
  } finally {
    for (const line of lines) line.close();
    hub.kill('SIGKILL');
    await hq.stop();
  }
};

/** Returns the processor time of another process in milliseconds (Linux). The resolution is 10 ms. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const rssMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
