#!/usr/bin/env node
/** `vitrine <command>`: finds Node 24, as `npm start` does, and becomes the command line of server/cli. Plain JavaScript for Node 20. */
import { join } from 'node:path';
import { become } from './become.mjs';
import { ensureBuilt } from './browser-parts.mjs';
import { command, ensureInstalled, root } from './install.mjs';

/** Programs that show pages to browsers; commands show none. */
const PAGES = { serve: ['player', 'admin'], player: ['screen'] };

await command(async () => {
  const args = process.argv.slice(2);
  const node = await ensureInstalled();
  const wanted = Object.hasOwn(PAGES, args[0] ?? '') ? PAGES[args[0]] : undefined;
  if (wanted && !args.some((option) => ['--help', '-h', '--version', '-v'].includes(option))) await ensureBuilt(node, { wanted });
  await become(node, [join(root, 'server/cli/main.ts'), ...args]);
});
