import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseKeysIn } from '../shared/protocol/releases/release-signature.ts';
import { ROOT } from './kernel/place.ts';

/** Keys of the publisher of this program, from package.json. Empty if the program is not packaged or not signed. */
export const RELEASE_KEYS: readonly string[] = releaseKeysIn(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);
