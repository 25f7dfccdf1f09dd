/**
 * Stands for Electron's windows where there is none, beneath the real launcher: it shows the screen in the system's own
 * browser, without a window, and says to its launcher what the windows say (shared/protocol/launcher.ts). Run by the
 * Node of the package that it stands in.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const ALIVE_EVERY_MS = 5_000;
/** Of player/main.js, for a version that lies ready. */
const RESTART_CODE = 75;

const player = join(dirname(process.execPath), '..', 'vitrine', 'player', 'main.js');
const child = spawn(process.execPath, [player, '--headless'], { stdio: ['ignore', 'inherit', 'inherit'] });
const ending = (how) => process.send({ type: 'ending', how }, () => process.exit(0));

let asked = false;
const alive = () => process.send({ type: 'alive' });
alive();
setInterval(alive, ALIVE_EVERY_MS);
process.on('message', ({ type }) => {
  if (type !== 'stop') return;
  asked = true;
  child.kill('SIGTERM');
});
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('exit', (code) => {
  if (asked) ending('quit');
  else if (code === RESTART_CODE) ending('update');
  else process.exit(1);
});
