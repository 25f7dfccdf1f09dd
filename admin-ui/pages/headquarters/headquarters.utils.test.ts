import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrolmentText } from '../../../shared/chain/enrolment-code.ts';
import { enrolmentFile, enrolmentLine } from '../../../shared/chain/enrolment-file.ts';
import { issueOf } from '../../api/editing/useForm.utils.ts';
import { Enrolment, filledBy } from './headquarters.utils.ts';

const code = enrolmentText({ secret: '0123456789abcdef', fingerprint: 'fedcba98765432' });

test('code is accepted in any spelling, and an incomplete code is refused before it is sent', () => {
  const address = 'hq.example.com:8711';
  assert.ok(Enrolment.safeParse({ address, code: code.toLowerCase().replaceAll('-', ' ') }).success);
  for (const wrong of [code.slice(0, -1), `${code}A`, 'SESAME'])
    assert.equal(issueOf(Enrolment.safeParse({ address, code: wrong }).error, 'code'), 'wrong', wrong);
  assert.equal(issueOf(Enrolment.safeParse({ address: ' ', code }).error, 'address'), 'missing');
});

test('text of a QR code or enrolment file fills both fields, whichever field it is pasted into', () => {
  const enrolment = { address: 'https://hq.example.com:8711', code };
  const pasted = [enrolmentLine(enrolment), enrolmentFile(enrolment), enrolmentFile(enrolment).replaceAll('\n', '')];
  for (const text of pasted)
    for (const field of ['address', 'code'] as const) assert.deepEqual(filledBy(field, text), enrolment, text);
  assert.deepEqual(filledBy('code', code), { code });
  assert.deepEqual(filledBy('code', '{"vitrine":"enrolment"}'), { code: '{"vitrine":"enrolment"}' });
  assert.deepEqual(filledBy('address', 'hq.example.com'), { address: 'hq.example.com' });
});
