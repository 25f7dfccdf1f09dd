import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TestClock, tempFolder } from '../../test/harness.ts';
import { fingerprintOf } from '../kernel/trust/fingerprint.ts';
import { issueServer, makeAuthority } from './certificate.ts';
import { Certificates } from './certificates.ts';
import { hostNames, namesToPermit } from './host-names.ts';
import { HttpsServer } from './https-server.ts';
import { KeysUnusable } from './key-files.ts';

const DAY_MS = 86_400_000;
const serverId = '7d9f4a3e-1111-4111-8111-111111111111';

const setUp = (t: TestContext, given?: { cert: string; key: string }) => {
  const folder = tempFolder(t);
  const clock = new TestClock();
  const state = { names: ['pc', 'pc.local', 'localhost', '192.168.1.5'], warnings: [] as string[] };
  const log = { info: () => {}, warn: (message: string) => void state.warnings.push(message), error: () => {} };
  const start = () =>
    new Certificates({ folder, serverId, given, names: () => state.names, publicNames: ['pc'], clock, log });
  const file = (name: string) => join(folder, name);
  return { folder, clock, state, log, start, file };
};

test('authority and certificate are created at the first start, are readable only by this user, and are used later', (t) => {
  const { start, file } = setUp(t);
  const certificates = start();
  assert.equal(certificates.refresh(), true);
  assert.equal(certificates.refresh(), false);
  const { certificate, names } = certificates.shown!;
  assert.deepEqual(names, ['pc', 'pc.local', 'localhost', '192.168.1.5']);
  if (process.platform !== 'win32')
    for (const name of ['ca.json', 'https.json']) assert.equal(statSync(file(name)).mode & 0o777, 0o600);
  const again = start();
  again.refresh();
  assert.equal(again.shown!.certificate, certificate);
});

test('certificate is renewed before it expires, when the machine has a new address, and after the clock was set back', (t) => {
  const { start, clock, state } = setUp(t);
  const certificates = start();
  certificates.refresh();
  const anchor = fingerprintOf(certificates.shown!.anchor);
  clock.advance(300 * DAY_MS);
  assert.equal(certificates.refresh(), false);
  clock.advance(10 * DAY_MS);
  assert.equal(certificates.refresh(), true);
  state.names = ['pc', 'pc.local', 'localhost', '192.168.1.9'];
  assert.equal(certificates.refresh(), true);
  assert.ok(certificates.shown!.names.includes('192.168.1.9'));
  state.names = ['pc', 'localhost'];
  assert.equal(certificates.refresh(), false, 'an address less is no reason');
  state.names = ['pc', 'sign.example.com', '8.8.8.8'];
  assert.equal(certificates.refresh(), false, 'what the authority may not vouch for is left out');
  clock.advance(-200 * DAY_MS);
  assert.equal(certificates.refresh(), true);
  assert.equal(fingerprintOf(certificates.shown!.anchor), anchor);
});

test('certificate stays valid over 25 years, and clients have a year to install each new certificate of the authority', (t) => {
  const { start, clock, state } = setUp(t);
  let certificates = start();
  certificates.refresh();
  const authorities = [certificates.shown!.authority!];
  const isGood = ({ validFrom, validTo }: X509Certificate) =>
    Date.parse(validFrom) <= clock.now() && clock.now() < Date.parse(validTo);
  for (let day = 0; day < 25 * 365; day += 30) {
    clock.advance(30 * DAY_MS);
    // The server is restarted every 360 days and keeps running in between.
    if (day % 360 === 0) certificates = start();
    certificates.refresh();
    const { certificate, authority, warning } = certificates.shown!;
    const leaf = new X509Certificate(certificate);
    assert.equal(warning, null);
    if (!authority!.raw.equals(authorities.at(-1)!.raw)) {
      const left = Date.parse(authorities.at(-1)!.validTo) - clock.now();
      assert.ok(left > 330 * DAY_MS && left <= 365 * DAY_MS, 'renewed a year ahead');
      assert.equal(certificates.shown!.replacedEndsAt, Date.parse(authorities.at(-1)!.validTo));
      authorities.push(authority!);
    }
    assert.ok(isGood(leaf) && isGood(authority!));
    assert.ok(Date.parse(leaf.validTo) <= Date.parse(authority!.validTo));
    for (const known of authorities.filter(isGood))
      assert.ok(
        leaf.checkIssued(known) && leaf.verify(known.publicKey),
        'whoever was given one that has not ended accepts it',
      );
  }
  assert.equal(authorities.length, 3);
  assert.deepEqual(state.warnings, []);
  // Sets the clock back by 24 years, as if it had been ahead. The certificates must then still be valid.
  clock.advance(-24 * 365 * DAY_MS);
  certificates.refresh();
  assert.ok(isGood(new X509Certificate(certificates.shown!.certificate)) && isGood(certificates.shown!.authority!));
});

