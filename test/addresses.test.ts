/**
 * Checks that addresses for other machines never contain the origin of this browser window (admin-ui/api/requests/origin.ts).
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const OWN = /\b(?:location|window|self|globalThis)\.origin\b/;
/**
 * The first file computes the address for other machines. The second file contains the address to which an identity
 * provider sends this browser window back.
 */
const ALLOWED = ['admin-ui/api/requests/origin.ts', 'admin-ui/pages/sign-in/providerDeparture.ts'];

test('only two source files of the admin window read the origin of its page', () => {
  const files = globSync('admin-ui/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
  assert.ok(files.length > 100);
  const found = files.filter((file) => OWN.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found.sort(), ALLOWED);
});
