/** `npm run build`: builds the programs and pages, even if they are up to date. */
import { ensureBuilt } from './ensure-built.mjs';
import { command, ensureInstalled } from './install.mjs';

await command(async () => ensureBuilt(await ensureInstalled(), { force: true }));
