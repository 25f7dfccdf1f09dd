/** `npm run build`: builds what runs and what browsers load, stale or not. */
import { ensureBuilt } from './ensure-built.mjs';
import { command, ensureInstalled } from './install.mjs';

await command(async () => ensureBuilt(await ensureInstalled(), { force: true }));
