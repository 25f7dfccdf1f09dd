/**
 * `node build/licences/checkout.ts`: prints the notices of the software that this checkout runs; `--sbom`: its bill of
 * materials; `--into DIR`: writes the data for the admin window. (A package contains these as files: write.ts.)
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listOf, readable } from './notices.ts';
import { sbomOf } from './sbom.ts';
import { collectHere, ownLicence, writeForWindow } from './write.ts';

const root = join(import.meta.dirname, '..', '..');
const [what, folder] = process.argv.slice(2);
const here = collectHere(root);
if (what === '--into' && folder !== undefined) {
  if (existsSync(folder)) writeForWindow(root, folder, here);
} else if (what === '--sbom') process.stdout.write(`${JSON.stringify(sbomOf(ownLicence(root), here.parts))}\n`);
else {
  process.stdout.write(readable(listOf(ownLicence(root), here.parts)));
  if (here.unbuilt.length > 0)
    process.stderr.write(
      `\nThe pages for browsers (${here.unbuilt.join(', ')}) are not built here: what is inside of them is missing. npm run build builds them.\n`,
    );
}
