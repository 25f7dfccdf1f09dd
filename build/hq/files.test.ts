/** Checks the sample files for headquarters against the program. A wrong option, name, path or port fails here. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { LEAST_NATS } from '../../server/cli/hq-doctor/hub.ts';
import { ConfigError, configFrom, parseCommandLine } from '../../server/config.ts';
import { NatsSetup } from '../../server/headquarters/transport/nats-setup.ts';
import { systemClock } from '../../server/kernel/time/clock.ts';
import { servicePlaces } from '../../server/service/places.ts';
import { serverUnits } from '../../server/service/systemd.ts';
import { compareVersions } from '../../shared/desktop/update-state.ts';
import { freePort, tempFolder } from '../../test/harness.ts';
import { until } from '../../test/until.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const { version: ownNode } = z
  .object({ devDependencies: z.object({ node: z.string() }) })
  .transform(({ devDependencies }) => ({ version: devDependencies.node }))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')));
const PLACES = servicePlaces({ platform: 'linux', env: {} });
const DEFAULTS = configFrom({ chain_role: 'hq', data: PLACES.data }, {});
/** Path of the file that nats-setup writes, in the data folder. */
const NATS_CONF = join(PLACES.data, 'nats', 'nats.conf');

/** Returns the lines of each section of a systemd unit. */
const unitOf = (text: string): Map<string, [string, string][]> => {
  const sections = new Map<string, [string, string][]>();
  let lines: [string, string][] = [];
  for (const line of text.split('\n')) {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (section !== undefined) sections.set(section, (lines = []));
    else if (line !== '' && !line.startsWith('#')) lines.push(line.split(/=(.*)/s, 2) as [string, string]);
  }
  return sections;
};
const UNITS = readdirSync(join(import.meta.dirname, 'systemd')).sort();
const unit = (name: string) => unitOf(read(`systemd/${name}`));
const valuesOf = (lines: readonly [string, string][], key: string): string[] =>
  lines.filter(([name]) => name === key).map(([, value]) => value);
const store = unitOf(
  serverUnits({
    user: 'vitrine',
    data: PLACES.data,
    node: '/node',
    script: '/main.js',
    port: DEFAULTS.port,
    note: PLACES.note,
    maySleep: true,
  })[0]!.text,
);

/** Returns whether the program reads an environment variable. A variable that is read is refused when it is blank. */
const isRead = (name: string): boolean => {
  try {
    configFrom({}, { [name]: ' ' });
    return false;
  } catch (error) {
    return error instanceof ConfigError && error.message.startsWith(name);
  }
};
const requireRead = (environment: Readonly<Record<string, string>>): void => {
  for (const name of Object.keys(environment).filter((each) => each.startsWith('VITRINE_')))
    assert.ok(isRead(name), `${name} is nothing that the program reads`);
  // The file contains only known variables; their values must also be valid.
  configFrom({ chain_role: 'hq' }, environment);
};
const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^#?(VITRINE_\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

test('systemd units of headquarters and of a store differ only in the options of headquarters', () => {
  const own = unit('vitrine-hq.service');
  const isOther = ([key, value]: [string, string]) =>
    key === 'ExecStart' || key.startsWith('StateDirectory') || (key === 'EnvironmentFile' && value.length > 0);
  assert.deepEqual(
    own.get('Service')!.filter((line) => !isOther(line)),
    store.get('Service')!.filter((line) => !isOther(line)),
  );
  assert.deepEqual(own.get('Install'), store.get('Install'));
  assert.deepEqual(valuesOf(own.get('Service')!, 'StateDirectory'), [basename(PLACES.data)]);
  const [start = ''] = valuesOf(own.get('Service')!, 'ExecStart');
  const [, ...args] = start.split(' serve ');
  const command = parseCommandLine(args.join(' ').split(' '), {});
  assert.equal(command.kind === 'serve' && command.config.chain_role, 'hq');
  assert.ok(valuesOf(own.get('Unit')!, 'After').join(' ').includes('postgresql.service'));
  for (const name of valuesOf(own.get('Unit')!, 'Wants').join(' ').split(' '))
    assert.ok(!name.startsWith('vitrine-') || UNITS.includes(name), name);
});

