/** `vitrine hq doctor` on a real headquarters beside a real nats-server. Each problem really exists. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import type { Check } from '../../server/cli/doctor/check.ts';
import { hq as hqCommand } from '../../server/cli/hq/hq.ts';
import { LEAST_NATS } from '../../server/cli/hq-doctor/hub.ts';
import { issueServer } from '../../server/tls/certificate.ts';
import { readAuthority } from '../../server/tls/key-files.ts';
import { freePort, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { openHub, noHub as skip } from './hub.ts';
import { enrol, openHq, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 30_000;
const DAY_S = 86_400;
const root = join(import.meta.dirname, '..', '..');
// Makes the test servers listen on loopback only.
process.env['VITRINE_HOST'] = '127.0.0.1';

interface Asked {
  readonly nats?: string;
  readonly flags?: readonly string[];
  /**
   * HTTPS port for the doctor. null: no port is given, so the doctor uses the addresses of the running headquarters.
   */
  readonly httpsPort?: number | null;
}
/** Option that accepts the old version of nats-server that Debian installs. */
const OLD = ['allow-old-nats'];

const ask = async (data: string, { nats, flags = OLD, httpsPort = 8711 }: Asked = {}) => {
  const options = { nats, ...(httpsPort !== null && { 'https-port': String(httpsPort) }) } as Record<string, string>;
  const { result, exit } = await hqCommand.run(
    { names: ['doctor'], text: (name) => options[name], isSet: (name) => flags.includes(name), data },
    { json: true, print: () => {} },
  );
  const { checks } = result as { checks: Check[] };
  return { exit, said: checks.map(({ level, area, text }) => `${level} ${area} ${text}`) };
};
const askOf = (hq: Server, asked: Asked = {}) => ask(hq.site.data, { ...asked, httpsPort: hq.httpsPort });

const has = ({ said, exit }: Awaited<ReturnType<typeof ask>>, pattern: RegExp) => {
  const found = said.find((line) => pattern.test(line));
  assert.ok(found, `${pattern} is not among\n${said.join('\n')}`);
  if (found.startsWith('bad')) assert.equal(exit, 3);
};
const isWell = ({ said, exit }: Awaited<ReturnType<typeof ask>>) => {
  assert.deepEqual(
    said.filter((line) => line.startsWith('bad')),
    [],
  );
  assert.equal(exit, 0);
};

/** Enrols a store and waits until headquarters has plays of it. */
const openMill = async (t: TestContext, hq: Server) => {
  const store = await openStore(t);
  await enrol(hq, store, { name: 'Mill' });
  await (await openScreen(t, store, 'Till')).show(10);
  await until('headquarters has everything', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const { link } = await store.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });
  return store;
};
const packOf = (data: string): string =>
  join(data, 'chain', globSync('*/*.segments', { cwd: join(data, 'chain') })[0]!);

/** Opens a server that is not ours on a loopback port, for the duration of the test. */
const somebody = async (t: TestContext, talk: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    t.after(() => socket.destroy());
    talk(socket.on('error', () => {}));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `tls://127.0.0.1:${(server.address() as { port: number }).port}`;
};
/** Opens a proxy to the real hub that replaces the version in the hub's greeting. */
const hubOfVersion = (t: TestContext, hub: string, version: string): Promise<string> =>
  somebody(t, (socket) => {
    const behind = connect(Number(new URL(hub).port), '127.0.0.1').on('error', () => socket.destroy());
    socket.pipe(behind);
    behind.once('data', (info: Buffer) => {
      socket.write(info.toString().replace(/"version":"[^"]*"/, `"version":"${version}"`));
      behind.pipe(socket);
    });
    socket.once('close', () => behind.destroy());
  });

test('doctor finds no problem in a healthy headquarters with a hub, whether headquarters runs or is stopped', {
  skip,
}, async (t) => {
  const { hq, server } = await openHub(t);
  await openMill(t, hq);
  const running = await askOf(hq, { nats: server });
  isWell(running);
  for (const pattern of [
    /^ok network Headquarters is running with /,
    /^ok network A Vitrine server .* is running on port/,
    /^ok https The certificate is good until/,
    /^ok https Headquarters proves its key at https:\/\/127\.0\.0\.1:\d+/,
    /^ok database The database can be read, and is of this version/,
    /^ok nats .*for the server’s user alone/,
    /^warn nats nats-server 2\.\S+ is older than .* It was allowed/,
    /^ok nats nats-server shows headquarters’ own certificate, good until/,
    /^ok nats nats-server lets in headquarters/,
    /^ok nats nats-server accepts revocations/,
    /^ok nats nats-server refuses strangers/,
    /^ok nats A store is let go of its own subjects alone/,
    /^ok nats A message of headquarters is at a store after [\d.]+ ms/,
    /^ok nats Headquarters hears and answers by NATS/,
    /^ok plays 1 files of plays/,
    /^ok stores 1 store is well/,
  ])
    has(running, pattern);
  // Runs the doctor without the address of the hub, and then with a hub of the oldest accepted version of NATS.
  has(await askOf(hq), /^ok nats Headquarters hears and answers/);
  const recent = await hubOfVersion(t, server, LEAST_NATS);
  has(await askOf(hq, { nats: recent, flags: [] }), new RegExp(`^ok nats nats-server ${LEAST_NATS}$`));

  await hq.site.app.stop();
  const stopped = await askOf(hq, { nats: server });
  isWell(stopped);
  has(stopped, /^ok network Headquarters is stopped/);
  has(stopped, /^ok https Headquarters is stopped: the addresses that stores are given are not tried/);
});

test('command prints text for people and JSON for programs, and exits with 3 when a check fails', {
  skip,
}, async (t) => {
  const data = tempFolder(t);
  const server = `tls://127.0.0.1:${await freePort()}`;
  const ports = ['--port', String(await freePort()), '--https-port', String(await freePort())];
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'server/cli/main.ts'), 'hq', ...args, '--data', data, ...ports], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (said += part));
    const [code] = await once(child, 'close');
    return { code, said };
  };
  const words = await run('doctor', '--nats', server);
  assert.match(words.said, /^note {2}nats {6}\S+nats\.conf is not there yet: headquarters writes it/m);
  assert.match(words.said, /Nothing is wrong\.$/m);
  assert.equal(words.code, 0);
  const json = JSON.parse((await run('doctor', '--json', '--nats', server)).said);
  assert.equal(json.ok, true);
  assert.deepEqual(await run('heal').then(({ code }) => code), 2);
  assert.deepEqual(await run('doctor', '--nats', 'hub.example.com').then(({ code }) => code), 1);
});

