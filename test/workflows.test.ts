/**
 * Checks the CI workflows of the repository: each step runs a script of this repository with valid options, so that the
 * step can run anywhere.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
/** The job that reads the release key. It runs in an environment that a maintainer must approve. */
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

const files = readdirSync(FOLDER).sort();
const workflows = files.map((file) => Workflow.parse(parse(readFileSync(join(FOLDER, file), 'utf8'))));
const jobs = workflows.flatMap(({ jobs }) => Object.values(jobs));
const building = jobs.flatMap((job) => ('strategy' in job ? [job] : []));
const signing = jobs.flatMap((job) => ('environment' in job ? [job] : []));
const steps = jobs.flatMap(({ steps }) => steps);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

test('each step runs a script of this repository, or is one of the few steps that transfer files', () => {
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

test('tests run on each system, and packages are made on each system and processor for which they exist', () => {
  assert.deepEqual(
    building.map(({ strategy }) => strategy.matrix.machine),
    [
      ['ubuntu-24.04', 'ubuntu-24.04-arm', 'windows-2025', 'macos-15'],
      ['ubuntu-24.04', 'windows-2025', 'macos-15'],
    ],
    files.join(', '),
  );
});

test('only one step of the signing job reads the release key, and the signing job installs nothing', () => {
  const knowing = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
  assert.deepEqual(
    knowing.map((step) => 'run' in step && step.run),
    ['npm run sign'],
  );
  assert.equal(signing.length, 1);
  const [job] = signing;
  assert.deepEqual(
    job!.steps.flatMap((step) => ('run' in step ? [step.run] : [])),
    ['npm run sign'],
  );
  assert.ok(job!.steps.includes(knowing[0]!));
  for (const { steps } of building) assert.doesNotMatch(JSON.stringify(steps), /secrets[.]|VITRINE_RELEASE_KEY/);
});

test('npm run sign starts no other program', () => {
  assert.equal(scripts['sign'], 'node build/sign.mjs');
  for (const hook of ['presign', 'postsign']) assert.equal(scripts[hook], undefined);
});

test('the signing script and every file that it imports load only modules of Node and of this repository', () => {
  const loaded = new Set<string>();
  const foreign: string[] = [];
  const walk = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(root, file), 'utf8');
    assert.doesNotMatch(text, /\bimport\(|\brequire\(|child_process|worker_threads/, file);
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|^import) '([^']+)';$/gm))
      if (name.startsWith('.')) walk(relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'));
      else if (!name.startsWith('node:')) foreign.push(`${file}: ${name}`);
  };
  walk('build/sign.mjs');
  assert.deepEqual(foreign, []);
  assert.deepEqual([...loaded].sort(), [
    'build/release-signing.ts',
    'build/sign.mjs',
    'shared/protocol/releases/release-format.ts',
  ]);
});

const Field = z.strictObject({
  type: z.enum(['input', 'textarea']),
  id: z.string(),
  attributes: z.strictObject({
    label: z.string(),
    description: z.string().optional(),
    render: z.literal('text').optional(),
  }),
  validations: z.strictObject({ required: z.literal(true) }).optional(),
});
const IssueForm = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()).length(1),
  body: z.array(Field).min(1),
});

test('every issue form has the fields that GitHub reads, and unique ids', () => {
  const folder = join(root, '.github', 'ISSUE_TEMPLATE');
  for (const file of readdirSync(folder).filter((name) => name !== 'config.yml')) {
    const { body } = IssueForm.parse(parse(readFileSync(join(folder, file), 'utf8')));
    assert.equal(new Set(body.map(({ id }) => id)).size, body.length, file);
  }
});

test('the development container has the Node version that Vitrine is built with', () => {
  const container = readFileSync(join(root, '.devcontainer', 'devcontainer.json'), 'utf8');
  const { image } = z.looseObject({ image: z.string() }).parse(JSON.parse(container));
  const { devDependencies } = z
    .looseObject({ devDependencies: z.looseObject({ node: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  assert.equal(image, `node:${devDependencies.node}-bookworm`);
});
