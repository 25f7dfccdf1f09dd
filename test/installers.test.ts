/**
 * Checks that `npm run try -- --install` uses options that each installer has, and knows the folders that each
 * installer writes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { placesIn } from '../build/desktop/programs.ts';
import { servicePlaces } from '../server/service/places.ts';
import { valuesInEnvironment, valuesInLine } from '../shared/desktop/install-values.ts';
import { installerOf } from './try/installers.ts';

const SERVER = 'http://127.0.0.1:4711';
const root = join(import.meta.dirname, '..');
const builder = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
  readonly productName: string;
} & Record<string, { readonly target: readonly string[] }>;

for (const [platform, key] of [
  ['linux', 'linux'],
  ['win32', 'win'],
  ['darwin', 'mac'],
] as const)
  test(`installer of ${platform} installs a screen of a server, turns it into a server, and uninstalls it`, () => {
    const system = installerOf(platform)!;
    assert.ok(builder[key]!.target.includes(system.form));
    const runs = system.install('FILE', SERVER);
    assert.ok(runs.some(({ program, args }) => program === 'FILE' || args.includes('FILE')));
    const words = runs.flatMap(({ args }) => args);
    const environment = Object.fromEntries(
      words.filter((word) => word.startsWith('VITRINE_')).map((word) => word.split(/=(.*)/s, 2)),
    );
    const said = { ...valuesInLine(words.join(' ')).values, ...valuesInEnvironment(environment).values };
    assert.deepEqual(said, { role: 'player', server: SERVER });
    assert.deepEqual(valuesInLine(system.becomeServer.args.join(' ')).values, { role: 'server' });
    // The commands name our programs by their paths, so they need no shell.
    const { programs, node } = placesIn(system.resources, platform);
    const slashes = (path: string) => path.replaceAll('\\', '/');
    const started = [system.becomeServer.program, ...system.becomeServer.args].map(slashes);
    assert.ok(
      started.some((word) => [`${slashes(programs)}/vitrine`, slashes(node)].includes(word)),
      started.join(' '),
    );
    assert.ok(system.resources.startsWith(system.folder) && system.folder.includes(builder.productName));
    assert.equal(system.data, servicePlaces({ platform, env: { ProgramData: 'C:\\ProgramData' } }).data);
    assert.ok(system.remove.length > 0);
  });

test('systems other than Linux, Windows and macOS have no installer', () =>
  assert.equal(installerOf('freebsd'), undefined));