test('doctor reports within its time limit a hub that is missing, foreign, hanging or without TLS', {
  skip,
}, async (t) => {
  const { hq, hub, server } = await openHub(t);
  await hub.kill();
  has(
    await askOf(hq, { nats: server }),
    /^bad nats nats-server is not reached at .*: nothing answers at this address\. Stores come by HTTPS meanwhile\. Is it started \(nats-server -c /,
  );
  const at = (nats: string) => askOf(hq, { nats });
  has(await at('tls://hub.invalid:4222'), /^bad nats .* this network does not know the host name/);
  const began = performance.now();
  has(await at(await somebody(t, () => {})), /^bad nats .*it did not answer within 4 s/);
  assert.ok(performance.now() - began < 15_000);
  has(await at(await somebody(t, (socket) => socket.write('SSH-2.0-x\r\n'))), /^bad nats .* is no nats-server/);
  has(
    await at(await somebody(t, (socket) => socket.write('INFO {"version":"2.12.0"}\r\n'))),
    /^bad nats .*without TLS/,
  );
  const hanging = await somebody(t, (socket) => socket.write('INFO {"version":"2.12.0","tls_required":true}\r\n'));
  has(await at(hanging), /^bad nats .*it shook no hands/);
});

test('doctor refuses an old nats-server unless it is allowed', { skip }, async (t) => {
  const { hq, server } = await openHub(t);
  const old = new RegExp(
    `^bad nats nats-server \\S+ is older than ${LEAST_NATS}: there are known ways past its rules.*--allow-old-nats`,
  );
  has(await askOf(hq, { nats: server, flags: [] }), old);
  has(await askOf(hq, { nats: await hubOfVersion(t, server, '2.11.15'), flags: [] }), old);
  const newer = await askOf(hq, { nats: await hubOfVersion(t, server, '2.12.0'), flags: [] });
  has(newer, /^ok nats nats-server 2\.12\.0$/);
  isWell(newer);
});

test('doctor distinguishes a foreign certificate, an older certificate, and a hub with other keys', {
  skip,
}, async (t) => {
  const { hq, hub, server } = await openHub(t);
  const { server: foreign, hq: other } = await openHub(t);
  const strange = await askOf(hq, { nats: foreign });
  has(strange, /^bad nats Whoever answers at \S+ shows a certificate that is not headquarters’ own/);
  assert.ok(!strange.said.some((line) => / let(s in| headquarters in) /.test(line)), 'nothing more is told to it');

  // The hub has the right certificate, but the keys of another headquarters.
  const conf = join(hq.site.data, 'nats', 'nats.conf');
  const ownText = readFileSync(conf, 'utf8');
  const otherText = readFileSync(join(other.site.data, 'nats', 'nats.conf'), 'utf8');
  const changed = join(tempFolder(t), 'changed.conf');
  const keysOf = (text: string) => /^operator:[\s\S]*?^}\n/m.exec(text)![0];
  await hub.kill();
  writeFileSync(changed, ownText.replace(keysOf(ownText), keysOf(otherText)));
  await hub.start(changed);
  has(
    await askOf(hq, { nats: server }),
    /^bad nats nats-server does not let headquarters in \(.*Authorization Violation.*started with another file than /,
  );
  await hub.kill();
  // A configuration file as an older version wrote it: without a system account.
  const system = /^system_account: (\w+)$/m.exec(ownText)![1]!;
  const lines = ownText.split('\n').filter((line) => !line.includes(system));
  writeFileSync(changed, lines.join('\n'));
  await hub.start(changed);
  has(
    await askOf(hq, { nats: server }),
    /^bad nats nats-server does not accept revocations \(.*Authorization Violation.*\): a removed store stays connected .*Restart it with \S+nats\.conf/,
  );
  await hub.kill();
  writeFileSync(changed, ownText.replace(keysOf(ownText), ''));
  await hub.start(changed);
  has(await askOf(hq, { nats: server }), /^bad nats nats-server lets in strangers/);
  has(await askOf(hq, { nats: server }), /^bad nats nats-server lets a store hear what is another’s/);

  await hub.kill();
  await hub.start();
  await hub.has(1);
  const keys = join(hq.site.data, 'keys');
  const authority = readAuthority(keys)!;
  const issued = issueServer({ authority, serverId: 'x', names: ['localhost'], now: Date.now() });
  writeFileSync(join(keys, 'https.json'), JSON.stringify({ ...issued, authority: authority.certificate }));
  has(
    await askOf(hq, { nats: server }),
    /^warn nats nats-server shows an earlier certificate .*nats-server --signal reload/,
  );
});

test('doctor reports hub files that other users can read, that have other keys, or that use another port', {
  skip,
}, async (t) => {
  const { hq, server } = await openHub(t);
  const folder = join(hq.site.data, 'nats');
  chmodSync(join(folder, 'hub.key'), 0o644);
  has(
    await askOf(hq, { nats: server }),
    /^bad nats Others than the server’s user may read or change \S+hub\.key: chmod 600/,
  );
  chmodSync(join(folder, 'hub.key'), 0o600);
  has(
    await askOf(hq, { nats: await hubOfVersion(t, server, '2.9.10') }),
    /^warn nats .*has the hub listen on port \d+, and stores are sent to/,
  );
  const conf = readFileSync(join(folder, 'nats.conf'), 'utf8');
  writeFileSync(join(folder, 'nats.conf'), conf.replaceAll(/\bA[A-Z2-7]{55}\b/g, `A${'B'.repeat(55)}`), {
    mode: 0o600,
  });
  has(await askOf(hq, { nats: server }), /^bad nats \S+ is of other keys than keys\/nats\.json/);
  rmSync(join(folder, 'nats.conf'));
  has(await askOf(hq, { nats: server }), /^bad nats Headquarters runs, and has not written \S+nats\.conf/);
});

test('doctor finds a headquarters that runs without its hub', { skip }, async (t) => {
  const { hq, server } = await openHub(t);
  await hq.site.app.stop();
  const again = await openHq(t, { data: hq.site.data, httpsPort: hq.httpsPort, as: hq.owner });
  has(await askOf(again, { nats: server }), /^bad nats Headquarters runs, but does not answer by this nats-server/);
});

test('doctor reports files of plays that are truncated, missing or unreadable', async (t) => {
  const hq = await openHq(t);
  has(await askOf(hq), /^ok plays Headquarters has no plays yet/);
  await openMill(t, hq);
  const { data } = hq.site;
  const pack = packOf(data);
  const { size } = statSync(pack);
  has(await askOf(hq), /^ok plays 1 files of plays in \S+ are there, as long as the index says/);
  truncateSync(pack, size - 1);
  has(
    await askOf(hq),
    new RegExp(
      `^bad plays Of 1 files .*\\.segments \\(Mill\\) has ${size - 1} of ${size} bytes.*Copy the folder from its backup`,
    ),
  );
  rmSync(pack);
  has(await askOf(hq), /^bad plays .*\.segments \(Mill\) is missing/);
  const folder = join(data, 'chain');
  renameSync(folder, `${folder}.away`);
  has(await askOf(hq), /^bad plays \S+chain is missing, and with it the single plays of all stores/);
  writeFileSync(folder, '');
  has(await askOf(hq), /^bad plays \S+chain cannot be read \(E\w+\)\. Give this user/);
});

test('doctor reports stores that do not report, have unsent plays, run an old version or have a wrong clock', async (t) => {
  const hq = await openHq(t);
  const store = await openStore(t);
  for (const name of ['Mill', 'Dock', 'Pier', 'Yard']) {
    await hq.call('POST', '/api/stores', { name });
  }
  await hq.site.app.stop();
  await store.site.app.stop();
  const { data } = hq.site;
  const set = (sql: string, ...values: unknown[]) => {
    const db = new BetterSqlite3(join(data, 'vitrine.db'));
    db.prepare(sql).run(...values);
    db.close();
  };
  const now = Math.floor(Date.now() / 1000);
  const presence = (more: object) =>
    JSON.stringify({
      version: '9.0.0',
      clock_ms: 0,
      screens: { total: 0, online: 0, dark: 0, behind: 0 },
      dark_names: [],
      disk: null,
      waiting: 0,
      incidents: [],
      ...more,
    });
  has(await askOf(hq), /^ok stores No store is enrolled yet/);
  set(
    'UPDATE hq_stores SET key = ref, enrolled_at = ?, heard_at = ?, clock_ms = 0, presence = ?',
    now - 9 * DAY_S,
    now,
    presence({}),
  );
  has(await askOf(hq), /^ok stores 4 stores are well/);
  set("UPDATE hq_stores SET heard_at = ? WHERE name = 'Mill'", now - 2 * DAY_S);
  set("UPDATE hq_stores SET presence = ? WHERE name = 'Dock'", presence({ waiting: 20_001, version: '0.0.9' }));
  set(
    "UPDATE hq_stores SET clock_ms = -2500, presence = ? WHERE name = 'Pier'",
    presence({ disk: { free_bytes: 1, total_bytes: 9 } }),
  );
  set(
    "INSERT INTO hq_incidents (id, store, kind, details, at) SELECT 'x', id, 'headquarters_unproved', '', 1 FROM hq_stores WHERE name = 'Yard'",
  );
  const all = await askOf(hq);
  for (const pattern of [
    /^warn stores 1 of the stores have not come for a day or longer: Mill \(since \d{4}-/,
    /^warn stores 1 of the stores were last heard before this server’s key was put in its place: Mill\. .*enrol them anew/,
    /^warn stores 1 of the stores keep many plays that headquarters has not: Dock \(20001\)/,
    /^warn stores 1 of the stores are older than headquarters \(\S+\): Dock \(0\.0\.9\)/,
    /^warn stores 1 of the stores go by another time than this computer: Pier \(-2\.5 s\)/,
    /^warn stores 1 of the stores have little room on their disk: Pier/,
    /^warn stores 1 of the stores say that whoever answered as headquarters was another: Yard/,
    /^warn stores 1 of the stores have incidents that nobody has looked at: Yard \(1\)/,
  ])
    has(all, pattern);
  isWell(all);
  set("UPDATE hq_stores SET clock_ms = 4000 WHERE name <> 'Mill'");
  has(
    await askOf(hq),
    /^warn stores The clocks of 3 of 3 stores are ahead of this computer’s: it is this clock that is wrong/,
  );
});

test('doctor tries the addresses that the running headquarters announces, also a name that cannot be resolved', async (t) => {
  const hq = await openHq(t, { env: { VITRINE_NAMES: 'hq.invalid,localhost' } });
  const { addresses } = must(
    await hq.call('POST', `/api/stores/${must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201).id}/code`),
    201,
  );
  const noted = () => readFileSync(join(hq.site.data, 'server.address'), 'utf8').includes('hq.invalid');
  await until('the addresses are noted', WAIT_MS, noted);
  const found = await ask(hq.site.data, { httpsPort: null });
  for (const address of addresses) has(found, new RegExp(` https .*${address}`));
  has(
    found,
    new RegExp(
      `^bad https Stores are given https://hq\\.invalid:${hq.httpsPort}, .*this network does not know the host name`,
    ),
  );
  has(found, new RegExp(`^ok https .* at https://localhost:${hq.httpsPort}`));
});

test('doctor reports a database of a newer version, and an address of headquarters where another server answers', async (t) => {
  const [hq, other] = [await openHq(t), await openHq(t)];
  has(
    await askOf({ ...hq, httpsPort: other.httpsPort }),
    /^bad https Stores are given https:\/\/127\.0\.0\.1:\d+, and there: The server at \S+ is not the expected headquarters/,
  );
  has(
    await askOf({ ...hq, httpsPort: await freePort() }),
    /^bad https Stores are given .*nothing answers at this address/,
  );
  await hq.site.app.stop();
  const db = new BetterSqlite3(join(hq.site.data, 'vitrine.db'));
  db.prepare('UPDATE __drizzle_migrations SET created_at = created_at + 1e12').run();
  db.close();
  has(await askOf(hq), /^bad database .* was written by a newer version of Vitrine/);
  writeFileSync(join(hq.site.data, 'vitrine.db'), 'x'.repeat(9_000));
  has(await askOf(hq), /^bad database This could not be looked at: file is not a database/);
});