test('unit of the hub uses the file that headquarters writes, and is hardened like the unit of a store', (t) => {
  const service = unit('vitrine-nats.service');
  const lines = service.get('Service')!;
  assert.deepEqual(valuesOf(lines, 'ExecStart'), [`:nats-server -c ${NATS_CONF}`]);
  assert.deepEqual(valuesOf(service.get('Unit')!, 'ConditionPathExists'), [NATS_CONF]);
  assert.deepEqual(valuesOf(unit('vitrine-nats.path').get('Path')!, 'PathExists'), [NATS_CONF]);
  assert.deepEqual(valuesOf(lines, 'User'), valuesOf(store.get('Service')!, 'User'));
  const hardening = /^(NoNew|Private|Protect|Restrict(?!Address)|Lock|SystemCall|CapabilityBounding|UMask)/;
  for (const [key, value] of store.get('Service')!.filter(([name]) => hardening.test(name)))
    if (key !== 'ProtectSystem') assert.deepEqual(valuesOf(lines, key), [value], key);
  assert.deepEqual(valuesOf(lines, 'ProtectSystem'), ['strict']);
  // Headquarters must write each file that the systemd path unit watches.
  const data = tempFolder(t);
  new NatsSetup({ data, server: 'tls://127.0.0.1:4222', clock: systemClock, revoked: () => ({}) }).write({
    certificate: 'c',
    private_key: 'k',
  });
  const watched = valuesOf(unit('vitrine-nats-reload.path').get('Path')!, 'PathChanged');
  for (const file of [...watched, NATS_CONF]) assert.ok(existsSync(file.replace(PLACES.data, data)), file);
  assert.equal(watched.length, 2);
  assert.ok(read('hub.sh').includes('"$folder/hub.crt" "$folder/hub.key"'));
});

test('program reads every variable in the environment file, including variables that are commented out', () => {
  const file = pairsOf(read('hq.env'));
  assert.ok(Object.keys(file).length >= 4);
  requireRead(file);
  const environment = valuesOf(unit('vitrine-hq.service').get('Service')!, 'Environment');
  requireRead(Object.fromEntries(environment.map((each) => each.split(/=(.*)/s, 2) as [string, string])));
  assert.ok(valuesOf(unit('vitrine-hq.service').get('Service')!, 'EnvironmentFile').includes('-/etc/vitrine/hq.env'));
});

test('systemd accepts all units', { skip: !existsSync('/usr/bin/systemd-analyze') && 'needs systemd-analyze' }, (t) => {
  const folder = tempFolder(t);
  const files = UNITS.map((name) => {
    const file = join(folder, name);
    // Replaces the programs and the user in the unit, which do not exist on this machine, by Node and root.
    writeFileSync(
      file,
      read(`systemd/${name}`)
        .replaceAll(/^ExecStart=:?\S+/gm, `ExecStart=${process.execPath}`)
        .replaceAll('User=vitrine', 'User=root'),
    );
    return file;
  });
  const verify = () => {
    const { stdout, stderr } = spawnSync('/usr/bin/systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    return `${stdout}${stderr}`.split('\n').filter((line) => UNITS.some((name) => line.includes(name)));
  };
  assert.deepEqual(verify(), []);
  writeFileSync(files[0]!, `${readFileSync(files[0]!, 'utf8')}\nNoSuchThing=1\n`);
  assert.notDeepEqual(verify(), []);
});

const Volume = z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/);
const Service = z.strictObject({
  image: z.string().regex(/^(vitrine-hq|[a-z]+:\d+\.\d+[\w.-]*)$/, 'is not pinned'),
  build: z.strictObject({ context: z.literal('../..'), dockerfile: z.string() }).optional(),
  user: z.string().optional(),
  network_mode: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.strictObject({ condition: z.string() }))])
    .optional(),
  environment: z.record(z.string(), z.string()).optional(),
  extra_hosts: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
  volumes: z.array(Volume),
  networks: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), start_period: z.string() })
    .optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  restart: z.enum(['unless-stopped', 'no']),
});
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.strictObject({ internal: z.literal(true) }).nullable()),
  volumes: z.record(z.string(), z.null()).default({}),
});
const composeOf = (name: string) => Compose.parse(parse(read(name), { merge: true }));
const one = composeOf('compose.yml');
const three = composeOf('compose.three.yml');
const hubs = [one.services['nats']!, ...Object.values(three.services)];
const dockerfile = read('Dockerfile');

