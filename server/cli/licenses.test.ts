import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempFolder } from '../../test/harness.ts';
import { CommandFailed, parseArguments } from './command.ts';
import { licensesIn } from './licenses.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, 'main.ts');
const vitrine = (...args: string[]) => run(process.execPath, [MAIN, ...args], { maxBuffer: 32 * 1024 * 1024 });

test('`vitrine licenses` and `--licenses` print all licences, and the help lists both', async () => {
  const [asked, option, bill, { stdout: help }] = await Promise.all([
    vitrine('licenses'),
    vitrine('--licenses'),
    vitrine('licenses', '--json'),
    vitrine('--help'),
  ]);
  assert.match(asked.stdout, /^Vitrine [\d.]+\n\nMIT License\n/);
  assert.match(asked.stdout, /express \d[\d.]+ {2}\(MIT\)[\s\S]+Copyright \(c\) 2009-2014 TJ Holowaychuk/);
  assert.equal(option.stdout, asked.stdout);
  assert.equal((JSON.parse(bill.stdout) as { bomFormat: string }).bomFormat, 'CycloneDX');
  assert.match(help, /licenses \[--json\][\s\S]*vitrine --licenses/);
});

test('pager that closes the pipe early is not an error', async () => {
  const child = spawn(process.execPath, [MAIN, '--licenses'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, /EPIPE|\bat /.test(complaint)], [0, false]);
});

test('package prints its licence file, and reports when this file is missing', async (t) => {
  const root = tempFolder(t);
  const said: string[] = [];
  const ask = () => {
    const command = licensesIn(root);
    return command.run(parseArguments(command, [], {}), { json: false, print: (line) => void said.push(line) });
  };
  await assert.rejects(ask(), CommandFailed);
  writeFileSync(join(root, 'licences.txt'), 'Vitrine 1.0.0\n\nMIT License\n');
  await ask();
  assert.deepEqual(said, ['Vitrine 1.0.0\n\nMIT License']);
});
