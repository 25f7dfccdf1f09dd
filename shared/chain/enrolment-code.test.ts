import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { enrolmentCode, enrolmentText } from './enrolment-code.ts';
import { enrolmentFile, enrolmentLine, readEnrolmentFile } from './enrolment-file.ts';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

test('enrolment code contains secret and fingerprint, and is accepted with dashes, spaces or lower case', () => {
  fc.assert(
    fc.property(digits(16), digits(64), (secret, fingerprint) => {
      const text = enrolmentText({ secret, fingerprint });
      assert.match(text, /^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
      const wanted = { secret, fingerprint: fingerprint.slice(0, 14) };
      const mistaken = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      assert.deepEqual([enrolmentCode(text), enrolmentCode(mistaken)], [wanted, wanted]);
    }),
  );
});

test('enrolmentCode returns undefined for an invalid code', () => {
  for (const text of ['', 'ABCD', 'U'.repeat(24), `${'0'.repeat(25)}`, `${'0'.repeat(23)}%`])
    assert.equal(enrolmentCode(text), undefined, text);
  fc.assert(fc.property(fc.string(), (text) => void enrolmentCode(text)));
});

test('enrolment file contains the address and the code, and a file with other text is refused', () => {
  const enrolment = { address: 'https://hq.example.com:8711', code: 'ABCD-EFGH' };
  assert.deepEqual(readEnrolmentFile(enrolmentFile(enrolment)), enrolment);
  const line = enrolmentLine(enrolment);
  assert.deepEqual(readEnrolmentFile(` ${line}\n`), enrolment);
  assert.ok(!line.includes('\n') && line.length < 150, line);
  for (const text of ['', '{}', '[]', 'null', '{"vitrine":"enrolment","address":"","code":"x"}', '{"vitrine":"chain"}'])
    assert.equal(readEnrolmentFile(text), undefined, text);
});
