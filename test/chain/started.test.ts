/** Headquarters and its hub, started by the systemd units and by the scripts of the containers. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { issueServer } from '../../server/tls/certificate.ts';
import { readAuthority } from '../../server/tls/key-files.ts';
import { callerOf, freePort, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { HUB, openHub, noHub as skip } from './hub.ts';
import { openScreen, openStore } from './rig.ts';

const WAIT_MS = 30_000;
const root = join(import.meta.dirname, '..', '..');
const HQ = join(root, 'build', 'hq');
const DATA = '/var/lib/vitrine';

const linesOf = (unit: string, key: string): string[] =>
  [...readFileSync(join(HQ, 'systemd', unit), 'utf8').matchAll(new RegExp(`^${key}=:?(.*)$`, 'gm'))].map(
    ([, value]) => value!,
  );
const pairs = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]));

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
  return child.exitCode;
};
const started = (t: TestContext, program: string, args: readonly string[], env: Record<string, string | undefined>) => {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (said += part));
  t.after(() => end(child, 'SIGKILL'));
  return { child, said: () => said };
};
const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    }).on('error', () => done(false));
  });

test('systemd units start a headquarters with its hub, a store can enrol, and plays of the store arrive', {
  skip,
}, async (t) => {
  const folder = tempFolder(t);
  const data = join(folder, 'data');
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  // A script in place of the packaged command (build/packaging/commands), which a source checkout does not have.
  const command = join(programs, 'vitrine');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'server/cli/main.ts')}' "$@"\n`);
  chmodSync(command, 0o755);
  const [port, httpsPort, hubPort] = [await freePort(), await freePort(), await freePort()];
  const file = readFileSync(join(HQ, 'hq.env'), 'utf8');
  const env = {
    PATH: `${programs}:/usr/sbin:/usr/bin:/bin`,
    ...pairs(linesOf('vitrine-hq.service', 'Environment')),
    ...pairs(file.split('\n').filter((line) => /^VITRINE_/.test(line))),
    // Settings for this machine, on which other servers run too.
    VITRINE_DATA: data,
    VITRINE_HOST: '127.0.0.1',
    VITRINE_PORT: String(port),
    VITRINE_HTTPS_PORT: String(httpsPort),
    VITRINE_NAMES: '',
    VITRINE_SERVICE_NOTE: join(folder, 'server.json'),
    VITRINE_NATS: `tls://127.0.0.1:${hubPort}`,
  };
  const [program = '', ...args] = linesOf('vitrine-hq.service', 'ExecStart')[0]!.split(' ');
  const hq = started(t, join(programs, program.split('/').at(-1)!), args, env);
  await until(hq.said, WAIT_MS, () => /This computer:/.test(hq.said()));
  const conf = linesOf('vitrine-nats.service', 'ConditionPathExists')[0]!.replace(DATA, data);
  await until('nats.conf is there', WAIT_MS, () => spawnSync('test', ['-s', conf]).status === 0);
  const [, ...hubArgs] = linesOf('vitrine-nats.service', 'ExecStart')[0]!.replaceAll(DATA, data).split(' ');
  const hub = started(t, HUB!, hubArgs, { PATH: env.PATH });
  await until('the hub is there', WAIT_MS, () => isOpen(hubPort));

  const call = callerOf(`http://127.0.0.1:${port}`);
  const { token } = must(
    await call('POST', '/api/auth/register', {
      body: { email: 'owner@store.test', password: 'correct horse', name: 'Owner' },
    }),
    201,
  );
  const { id } = must(await call('POST', '/api/stores', { token, body: { name: 'Mill' } }), 201);
  const { code, addresses } = must(await call('POST', `/api/stores/${id}/code`, { token, body: {} }), 201);
  const store = await openStore(t);
  must(await store.call('POST', '/api/chain', { address: addresses[0], code }), 201);
  await (await openScreen(t, store, 'Till')).show(12);
  await until('the plays are there', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const rows = must(await call('GET', '/api/stores/plays/sums?by=store', { token })) as { plays: number }[];
    return rows[0]?.plays === 12;
  });

  const doctor = () =>
    spawnSync(command, ['hq', 'doctor', '--allow-old-nats'], { env, encoding: 'utf8', timeout: WAIT_MS });
  const { stdout, status } = doctor();
  assert.match(stdout, /Headquarters hears and answers by NATS[\s\S]*1 store is well[\s\S]*Nothing is wrong/);
  assert.equal(status, 0);

  // The hub gets a new certificate, and the unit's reload action makes the hub use it.
  const keys = join(data, 'keys');
  const authority = readAuthority(keys)!;
  const issued = issueServer({ authority, serverId: 'x', names: ['localhost'], now: Date.now() });
  writeFileSync(join(keys, 'https.json'), JSON.stringify({ ...issued, authority: authority.certificate }));
  assert.match(doctor().stdout, /note {2}nats {6}nats-server shows an earlier certificate/);
  writeFileSync(join(data, 'nats', 'hub.crt'), issued.certificate);
  writeFileSync(join(data, 'nats', 'hub.key'), issued.private_key);
  const [kill = '', ...how] = linesOf('vitrine-nats.service', 'ExecReload')[0]!
    .replace('$MAINPID', String(hub.child.pid))
    .split(' ');
  assert.equal(spawnSync(kill, how).status, 0);
  await until('it shows the new one', WAIT_MS, () => /shows headquarters’ own certificate/.test(doctor().stdout), 500);
  assert.equal(await end(hq.child, 'SIGTERM'), 0);
});

test('hub in a container waits for its configuration file, and follows a new certificate and a changed file', {
  skip,
}, async (t) => {
  const { hq, hub, server } = await openHub(t);
  await hub.kill();
  const folder = join(tempFolder(t), 'nats');
  mkdirSync(folder);
  const conf = join(folder, 'nats.conf');
  const { child, said } = started(t, '/bin/sh', [join(HQ, 'hub.sh'), conf], {
    PATH: `/usr/sbin:${process.env['PATH']}`,
    HUB_LOOK_SECONDS: '1',
  });
  const port = Number(new URL(server).port);
  assert.equal(await isOpen(port), false);
  const from = join(hq.site.data, 'nats');
  for (const name of ['hub.crt', 'hub.key']) cpSync(join(from, name), join(folder, name));
  const text = readFileSync(join(from, 'nats.conf'), 'utf8').replaceAll(from, folder);
  writeFileSync(conf, text);
  await until('it is there', WAIT_MS, () => isOpen(port));
  const authority = readAuthority(join(hq.site.data, 'keys'))!;
  const issued = issueServer({ authority, serverId: 'x', names: ['localhost'], now: Date.now() });
  writeFileSync(join(folder, 'hub.crt'), issued.certificate);
  writeFileSync(join(folder, 'hub.key'), issued.private_key);
  await until('it has read the new certificate', WAIT_MS, () => /Reloaded: tls/.test(said()));
  writeFileSync(conf, `${text}\n# otherwise\n`);
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(await isOpen(port), false);

  const again = started(t, '/bin/sh', [join(HQ, 'hub.sh'), conf], { PATH: `/usr/sbin:${process.env['PATH']}` });
  await until('it is there again', WAIT_MS, () => isOpen(port));
  const at = performance.now();
  await end(again.child, 'SIGTERM');
  assert.ok(performance.now() - at < 4_000, 'it does not wait for its next look');
  assert.equal(await isOpen(port), false);
});

test('three hubs form one cluster in which messages pass, and no hub reveals the addresses of the other hubs', {
  skip,
}, async (t) => {
  const { hq, hub, server } = await openHub(t);
  await hub.kill();
  const names = ['nats', 'nats-2', 'nats-3'];
  const [clients, routes, monitors] = [
    [Number(new URL(server).port), await freePort(), await freePort()],
    await Promise.all(names.map(freePort)),
    await Promise.all(names.map(freePort)),
  ];
  const folder = tempFolder(t);
  const from = readFileSync(join(hq.site.data, 'nats', 'nats.conf'), 'utf8');
  const own = readFileSync(join(HQ, 'three.conf'), 'utf8');
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  const uid = String(process.getuid?.() ?? 0);
  assert.equal(spawnSync('/bin/sh', [join(HQ, 'first-start.sh'), secrets, uid]).status, 0);
  let known = readFileSync(join(secrets, 'hub.conf'), 'utf8');
  for (const [i, name] of names.entries()) known = known.replace(`@${name}:6222`, `@127.0.0.1:${routes[i]}`);
  const start = (i: number) => {
    const at = join(folder, String(i));
    for (const place of [`${DATA}/nats`, 'etc/nats', 'secrets']) mkdirSync(join(at, place), { recursive: true });
    writeFileSync(join(at, DATA, 'nats/nats.conf'), from.replace(`:${clients[0]}"`, `:${clients[i]}"`));
    writeFileSync(join(at, 'secrets/hub.conf'), known);
    const conf = join(at, 'etc/nats/three.conf');
    writeFileSync(conf, own.replace('0.0.0.0:6222', `127.0.0.1:${routes[i]}`));
    started(t, HUB!, ['-c', conf, '-m', String(monitors[i])], { HUB_NAME: names[i] });
  };
  for (const i of names.keys()) start(i);
  const seen = async (i: number, what: string) => (await fetch(`http://127.0.0.1:${monitors[i]}/${what}`)).json();
  const remotes = async (i: number) =>
    new Set(((await seen(i, 'routez')) as { routes: { remote_id: string }[] }).routes.map((each) => each.remote_id));
  await until('each knows both others', WAIT_MS, async () => {
    const all = await Promise.all(names.map((_, i) => remotes(i).catch(() => new Set<string>())));
    return all.every(({ size }) => size === names.length - 1);
  });
  // Headquarters is connected to the first hub, and the doctor's test store to the second hub.
  await until(
    'headquarters is there',
    WAIT_MS,
    async () => ((await seen(0, 'varz')) as { connections: number }).connections > 0,
  );
  process.env['VITRINE_HOST'] = '127.0.0.1';
  const { hub: look } = await import('../../server/cli/hq-doctor/hub.ts');
  const at = { data: hq.site.data, inUse: true, given: undefined, allowOld: true };
  const checks = await look({ ...at, server: `tls://127.0.0.1:${clients[1]}` });
  assert.ok(
    checks.some(({ text: said }) => /hears and answers by NATS/.test(said)),
    JSON.stringify(checks),
  );
  const greeting = await new Promise<string>((done) => {
    const socket = connect(clients[2]!, '127.0.0.1').once('data', (part: Buffer) => {
      done(part.toString());
      socket.destroy();
    });
  });
  assert.doesNotMatch(greeting, /connect_urls/);
});
