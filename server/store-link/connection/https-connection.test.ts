import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileServer } from '../testing/file-server.ts';
import { HttpsConnection, type Met } from './https-connection.ts';

test('simultaneous requests that meet a new certificate verify headquarters once, and all succeed', async (t) => {
  const hq = await FileServer.open(t);
  const moved: Met[] = [];
  // The store does not know a certificate yet, as after an enrolment with a file.
  const connection = new HttpsConnection({
    met: { ...hq.met, certificate: '' },
    store: 'store-1',
    sign: () => '0'.repeat(128),
    moved: (met) => void moved.push(met),
  });
  t.after(() => connection.close());
  const answers = Array.from({ length: 8 }, () => connection.request('through', { epochs: [] }));
  assert.deepEqual(await Promise.all(answers), Array(8).fill({ cursors: [] }));
  assert.deepEqual(
    moved.map(({ certificate }) => certificate),
    [hq.met.certificate],
  );
});
