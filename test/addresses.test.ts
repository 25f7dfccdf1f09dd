/** Addresses that other machines get to see are never those of this window (admin-ui/data/origin.ts). */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const OWN = /\b(?:location|window|self|globalThis)\.origin\b/;
/** The first says where others reach the server; to the second the provider sends this very window back. */
const ALLOWED = ['admin-ui/data/origin.ts', 'admin-ui/places/sign-in/providerDeparture.ts'];

test('only one file of the window knows its own origin, and what it makes of it for others', () => {
  const files = globSync('admin-ui/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
  assert.ok(files.length > 100);
  const found = files.filter((file) => OWN.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found.sort(), ALLOWED);
});
