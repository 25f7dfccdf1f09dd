/** `node build/run.mjs file.ts [options]`: runs a TypeScript file of this repository with Node 24. */
import { become } from './become.mjs';
import { command, ensureInstalled, Sentence } from './install.mjs';

await command(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0) throw new Sentence('Say which file to run: node build/run.mjs file.ts [options]');
  await become(await ensureInstalled(), args);
});
