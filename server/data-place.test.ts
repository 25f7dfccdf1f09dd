import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommandLine } from './config.ts';
import { dataFolderIn } from './data-place.ts';

test('data-place.ts and the configuration find the same data folder', () => {
  const lines = [
    [],
    ['--data', '/a'],
    ['--data=/a b'],
    ['--port', '1', '--data', '/a', '--data=/b', '--no-discovery'],
    ['--data=/b', '--data', '/a'],
  ];
  for (const args of lines)
    for (const env of [{}, { VITRINE_DATA: '/c' }, { VITRINE_DATA: '' }]) {
      const command = parseCommandLine(args, env);
      assert.equal(
        dataFolderIn(args, env),
        command.kind === 'serve' && command.config.data,
        JSON.stringify([args, env]),
      );
    }
  assert.equal(dataFolderIn(['--data'], { VITRINE_DATA: '/c' }), '/c');
});
