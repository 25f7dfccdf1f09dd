import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteLink, passwordToTell } from './people.utils.ts';

test('a password to tell is three groups of four without look-alikes', () => {
  const made = passwordToTell(new Uint8Array([0, 1, 30, 31, 255, 100, 7, 8, 9, 10, 11, 12, 13]));
  assert.match(made, /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
  assert.equal(made.slice(0, 4), 'ab9a');
});

test('the link of an invite is that of the mail', () => {
  assert.equal(inviteLink('http://shop:8710', 'x1'), 'http://shop:8710/#/invite/x1');
});
