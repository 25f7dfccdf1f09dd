/** `npm start [-- options]` and `npm run player [-- options]`, on a fresh clone too. */
import { become } from './become.mjs';
import { ensureBuilt } from './browser-parts.mjs';
import { command, ensureInstalled } from './install.mjs';
import { programFor } from './programs.mjs';

const isPlayer = process.argv[2] === '--player';
const options = process.argv.slice(isPlayer ? 3 : 2);
const onlyAsks = options.some((option) => ['--help', '-h', '--version'].includes(option));

await command(async () => {
  const node = await ensureInstalled();
  const pages = onlyAsks ? undefined : ensureBuilt(node, { wanted: isPlayer ? ['screen'] : ['screen', 'player', 'admin'] });
  const [program] = await Promise.all([programFor(node, isPlayer ? 'player' : 'server'), pages]);
  await become(node, [program, ...options]);
});
