import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrolmentText } from '../../../shared/chain/enrolment-code.ts';
import { issueOf } from '../../data/useForm.utils.ts';
import { Enrolment } from './headquarters.utils.ts';

const code = enrolmentText({ secret: '0123456789abcdef', fingerprint: 'fedcba98765432' });

test('a code is taken as people type it, and one that is not complete is said before it is sent', () => {
  const address = 'hq.example.com:8711';
  assert.ok(Enrolment.safeParse({ address, code: code.toLowerCase().replaceAll('-', ' ') }).success);
  for (const wrong of [code.slice(0, -1), `${code}A`, 'SESAME'])
    assert.equal(issueOf(Enrolment.safeParse({ address, code: wrong }).error, 'code'), 'wrong', wrong);
  assert.equal(issueOf(Enrolment.safeParse({ address: ' ', code }).error, 'address'), 'missing');
});