test('lost or damaged authority is reported and not overwritten, and its certificate is used until it expires', (t) => {
  const { start, file } = setUp(t);
  start().refresh();
  const stored = readFileSync(file('ca.json'));
  for (const damage of [
    () => rmSync(file('ca.json')),
    () => writeFileSync(file('ca.json'), 'nonsense'),
    () => writeFileSync(file('ca.json'), stored.subarray(0, 300)),
  ]) {
    damage();
    const before = (() => {
      try {
        return readFileSync(file('ca.json'), 'utf8');
      } catch {
        return null;
      }
    })();
    const certificates = start();
    assert.equal(certificates.refresh(), true);
    assert.match(certificates.shown!.warning!, /ca\.json.*(missing|cannot be read).*vitrine restore FILE --keys-only/);
    if (before !== null) assert.equal(readFileSync(file('ca.json'), 'utf8'), before);
  }
  writeFileSync(file('https.json'), 'nonsense too');
  assert.throws(() => start().refresh(), KeysUnusable);
  writeFileSync(file('ca.json'), stored);
  const whole = start();
  whole.refresh();
  assert.equal(whole.shown!.warning, null);
});

test('certificate that a person provided is used unchanged, reloaded when replaced, and reported when expired', (t) => {
  const given = { cert: '', key: '' };
  const { start, clock, file, folder } = setUp(t, given);
  Object.assign(given, { cert: file('shop.crt'), key: file('shop.key') });
  const certificates = start();
  assert.throws(() => certificates.refresh(), /shop\.crt cannot be read \(ENOENT\)/);
  const authority = makeAuthority({ serverId, names: ['signs.shop.test'], now: clock.now() });
  const put = () => {
    const pair = issueServer({ authority, serverId, names: ['signs.shop.test'], now: clock.now() });
    writeFileSync(given.cert, pair.certificate + authority.certificate);
    writeFileSync(given.key, pair.private_key);
  };
  put();
  certificates.refresh();
  const first = fingerprintOf(certificates.shown!.anchor);
  assert.deepEqual([certificates.shown!.names, certificates.shown!.authority], [['signs.shop.test'], null]);
  clock.advance(400 * DAY_MS);
  certificates.refresh();
  assert.match(certificates.shown!.warning!, /expired/);
  put();
  assert.equal(certificates.refresh(), true);
  assert.notEqual(fingerprintOf(certificates.shown!.anchor), first);
  writeFileSync(given.key, issueServer({ authority, serverId, names: [], now: clock.now() }).private_key);
  assert.throws(() => certificates.refresh(), /do not belong together/);
  assert.ok(folder);
});

test('port in use or unusable keys are reported, and the server continues with plain HTTP', async (t) => {
  const { start, clock, log, state, file } = setUp(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const port = (taken.address() as { port: number }).port;
  const https = new HttpsServer({ host: '127.0.0.1', port, certificates: start(), clock, log });
  https.answer({ hosts: { refusal: () => undefined }, api: {} as never, pages: () => {}, upgrades: new Map() });
  https.start();
  t.after(() => https.stop());
  await https.settled;
  assert.match(
    https.state.state === 'failing' ? https.state.error : '',
    new RegExp(`Port ${port} is in use.*--https-port`),
  );
  await https.update();
  assert.equal(state.warnings.length, 1, 'said once');
  rmSync(file('ca.json'));
  writeFileSync(file('https.json'), '{');
  const broken = new HttpsServer({ host: '127.0.0.1', port: 1, certificates: start(), clock, log });
  await broken.update();
  assert.match(broken.state.state === 'failing' ? broken.state.error : '', /ca\.json.*missing/);
});

test('certificate contains the names of the computer and the network, without invalid names', () => {
  const names = hostNames(
    { host: '127.0.0.1', public_url: 'https://signs.shop.test/x', tls_names: ['Door.lan', 'not a name'] },
    serverId,
    'Back-Office.shop.lan',
  );
  assert.deepEqual(names, [
    'back-office.shop.lan',
    'back-office',
    'back-office.local',
    'vitrine-7d9f4a3e1111.local',
    'localhost',
    '127.0.0.1',
    'signs.shop.test',
    'door.lan',
  ]);
  assert.deepEqual(namesToPermit(names), ['back-office', 'signs.shop.test']);
});

test('certificate is not renewed while the clock is untrusted, because the new certificate might begin in the future', (t) => {
  const { folder, state, log } = setUp(t);
  const clock = { at: Date.UTC(2026, 2, 10), doubtful: false, now: () => clock.at };
  const start = () =>
    new Certificates({ folder, serverId, given: undefined, names: () => state.names, publicNames: ['pc'], clock, log });
  const before = start();
  before.refresh();
  for (const days of [700, -700]) {
    Object.assign(clock, { at: Date.UTC(2026, 2, 10) + days * DAY_MS, doubtful: true });
    const doubted = start();
    doubted.refresh();
    assert.equal(doubted.shown!.certificate, before.shown!.certificate);
  }
  clock.doubtful = false;
  const sure = start();
  sure.refresh();
  assert.notEqual(sure.shown!.certificate, before.shown!.certificate);
});
