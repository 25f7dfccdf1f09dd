/**
 * Replaces Electron's windows under the real launcher if Electron is missing: shows the screen in a headless system
 * browser, and sends its launcher the same messages as the windows (shared/protocol/releases/launcher.ts). Runs with the Node of
 * the package.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const ALIVE_EVERY_MS = 5_000;
/** Exit code of player/main.js that asks for a restart with a prepared version. */
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
