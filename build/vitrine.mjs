#!/usr/bin/env node
/**
 * `vitrine <command>`: finds Node 24 in the same way as `npm start`, and runs the command line of server/cli. Plain
 * JavaScript for Node 20.
 */
import { become } from './become.mjs';
import { ensureBuilt, program } from './ensure-built.mjs';
import { command, ensureInstalled } from './install.mjs';

/** Web pages are built only for programs that serve them. Commands need none. */
const PAGES = { serve: ['player', 'admin', 'pages'], player: ['screen'] };

await command(async () => {
  const args = process.argv.slice(2);
  const node = await ensureInstalled();
  const onlyAsks = args.some((option) => ['--help', '-h', '--version', '-v'].includes(option));
  const pages = !onlyAsks && Object.hasOwn(PAGES, args[0] ?? '') ? PAGES[args[0]] : [];
  await ensureBuilt(node, { wanted: ['programs', ...pages] });
  await become(node, [program('server-cli-main'), ...args]);
});
