/** `npm start [-- options]` and `npm run player [-- options]`, on a fresh clone too. */
import { join } from 'node:path';
import { become } from './become.mjs';
import { ensureBuilt } from './browser-parts.mjs';
import { command, ensureInstalled, root } from './install.mjs';

const isPlayer = process.argv[2] === '--player';
const options = process.argv.slice(isPlayer ? 3 : 2);
const onlyAsks = options.some((option) => ['--help', '-h', '--version'].includes(option));

await command(async () => {
  const node = await ensureInstalled();
  if (!onlyAsks) await ensureBuilt(node, { wanted: isPlayer ? ['screen'] : ['screen', 'admin'] });
  await become(node, [join(root, isPlayer ? 'player/main.ts' : 'server/main.ts'), ...options]);
});
