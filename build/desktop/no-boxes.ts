/**
 * Electron shows a box to the public for what nobody has caught in its main process, unless somebody listens (electron:
 * lib/browser/init.ts). The first import of main.ts: nothing may come before it.
 */
import { app } from 'electron';
import { keyringUnasked } from '../../player/desktop/window-system.ts';
import type { Role } from '../../shared/desktop/install-values.ts';
import { CRASHED_CODE, goesOnAfterError } from './start-options.ts';

keyringUnasked(app, process.platform);

let role: Role | undefined;
export const roleIs = (known: Role): void => {
  role = known;
};

process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error}\n`);
  // Without a word to the launcher: it starts the screen anew.
  if (!goesOnAfterError(role)) app.exit(CRASHED_CODE);
});

process.on('unhandledRejection', (error) => console.warn('something failed that nobody waits for', error));
