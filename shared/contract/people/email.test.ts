import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailAddress } from './email.ts';

test('address gets one spelling for all typed variants', () => {
  const spellings: [string, string][] = [
    [' Anna@Store.TEST ', 'anna@store.test'],
    ['owner@store', 'owner@store'],
    ["o'neil+till_1@sub-domain.store.test", "o'neil+till_1@sub-domain.store.test"],
    ['jörg@store.test', 'jörg@store.test'],
    ['анна@store.test', 'анна@store.test'],
    ['info@bücher.test', 'info@xn--bcher-kva.test'],
    ['info@BU\u0308CHER.test', 'info@xn--bcher-kva.test'],
    ['info@xn--bcher-kva.test', 'info@xn--bcher-kva.test'],
  ];
  for (const [typed, address] of spellings) {
    assert.equal(emailAddress(typed), address, typed);
    assert.equal(emailAddress(address), address, 'stays as it is');
  }
});

test('text that is not an address, or looks like another address, is refused', () => {
  const unseen = [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u180e',
    '\u3164',
    '\uffa0',
    '\ufe0f',
    '\u{e0041}',
    '\u202e',
    '\u2066',
    '\u061c',
    '\u0000',
    '\u001b',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u2028',
    '\ue000',
    '\ud800',
  ];
  for (const sign of unseen)
    for (const typed of [
      `an${sign}na@store.test`,
      `${sign}anna${sign}@store.test`,
      `anna@st${sign}ore.test`,
      `anna${sign}@store.test`,
    ])
      assert.equal(emailAddress(typed), undefined, JSON.stringify(typed));
  const others = [
    '',
    '@',
    'anna',
    'anna@',
    '@store.test',
    'an na@store.test',
    'two@at@signs',
    'a@b@c',
    'anna@store..test',
    'anna@.test',
    'anna@store.test.',
    'anna@-store.test',
    'anna@store.test/x',
    'anna@störe.test/x',
    'anna@störe.test:25',
    'anna@[127.0.0.1]',
    'anna@st%c3%b6re',
    'anna,bea@store.test',
    '<anna@store.test>',
    '"anna"@store.test',
    `${'x'.repeat(250)}@store.test`,
    'аnna@store.test',
    'annα@store.test',
    'ann\u0430@store.test',
    'a\u0307nna@store.test',
    'ａnna@store.test',
    'o\u0308wner@store.test',
    '\u212aarl@store.test',
    'ﬁne@store.test',
    'İnfo@store.test',
    'i\u0307nfo@store.test',
  ];
  for (const typed of others) assert.equal(emailAddress(typed), undefined, JSON.stringify(typed));
});
