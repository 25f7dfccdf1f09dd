import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  deletesData,
  fileOf,
  firstSaid,
  INSTALL_VALUES,
  installFile,
  readValues,
  valuesInEnvironment,
  valuesInFile,
  valuesInLine,
  variablesOf,
} from './install-values.ts';

const FILE = '/etc/vitrine/install.json';

test('typed server addresses and screen codes are converted to their standard form', () => {
  assert.deepEqual(readValues({ role: 'player', server: '192.168.1.10', code: 'acd 349-xy' }, 'here'), {
    values: { role: 'player', server: 'http://192.168.1.10:8710', code: 'ACD349XY' },
    wrong: [],
  });
});

test('installation values that are empty, null or undefined count as absent', () => {
  assert.deepEqual(readValues({ role: '', server: null, code: undefined }, 'here'), { values: {}, wrong: [] });
});

test('invalid installation value is left out, and the error names the value and the expected form', () => {
  const { values, wrong } = readValues(
    { role: 'king', server: 'http://', code: 'LOOKALIKE', other: 7 },
    'on the command line',
  );
  assert.deepEqual(values, {});
  assert.deepEqual(
    wrong.map((sentence) => /^(\w+) on the command line must be .+, not "/.exec(sentence)?.[1]),
    ['role', 'server', 'code'],
  );
  assert.match(
    readValues({ role: ['player'] }, 'in it').wrong.join(),
    /^role in it must be server, player or both, not \["player"\]\.$/,
  );
});

test('command line of an installer may contain other options', () => {
  const { values, wrong } = valuesInLine(
    '/S --role=player "--server=http://store one:8710" --server="my-store.lan:80" --code=ABCDEF --updated /D=C:\\Program Files\\X --role=nothing',
  );
  assert.deepEqual([values.role, values.code, wrong.length], ['player', undefined, 2]);
  assert.equal(valuesInLine('/S --server="my-store.lan:80"').values.server, 'http://my-store.lan');
  assert.deepEqual(valuesInLine('/S /D=C:\\a--role=player'), { values: {}, wrong: [] });
  assert.deepEqual(
    [deletesData('/allusers /S --delete-data'), deletesData('/S --delete-database'), deletesData('')],
    [true, false, false],
  );
});

test('reading the file of installation values accepts a missing file and a byte order mark, and reports damage', () => {
  assert.deepEqual(valuesInFile(undefined, FILE), { values: {}, wrong: [] });
  for (const text of ['', '{', '[]', '"player"', 'null'])
    assert.match(valuesInFile(text, FILE).wrong.join(), /install\.json cannot be read/, text);
  assert.equal(valuesInFile('\uFEFF{"role":"both"}', FILE).values.role, 'both');
  assert.match(
    valuesInFile('{"role":"king","code":"ACD349"}', FILE).wrong.join(),
    /^role in \/etc\/vitrine\/install\.json must be/,
  );
  const values = { role: 'player', server: 'http://10.0.0.5:8710', code: 'ACD349' } as const;
  assert.deepEqual(valuesInFile(fileOf(values), FILE), { values, wrong: [] });
});

test('if several sources contain a value, the first source counts, and errors of all sources are reported', () => {
  const said = firstSaid([
    readValues({ role: 'both' }, 'a'),
    valuesInEnvironment({ VITRINE_ROLE: 'server', VITRINE_SERVER: '10.0.0.5', VITRINE_CODE: '?' }),
    valuesInFile('{"role":"player"}', FILE),
  ]);
  assert.deepEqual([said.values, said.wrong.length], [{ role: 'both', server: 'http://10.0.0.5:8710' }, 1]);
});

test('started programs get the values except the role in environment variables', () => {
  assert.deepEqual(variablesOf({ role: 'player', server: 'http://a:1', code: 'ACD349' }), {
    VITRINE_SERVER: 'http://a:1',
    VITRINE_CODE: 'ACD349',
  });
  assert.deepEqual(variablesOf({ role: 'server' }), {});
});

test('each operating system has its own path for the file of installation values', () => {
  assert.equal(installFile('win32', { ProgramData: 'D:\\Data' }), 'D:\\Data\\Vitrine\\install.json');
  assert.equal(installFile('linux', {}), FILE);
  assert.match(installFile('darwin', {}), /^\/Library\//);
});

test('each installer asks for each installation value', () => {
  const linux = join(import.meta.dirname, '../../build/installer/linux');
  const read = (file: string) => readFileSync(join(linux, file), 'utf8');
  for (const { name, variable } of INSTALL_VALUES) {
    assert.match(read('debconf-templates'), new RegExp(`^Template: vitrine/${name}$`, 'm'));
    assert.match(read('debconf-config.sh'), new RegExp(`vitrine/${name}\\b`));
    assert.match(read('after-install.sh'), new RegExp(`"--${name}=\\$${name}"`));
    assert.match(read('after-install.sh'), new RegExp(`\\$${variable}\\b`));
  }
});
