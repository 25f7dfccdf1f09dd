import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Program } from '../../shared/desktop/program.ts';
import type { ProgramSays } from '../../shared/protocol/shell.ts';
import { placesIn, startIn } from './programs.ts';

const SHELL = new URL('../../shared/protocol/shell.ts', import.meta.url).href;

/** A program that exchanges messages with the desktop program, as server and agent do. */
const start = (t: TestContext, code = '', env: Readonly<Record<string, string | undefined>> = {}) => {
  const programs = mkdtempSync(join(tmpdir(), 'vitrine-'));
  writeFileSync(
    join(programs, 'program.ts'),
    `import { shellOf } from '${SHELL}';
    const shell = shellOf(process);
    setInterval(() => {}, 1000);
    shell.listen(({ type }) => process.exit(type === 'stop' ? 7 : 8));
    shell.send({ type: 'screen', url: [process.argv[2], process.env.A, process.env.HOME].join(' ') });
    ${code}`,
  );
  const heard: ProgramSays[] = [];
  let complaint = '';
  let hearFirst = () => {};
  const first = new Promise<void>((resolve) => (hearFirst = resolve));
  const program: Program = startIn({ node: process.execPath, programs })({
    script: 'program.ts',
    args: ['a b'],
    env,
    hear: (message) => {
      heard.push(message);
      hearFirst();
    },
    complains: (text) => (complaint += text),
  });
  t.after(() => {
    program.kill();
    rmSync(programs, { recursive: true, force: true });
  });
  return { program, heard, first, complaint: () => complaint };
};

test('a program gets its arguments and environment, sends messages, and stops on request', async (t) => {
  const { program, heard, first } = start(t, "shell.send({ type: 'nonsense' });", { A: 'a', HOME: undefined });
  await first;
  assert.deepEqual(heard, [{ type: 'screen', url: 'a b a ' }]);
  program.send({ type: 'stop' });
  assert.equal(await program.ended, 7);
  program.send({ type: 'stop' });
});

test('stderr of a program is reported, and a hanging program is killed', async (t) => {
  const { program, first, complaint } = start(t, "console.error('no disk'); for (;;);");
  await first;
  program.send({ type: 'stop' });
  while (!complaint().includes('no disk')) await new Promise((resolve) => setTimeout(resolve, 10));
  program.kill();
  assert.equal(await program.ended, null);
});

test('a program that cannot be started reports its end and the reason', async () => {
  const said: string[] = [];
  const program = startIn({ node: join(tmpdir(), 'no-node-here'), programs: '/' })({
    script: 'x.js',
    args: [],
    hear: () => {},
    complains: (text) => said.push(text),
  });
  assert.equal(await program.ended, null);
  assert.match(said.join(), /ENOENT/);
});

test('Node and the programs are beside Electron’s archive', () => {
  assert.equal(placesIn('/opt/Vitrine/resources', 'linux').node, join('/opt/Vitrine/resources/node/node'));
  assert.match(placesIn('/r', 'win32').node, /node\.exe$/);
});
