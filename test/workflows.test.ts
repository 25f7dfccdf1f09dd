/**
 * What runs where the repository is hosted: each step is a script of ours, with options that it knows, so that it can
 * be run anywhere.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const FOLDER = join(root, '.github', 'workflows');

const Step = z.union([
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()), if: z.string().optional() }),
  z.strictObject({ run: z.string(), env: z.record(z.string(), z.string()).optional() }),
]);
const Building = z.strictObject({
  strategy: z.strictObject({
    'fail-fast': z.literal(false),
    matrix: z.strictObject({ machine: z.array(z.string()) }),
  }),
  'runs-on': z.literal(`\${{ matrix.machine }}`),
  'timeout-minutes': z.number().max(60),
  steps: z.array(Step),
});
/** Reads the key, in an environment that a person of the repository releases. */
const Signing = z.strictObject({
  needs: z.literal('package'),
  if: z.string(),
  environment: z.literal('release'),
  'runs-on': z.literal('ubuntu-24.04'),
  'timeout-minutes': z.number().max(60),
  steps: z.array(Step),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string(), z.union([Building, Signing])),
});

/** Brings packages of the lock file without running any of their scripts. */
const INSTALL = 'npm ci --ignore-scripts';

const files = readdirSync(FOLDER).sort();
const workflows = files.map((file) => Workflow.parse(parse(readFileSync(join(FOLDER, file), 'utf8'))));
const jobs = workflows.flatMap(({ jobs }) => Object.values(jobs));
const building = jobs.flatMap((job) => ('strategy' in job ? [job] : []));
const signing = jobs.flatMap((job) => ('environment' in job ? [job] : []));
const steps = jobs.flatMap(({ steps }) => steps);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

test('each step is one of our scripts, or of the few that bring and take files', () => {
  const others = steps.flatMap((step) => ('uses' in step ? [step.uses] : []));
  assert.deepEqual(
    others.filter(
      (name) => !/^actions\/(checkout|setup-node|upload-artifact|download-artifact)@[0-9a-f]{40}$/.test(name),
    ),
    [],
    'an action is pinned by its commit: a tag can be moved to other code',
  );
  for (const file of files)
    for (const line of readFileSync(join(FOLDER, file), 'utf8')
      .split('\n')
      .filter((text) => text.includes('uses:')))
      assert.match(line, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, 'the version stands beside the commit');
  const ours = new Set(steps.flatMap((step) => ('run' in step ? [step.run] : [])));
  assert.ok(ours.size >= 4);
  for (const line of ours) {
    if (line === INSTALL) continue;
    const [, script = '', , options = ''] = /^npm (?:run )?([\w:]+)( -- (--[a-z-]+))?$/.exec(line) ?? [];
    assert.ok(script in scripts, line);
    if (options === '') continue;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [...scripts[script]!.split(' ').slice(1), '--help'],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`^ +${options} `, 'm'), line);
  }
});

test('tests run on each system, packages are made on a machine of each system and processor that there are packages for', () => {
  assert.deepEqual(
    building.map(({ strategy }) => strategy.matrix.machine),
    [
      ['ubuntu-24.04', 'ubuntu-24.04-arm', 'windows-2025', 'macos-15'],
      ['ubuntu-24.04', 'windows-2025', 'macos-15'],
    ],
    files.join(', '),
  );
});

test('the release key is read by one step of the signing job, where no build and no install script runs', () => {
  const knowing = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
  assert.deepEqual(
    knowing.map((step) => 'run' in step && step.run),
    ['npm run sign'],
  );
  assert.equal(signing.length, 1);
  const [job] = signing;
  assert.deepEqual(
    job!.steps.flatMap((step) => ('run' in step ? [step.run] : [])),
    [INSTALL, 'npm run sign'],
  );
  assert.ok(job!.steps.includes(knowing[0]!));
  for (const { steps } of building) assert.doesNotMatch(JSON.stringify(steps), /secrets[.]|VITRINE_RELEASE_KEY/);
});

test('the signing script starts no program and loads nothing but the signing code', () => {
  const script = readFileSync(join(root, 'build', 'sign.mjs'), 'utf8');
  const loaded = [...script.matchAll(/ from '([^']+)'/g)].map(([, name]) => name);
  assert.deepEqual(loaded, ['node:fs', 'node:path', '../shared/protocol/release-signature.ts', './release-signing.ts']);
});
