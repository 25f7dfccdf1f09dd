import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseKeysIn } from '../shared/protocol/release-signature.ts';
import { ROOT } from './kernel/place.ts';

/**
 * Those of the publisher of this program, from package.json. There are none where it was not packaged, or nobody
 * has signed the package.
 */
export const RELEASE_KEYS: readonly string[] = releaseKeysIn(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);
