/** `npm start [-- options]` and `npm run player [-- options]`. Both also work on a fresh clone. */
import { become } from './become.mjs';
import { ensureBuilt, program } from './ensure-built.mjs';
import { command, ensureInstalled } from './install.mjs';

const isPlayer = process.argv[2] === '--player';
const options = process.argv.slice(isPlayer ? 3 : 2);
const onlyAsks = options.some((option) => ['--help', '-h', '--version'].includes(option));

await command(async () => {
  const node = await ensureInstalled();
  const pages = onlyAsks ? [] : isPlayer ? ['screen'] : ['screen', 'player', 'admin', 'pages'];
  await ensureBuilt(node, { wanted: ['programs', ...pages] });
  await become(node, [program(isPlayer ? 'player-main' : 'server-main'), ...options]);
});
