/**
 * `npm run dev [-- options of the server]`: runs the server from its sources and restarts it at each change. Vite
 * serves the admin window and replaces changed parts in the open web page. The data is in `.vitrine/dev`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import './end-with-parent.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { command, ensureInstalled, root } from './install.mjs';

await command(async () => {
  const node = await ensureInstalled();
  await ensureBuilt(node, { wanted: ['screen', 'player', 'pages'] });
  const env = { ...process.env, VITRINE_PORT: process.env.VITRINE_PORT || '8710' };
  const data = join(root, '.vitrine', 'dev');
  const start = (args, more = {}) => spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...env, ...more } });
  const children = [
    start(['--watch', '--watch-preserve-output', 'server/main.ts', '--data', data, ...process.argv.slice(2)]),
    start(['node_modules/vite/bin/vite.js', 'admin-ui'], {
      VITRINE_DEV_SERVER: `http://127.0.0.1:${env.VITRINE_PORT}`,
    }),
  ];
  const end = () => {
    for (const child of children) child.kill('SIGTERM');
  };
  process.on('SIGTERM', end);
  // A terminal sends Ctrl-C to the children as well.
  process.on('SIGINT', () => {});
  for (const child of children) child.on('exit', end);
});
