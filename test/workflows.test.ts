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
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      strategy: z.strictObject({
        'fail-fast': z.literal(false),
        matrix: z.strictObject({ machine: z.array(z.string()) }),
      }),
      'runs-on': z.literal(`\${{ matrix.machine }}`),
      'timeout-minutes': z.number().max(60),
      steps: z.array(Step),
    }),
  ),
});

const files = readdirSync(FOLDER).sort();
const workflows = files.map((file) => Workflow.parse(parse(readFileSync(join(FOLDER, file), 'utf8'))));
const jobs = workflows.flatMap(({ jobs }) => Object.values(jobs));
const steps = jobs.flatMap(({ steps }) => steps);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

test('each step is one of our scripts, or of the few that bring and take files', () => {
  const others = steps.flatMap((step) => ('uses' in step ? [step.uses] : []));
  assert.deepEqual(
    others.filter((name) => !/^actions\/(checkout|setup-node|upload-artifact)@v\d+$/.test(name)),
    [],
  );
  const ours = new Set(steps.flatMap((step) => ('run' in step ? [step.run] : [])));
  assert.ok(ours.size >= 4);
  for (const line of ours) {
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
    jobs.map(({ strategy }) => strategy.matrix.machine),
    [
      ['ubuntu-24.04', 'ubuntu-24.04-arm', 'windows-2025', 'macos-15'],
      ['ubuntu-24.04', 'windows-2025', 'macos-15'],
    ],
    files.join(', '),
  );
});

test('what signs is known to the step that packages, and to no other', () => {
  const knowing = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
  assert.deepEqual(
    knowing.map((step) => 'run' in step && step.run),
    ['npm run package'],
  );
});
