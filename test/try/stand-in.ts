/**
 * The replacement for the Electron program if Electron is missing, and the environment variables of the replacement.
 */
import { join } from 'node:path';

/** A line of shell in place of the Electron program: runs the packaged Node with the replacement for the windows. */
export const STAND_IN = 'exec "$(dirname "$(readlink -f "$0")")/resources/node/node" "$VITRINE_TRY_STAND_IN"\n';

/** @param work folder for the data of a screen */
export const standInEnv = (work: string): Readonly<Record<string, string>> => ({
  VITRINE_TRY_STAND_IN: join(import.meta.dirname, 'stand-in.mjs'),
  VITRINE_PLAYER_DATA: join(work, 'player'),
  XDG_CONFIG_HOME: join(work, 'config'),
});
