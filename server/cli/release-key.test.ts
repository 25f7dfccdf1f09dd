import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publisherFrom } from '../../build/release-signing.ts';
import { tempFolder } from '../../test/harness.ts';
import { CommandFailed, parseArguments, WrongUse } from './command.ts';
import { releaseKey } from './release-key.ts';

const make = async (...args: string[]) => {
  const said: string[] = [];
  const { result } = await releaseKey.run(parseArguments(releaseKey, args, {}), {
    json: false,
    print: (line) => said.push(line),
  });
  return { result: result as { file: string; public_key: string }, said: said.join('\n') };
};

test('a release key is created once, readable by its owner only, and can sign packages', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'key.pem');
  const { result, said } = await make(file);
  assert.deepEqual([result.file, publisherFrom(file, {})!.publicKey], [file, result.public_key]);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(said.includes(result.public_key) && said.includes('--release-key'));
  const pem = readFileSync(file, 'utf8');
  assert.ok(!said.includes(pem.split('\n')[1]!), 'the key itself is not said');
  await assert.rejects(make(file), CommandFailed);
  assert.equal(readFileSync(file, 'utf8'), pem, 'and is never replaced');
  assert.notEqual((await make(join(folder, 'other.pem'))).result.public_key, result.public_key);
});

test('no key is created without a file name, in a missing folder, or over an existing file', async (t) => {
  const folder = tempFolder(t);
  await assert.rejects(make(), WrongUse);
  await assert.rejects(make(join(folder, 'none', 'key.pem')), CommandFailed);
  writeFileSync(join(folder, 'something'), 'else');
  await assert.rejects(make(join(folder, 'something')), CommandFailed);
  assert.deepEqual([readdirSync(folder), existsSync(join(folder, 'none'))], [['something'], false]);
});