test('compose files name existing services, networks and volumes, and pin supported versions of each image', () => {
  for (const { services, networks, volumes } of [
    one,
    { ...three, networks: { ...one.networks, ...three.networks }, volumes: one.volumes },
  ])
    for (const [name, service] of Object.entries(services)) {
      for (const network of service.networks ?? []) assert.ok(network in networks, `${name}: ${network}`);
      for (const volume of service.volumes) {
        const from = volume.split(':')[0]!;
        assert.ok(from.startsWith('./') ? existsSync(join(import.meta.dirname, from)) : from in volumes, volume);
      }
      const before = service.depends_on ?? [];
      for (const other of Array.isArray(before) ? before : Object.keys(before)) assert.ok(other in one.services, other);
      assert.ok(
        service.restart === 'unless-stopped' ? name === 'vitrine-hq' || service.healthcheck : name === 'secrets',
      );
    }
  for (const { image } of hubs) {
    assert.equal(image, one.services['nats']!.image);
    assert.ok(compareVersions(/:([\d.]+)/.exec(image)![1]!, LEAST_NATS) >= 0, image);
  }
  assert.match(one.services['postgres']!.image, /^postgres:1[67]\./);
  assert.deepEqual(
    [...dockerfile.matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version),
    [ownNode, ownNode],
  );
});

test('environment variables and ports of the containers are those that headquarters reads', () => {
  const hq = one.services['vitrine-hq']!;
  const environment = Object.fromEntries(
    Object.entries(hq.environment!).map(([key, value]) => [key, value.replace(/\$\{\w+[^}]*\}/g, 'hq.example.com')]),
  );
  requireRead(environment);
  const image = pairsOf([...dockerfile.matchAll(/VITRINE_\w+=\S+/g)].join('\n'));
  requireRead(image);
  const config = configFrom({}, { ...image, ...environment });
  assert.equal(config.chain_role, 'hq');
  assert.equal(config.data, PLACES.data);
  const ports = [config.port, config.https_port].map(String);
  assert.deepEqual(
    hq.ports,
    ports.map((port) => `${port}:${port}`),
  );
  assert.match(dockerfile, new RegExp(`^EXPOSE ${ports.join(' ')}$`, 'm'));
  const hubPort = new URL(config.nats!).port;
  assert.deepEqual(one.services['nats']!.ports, [`${hubPort}:${hubPort}`]);
  for (const { ports: own = [], healthcheck } of hubs) {
    for (const port of own) assert.ok(port.endsWith(`:${hubPort}`));
    assert.ok(healthcheck!.test.includes(hubPort));
  }
  assert.ok(hq.extra_hosts!.length === 1);
});

