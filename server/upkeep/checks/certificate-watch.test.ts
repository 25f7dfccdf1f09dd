import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpsStatus } from '../../../shared/contract/server/tls.ts';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { UpkeepStore } from '../upkeep.store.ts';
import { CertificateWatch, endingOf } from './certificate-watch.ts';

const DAY_MS = 86_400_000;

test('administrators get one notice each at 180, 30 and 7 days before the old CA expires, also across restarts', (t) => {
  const clock = new TestClock();
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  const end = clock.now() + 400 * DAY_MS;
  const https: HttpsStatus = {
    state: 'on',
    port: 8443,
    ca_fingerprint: '',
    ca_path: '/api/ca.crt',
    own_certificate: false,
    expires_at: 0,
    previous_ca_ends_at: end / 1000,
    names: [],
    error: null,
  };
  const told: number[] = [];
  const watch = () =>
    new CertificateWatch({
      https: () => https,
      db,
      store: new UpkeepStore(db),
      clock,
      notices: { certificateEnds: () => told.push(Math.round((end - clock.now()) / DAY_MS)) },
    });
  for (let day = 0; day < 500; day++) {
    watch().check();
    clock.advance(DAY_MS);
  }
  assert.deepEqual(told, [180, 30, 7]);
  assert.match(
    endingOf(https, end - DAY_MS)!.text,
    /previous certificate, .* expires on .* install the new certificate/,
  );
  assert.match(endingOf(https, end + DAY_MS)!.text, /expired on/);
  assert.equal(endingOf(https, end + 40 * DAY_MS), undefined);
  const given = { ...https, previous_ca_ends_at: null, own_certificate: true, expires_at: end / 1000 };
  assert.match(endingOf(given, end - DAY_MS)!.text, /Replace the certificate file/);
  assert.equal(endingOf({ ...given, own_certificate: false }, end - DAY_MS), undefined, 'its own is renewed by itself');
});
