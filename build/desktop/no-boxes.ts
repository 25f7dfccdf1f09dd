/**
 * Prevents Electron's error dialog for uncaught errors in the main process, which the public would see on a screen
 * (electron: lib/browser/init.ts). Must be the first import of main.ts.
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
  // Exits without a message to the launcher, so that the launcher restarts the screen.
  if (!goesOnAfterError(role)) app.exit(CRASHED_CODE);
});

process.on('unhandledRejection', (error) => console.warn('something failed that nobody waits for', error));
