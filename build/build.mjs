/** `npm run build`: builds what browsers load, stale or not, and the bundle that `npm start` runs while nothing is edited. */
import { ensureBuilt } from './browser-parts.mjs';
import { command, ensureInstalled } from './install.mjs';
import { programFor } from './programs.mjs';

await command(async () => {
  const node = await ensureInstalled();
  await Promise.all([ensureBuilt(node, { force: true }), programFor(node, 'server', { force: true })]);
});
