/**
 * Sends the server's state to the desktop program that started it, if there is one, for its tray icon. Handles the
 * request of the desktop program to stop.
 */
import type { Shell } from '../../shared/protocol/shell.ts';

const LOOK_EVERY_MS = 3_000;

export interface Served {
  readonly port: number;
  readonly addresses: readonly string[];
  readonly screens: () => { readonly online: number; readonly total: number };
}

export const obeyShell = (shell: Shell, stop: () => void): void =>
  shell.listen(({ type }) => {
    if (type === 'stop') stop();
  });

/** Reports to the desktop program once the server answers requests. */
export const reportToShell = (shell: Shell, { port, addresses, screens }: Served): void => {
  shell.send({ type: 'serving', port, addresses: [...addresses] });
  let said = '';
  const look = () => {
    const now = screens();
    const text = JSON.stringify(now);
    if (text === said) return;
    said = text;
    shell.send({ type: 'screens', ...now });
  };
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
};
