/** Where there is no Electron: what is started for its program, and how that finds its way. */
import { join } from 'node:path';

/** A line of shell in the place of the program: the Node that is packed, with what stands for the windows. */
export const STAND_IN = 'exec "$(dirname "$(readlink -f "$0")")/resources/node/node" "$VITRINE_TRY_STAND_IN"\n';

/** @param work folder for what a screen keeps */
export const standInEnv = (work: string): Readonly<Record<string, string>> => ({
  VITRINE_TRY_STAND_IN: join(import.meta.dirname, 'stand-in.mjs'),
  VITRINE_PLAYER_DATA: join(work, 'player'),
  XDG_CONFIG_HOME: join(work, 'config'),
});
