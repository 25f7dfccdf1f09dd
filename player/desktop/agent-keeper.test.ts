import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startIn } from '../../build/desktop/programs.ts';
import type { StartProgram } from '../../shared/desktop/program.ts';
import type { ProgramSays } from '../../shared/protocol/shell.ts';
import { MemoryLog } from '../core/testing/fakes.ts';
import { AgentKeeper } from './agent-keeper.ts';
import { PretendTime } from './testing/pretend-time.ts';

const SAYS_PID = `data:text/javascript,process.stderr.write('pid ' + process.pid + '.')`;
const skip = process.platform === 'win32' && 'Windows stops no process for a while';

test('agent that stops answering is killed and replaced, and at a stop the running agent may end by itself', {
  skip,
  timeout: 30_000,
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const [time, log] = [new PretendTime(), new MemoryLog()];
  const pids: number[] = [];
  const codes: (number | null)[] = [];
  let listener: (type: ProgramSays['type'] | 'ended') => void = () => {};
  const next = (type: ProgramSays['type'] | 'ended') =>
    new Promise<void>((resolve) => (listener = (heard) => heard === type && resolve()));
  const startReal = startIn({ node: process.execPath, programs: join(import.meta.dirname, '..', '..') });
  const start: StartProgram = (options) => {
    const program = startReal({
      ...options,
      // Path of the agent's main file in the sources.
      script: 'player/main.ts',
      env: { ...options.env, NODE_OPTIONS: `--import=${encodeURI(SAYS_PID)}`, VITRINE_SERVER: 'http://127.0.0.1:9' },
      complains: (text) => pids.push(...[...text.matchAll(/pid (\d+)\./g)].map(([, pid]) => Number(pid))),
      hear: (message) => {
        options.hear(message);
        listener(message.type);
      },
    });
    void program.ended.then((code) => codes.push(code));
    return program;
  };
  const first = next('screen');
  const keeper = new AgentKeeper(
    { time, log, start },
    { data, updates: undefined, onUpdate: () => {}, hear: () => {}, ended: () => listener('ended') },
  );
  t.after(async () => {
    const stopped = keeper.stop();
    await time.advance(10_000);
    await stopped;
    rmSync(data, { recursive: true, force: true });
  });
  await first;
  const answer = next('alive');
  keeper.check();
  await answer;

  const ended = next('ended');
  process.kill(pids[0]!, 'SIGSTOP');
  for (let look = 0; look < 7; look++) keeper.check();
  await ended;
  const second = next('screen');
  await time.advance(500);
  await second;
  await keeper.stop();
  assert.deepEqual([codes, pids.length], [[null, 0], 2]);
});
