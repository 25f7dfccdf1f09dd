import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, startSite, TestClock, tempFolder } from '../../test/harness.ts';
import { issueServer, makeAuthority } from '../tls/certificate.ts';
import type { Check } from './doctor/check.ts';
import { https } from './doctor/https.ts';
import { machine } from './doctor/machine.ts';
import { doctor } from './doctor.ts';

const DAY_MS = 86_400_000;

const ask = async (data: string, options: Record<string, string>): Promise<string[]> => {
  const { result } = await doctor.run(
    { names: [], text: (name) => options[name], isSet: () => true, data },
    { json: true, print: () => {} },
  );
  return (result as { checks: Check[] }).checks
    .filter(({ area }) => area === 'https' || area === 'network')
    .map(({ level, area, text }) => `${level} ${area} ${text}`);
};
const has = (checks: readonly string[], pattern: RegExp) =>
  assert.ok(
    checks.some((check) => pattern.test(check)),
    `${pattern} is not among\n${checks.join('\n')}`,
  );

test('doctor finds the server that runs with a data folder, and reports that its HTTPS works', async (t) => {
  const httpsPort = await freePort();
  const site = await startSite(t, { env: { VITRINE_HTTPS_PORT: String(httpsPort) } });
  await site.app.tls.https.settled;
  const checks = await ask(site.data, { 'https-port': String(httpsPort) });
  has(checks, new RegExp(`^ok network A Vitrine server .* is running on port ${site.app.port}`));
  has(checks, new RegExp(`^ok https This server answers by HTTPS on port ${httpsPort}`));
  has(checks, /^ok https The certificate is good until/);
  has(await ask(site.data, { 'https-port': '0' }), /^ok https HTTPS is turned off/);
  const elsewhere = await ask(tempFolder(t), { port: String(site.app.port), 'https-port': String(httpsPort) });
  has(elsewhere, /^bad network A Vitrine server .* but not with/);
  has(elsewhere, /^bad https Who answers by HTTPS on port \d+ is not the server of this data folder/);
});

test('doctor reports ports in use, expiring certificates and lost keys, and changes nothing', async (t) => {
  const data = tempFolder(t);
  const keys = join(data, 'keys');
  const other = createServer((socket) => socket.end('no TLS\r\n')).listen(0);
  await once(other, 'listening');
  t.after(() => other.close());
  const taken = String((other.address() as { port: number }).port);
  const port = String(await freePort());
  has(
    await ask(data, { port, 'https-port': taken }),
    new RegExp(`^bad https Port ${taken} is taken by another program \\(it speaks no TLS\\)`),
  );
  has(
    await ask(data, { port: taken, 'https-port': '0' }),
    new RegExp(`^bad network Port ${taken} is taken by another program`),
  );
  has(await ask(data, { port, 'https-port': String(await freePort()) }), /^ok https There are no keys for HTTPS yet/);

  mkdirSync(keys);
  const put = (now: number) => {
    const authority = makeAuthority({ serverId: 'x', names: [], now });
    writeFileSync(join(keys, 'ca.json'), JSON.stringify(authority));
    writeFileSync(
      join(keys, 'https.json'),
      JSON.stringify({
        ...issueServer({ authority, serverId: 'x', names: ['localhost'], now }),
        authority: authority.certificate,
      }),
    );
  };
  const httpsPort = await freePort();
  const look = async () =>
    (await https({ data, port: 1, inUse: false, httpsPort, given: undefined, quick: true })).map(
      ({ level, area, text }) => `${level} ${area} ${text}`,
    );
  put(Date.now() - 400 * DAY_MS);
  has(await look(), /^bad https The certificate expired on/);
  put(Date.now() - 380 * DAY_MS);
  has(await look(), /^warn https The certificate expires on/);
  put(Date.now() + 400 * DAY_MS);
  has(await look(), /^bad https This server’s certificate authority is good from/);
  writeFileSync(join(keys, 'https.json'), 'nonsense');
  has(await look(), /^warn https The server’s certificate is missing or damaged/);
  assert.equal(readFileSync(join(keys, 'https.json'), 'utf8'), 'nonsense');
  rmSync(join(keys, 'ca.json'));
  has(await look(), /^bad https .*ca\.json.*missing.*vitrine restore/);
});

test('doctor reports that the server’s clock is untrusted, and the consequences', async (t) => {
  const [clock, data] = [new TestClock(Date.now() - 400 * DAY_MS), tempFolder(t)];
  const first = await startSite(t, { clock, data });
  await first.app.stop();
  const look = async () =>
    (await machine({ data, port: 1, inUse: false, httpsPort: null, given: undefined, quick: true })).map(
      ({ level, text }) => `${level} ${text}`,
    );
  clock.jump(-400 * DAY_MS);
  const second = await startSite(t, { clock, data });
  await second.app.stop();
  const said = (await look()).find((text) => text.includes('doubts the clock'));
  assert.match(said ?? '', /^bad .*Set the clock, or confirm/);
  const third = await startSite(t, { clock: new TestClock(Date.now()), data });
  third.app.clock.confirm('Somebody', third.app.clock.state().doubt!.id);
  await third.app.stop();
  assert.ok(!(await look()).some((text) => text.includes('doubts the clock')));
});
