/**
 * `npm run sign`: signs the packages in dist/package that other machines have built, with VITRINE_RELEASE_KEY (a path,
 * or the PEM text itself). Runs no other program and reads only these files and CHANGELOG.md, because the key is on
 * this machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactOf } from '../shared/protocol/releases/release-format.ts';
import { CannotSign, publisherFrom, signedElsewhere, writeNotes, writeSignatures } from './release-signing.ts';

const USAGE = `npm run sign   sign what lies in dist/package with VITRINE_RELEASE_KEY

  --help   this text
`;

const root = join(import.meta.dirname, '..');

const signPackages = async (folder) => {
  const publisher = publisherFrom(undefined, process.env);
  if (!publisher) throw new CannotSign('There is no key: name it in VITRINE_RELEASE_KEY.');
  const wanted = signedElsewhere(process.env);
  if (wanted !== undefined && wanted !== publisher.publicKey)
    throw new CannotSign(
      `The packages trust the key ${wanted}, and VITRINE_RELEASE_KEY is the private half of ${publisher.publicKey}. Nothing was signed.`,
    );
  const files = readdirSync(folder).filter((name) => artefactOf(name));
  if (files.length === 0) throw new CannotSign(`There is no package in ${folder}.`);
  const versions = new Set(files.map((name) => artefactOf(name).version));
  const { signed } = await writeSignatures(
    files.map((name) => join(folder, name)),
    publisher,
  );
  for (const version of versions)
    writeNotes(folder, version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), publisher);
  return signed;
};

const main = async () => {
  if (process.argv.includes('--help')) return void process.stdout.write(USAGE);
  for (const name of await signPackages(join(root, 'dist', 'package'))) process.stdout.write(`Signed ${name}\n`);
};

main().catch((error) => {
  process.stderr.write(`${error instanceof CannotSign ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
