import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../kernel/place.ts';
import { type Command, CommandFailed } from './command.ts';

const run = promisify(execFile);
/** Maximum output size in bytes for a child process. All licence texts together have less than 1 MiB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the file of the package with all licence texts. In a checkout, generates the text from the installed
 * packages.
 */
const said = async (root: string, file: string, ...options: readonly string[]): Promise<string> => {
  if (existsSync(join(root, file))) return readFile(join(root, file), 'utf8');
  const script = join(root, 'build', 'licences', 'checkout.ts');
  if (!existsSync(script))
    throw new CommandFailed(
      `${file} is missing in ${root}: this installation of Vitrine is not whole. Install it again.`,
    );
  const { stdout, stderr } = await run(process.execPath, [script, ...options], { maxBuffer: MAX_BYTES });
  process.stderr.write(stderr);
  return stdout;
};

export const licensesIn = (root: string): Command => ({
  name: 'licenses',
  usage: 'licenses [--json]',
  summary: 'print the licences of Vitrine and of all included software (also: vitrine --licenses)',
  help: `Names each package, program and font with its licence and its source, then prints the texts. In a checkout they are read from
the installed packages.

  --json       print the bill of materials instead (CycloneDX 1.6)
`,
  options: {},
  takes: [0, 0],
  async run(_args, { json, print }) {
    // A pager like `less` may close the pipe before everything is written. The command then ends without an error.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
    if (json) return { result: JSON.parse(await said(root, 'sbom.cdx.json', '--sbom')) as unknown };
    print((await said(root, 'licences.txt')).trimEnd());
    return { result: undefined };
  },
});

export const licenses: Command = licensesIn(ROOT);
