/** `npm run build`: builds what browsers load, stale or not. */
import { ensureBuilt } from './browser-parts.mjs';
import { command, ensureInstalled } from './install.mjs';

await command(async () => ensureBuilt(await ensureInstalled(), { force: true }));