test('only headquarters reaches PostgreSQL, hubs run as its user with read-only files, and no file has a password', () => {
  const { postgres, secrets, nats } = one.services;
  assert.deepEqual(postgres!.networks, ['inside']);
  assert.deepEqual(one.networks['inside'], { internal: true });
  assert.equal(postgres!.ports, undefined);
  const uid = /--uid (\d+)/.exec(dockerfile)![1]!;
  assert.equal(secrets!.entrypoint!.at(-1), uid);
  for (const hub of hubs) {
    assert.equal(hub.user, `${uid}:${uid}`);
    assert.ok(hub.volumes.includes(`nats:${join(NATS_CONF, '..')}:ro`));
    assert.ok(hub.entrypoint!.join(' ').includes(NATS_CONF));
  }
  assert.equal(nats!.entrypoint!.at(-1), NATS_CONF);
  assert.ok(one.services['vitrine-hq']!.volumes.includes(`nats:${join(NATS_CONF, '..')}`));
  for (const file of readdirSync(import.meta.dirname).filter(
    (name) => !/\.(md|test\.ts)$/.test(name) && name !== 'systemd',
  ))
    assert.doesNotMatch(read(file), /PASSWORD[:=]\s*['"]?\w|password: "\w|:\/\/\w+:[^@/\s$%]+@/, file);
});

test('passwords are generated once, and only the two sides that use a password know it', (t) => {
  const folder = tempFolder(t);
  const uid = String(process.getuid?.() ?? 0);
  const make = () => execFileSync('/bin/sh', [join(import.meta.dirname, 'first-start.sh'), folder, uid]);
  make();
  const files = readdirSync(folder).sort();
  assert.deepEqual(files, ['hub.conf', 'pgpass', 'postgres']);
  const texts = () => files.map((file) => readFileSync(join(folder, file), 'utf8'));
  for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  const [hub, pgpass, password] = texts();
  assert.match(password!, /^[0-9a-f]{48}$/);
  const routes = [...hub!.matchAll(/"nats:\/\/hub:([0-9a-f]{48})@(\S+):6222"/g)];
  assert.deepEqual(
    routes.map(([, , name]) => name),
    Object.keys(three.services),
  );
  assert.equal(new Set([...routes.map(([, own]) => own), password]).size, 2);
  // Matches the PostgreSQL address of headquarters.
  const { hostname, port, pathname, username } = new URL(one.services['vitrine-hq']!.environment!['VITRINE_POSTGRES']!);
  assert.equal(pgpass, `${[hostname, port, pathname.slice(1), username, password].join(':')}\n`);
  const before = texts();
  make();
  assert.deepEqual(texts(), before);
  assert.ok(hostname in one.services);
});

test('image contains the files that mark the program’s root, and a headquarters started from it becomes healthy', async (t) => {
  const folder = tempFolder(t);
  const root = join(import.meta.dirname, '../..');
  for (const [, from = '', to = ''] of dockerfile.matchAll(
    /^COPY --from=built \/opt\/vitrine\/(\S+) \/opt\/vitrine\/(\S+)$/gm,
  )) {
    assert.equal(from, to);
    mkdirSync(join(folder, to, '..'), { recursive: true });
    if (from !== 'dist') symlinkSync(join(root, from), join(folder, to));
  }
  const [, program = ''] = /exec node \/opt\/vitrine\/(\S+) /.exec(dockerfile)!;
  execFileSync(process.execPath, [join(root, 'build/bundle.mjs'), join(folder, program, '..')], { cwd: root });
  const [command] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
  const port = String(await freePort());
  const env = {
    PATH: process.env['PATH'],
    VITRINE_CHAIN_ROLE: 'hq',
    VITRINE_DISCOVERY: '0',
    VITRINE_HOST: '127.0.0.1',
  };
  const server = spawn(process.execPath, [join(folder, program), command!], {
    env: { ...env, VITRINE_DATA: join(folder, 'data'), VITRINE_PORT: port, VITRINE_HTTPS_PORT: '0' },
    stdio: 'ignore',
  });
  t.after(() => server.kill('SIGKILL'));
  const [node, ...args] = JSON.parse(/^HEALTHCHECK .*? CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
  assert.equal(node, 'node');
  const isWell = (at: string) =>
    spawnSync(
      process.execPath,
      args.map((arg) => arg.replace(`:${DEFAULTS.port}/`, `:${at}/`)),
    ).status === 0;
  await until('it is well', 30_000, () => isWell(port));
  assert.ok(!isWell(String(await freePort())));
});
