/**
 * Watcher that the Windows task scheduler starts (server/service/windows-task.ts): restarts the server, which is its
 * child process, and stops the server gracefully when an administrator requests this through a pipe. If the watcher is
 * killed, the server notices that its parent is gone and ends.
 */
import { appendFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { KeptServer, realTiming } from '../server/desktop/kept-server.ts';
import { ROOT } from '../server/kernel/place.ts';
import { STOP_PIPE } from '../server/service/windows-task.ts';
import { entryFile } from '../shared/desktop/entries.ts';
import { startIn } from './desktop/programs.ts';

const MAX_LOG_BYTES = 1024 * 1024;

const { values } = parseArgs({
  options: { port: { type: 'string' }, data: { type: 'string' }, note: { type: 'string' }, pipe: { type: 'string' } },
});
const { port = '8710', data, note, pipe = STOP_PIPE } = values;
if (data === undefined) {
  process.stderr.write('Say where the store is: --data DIR\n');
  process.exit(2);
}

/**
 * Writes early output of the server into a file, before the server can write its own log, because the scheduler
 * keeps no output.
 */
const keep = (line: string): void => {
  const file = join(data, 'logs', 'service.log');
  try {
    mkdirSync(dirname(file), { recursive: true });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) rmSync(file);
    appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
  } catch {
    // A failure here is ignored, because the output may be about a full disk.
  }
};

const server = new KeptServer({
  start: startIn({ node: process.execPath, programs: ROOT }),
  script: entryFile('server/main', import.meta.filename),
  args: () => ['--port', port, '--data', data],
  env: { NODE_ENV: 'production', VITRINE_SERVICE_NOTE: note },
  timing: realTiming,
  changed: (phase) => keep(`The server: ${phase}`),
  hear: () => {},
  neverRan: keep,
});

const end = async (): Promise<void> => {
  await server.stop();
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
const ear = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => void end());
});
// Opening the pipe fails while another watcher is running. The error is only logged: the server then fails at the lock
// of the data folder, and this watcher starts it again later.
ear.on('error', (error) => keep(error.message));
ear.listen(pipe);
server.start();
