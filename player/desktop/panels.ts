/**
 * Panel control for several screens on one computer, where a switch affects all panels. The panels go off when the last
 * screen wants them off, and on when the first screen wants them on. Until then a screen that is off shows black.
 */
import type { Shell } from '../../shared/protocol/shell.ts';
import { questionsTo } from './shell-questions.ts';

const LIMIT_MS = 2_000;

/**
 * The state (on or off) that each screen wants, by the number of the screen. Used in the desktop shell. A screen
 * without a request, or whose program has ended, wants to be on.
 */
export class PanelStates {
  readonly #off = new Set<number>();

  /** @param places all screens of this computer. @returns true if the panels should be on */
  wantsPanelsOn(place: number, on: boolean, places: readonly number[]): boolean {
    if (on) this.#off.delete(place);
    else this.#off.add(place);
    return places.some((each) => !this.#off.has(each));
  }
}

/**
 * Used in the agent: returns a function that asks the shell whether the panels may take the state that this screen
 * wants. If the shell does not answer, they may.
 */
export const panelsOf = (shell: Shell): ((on: boolean) => Promise<boolean>) => {
  const ask = questionsTo(shell, 'panel', LIMIT_MS);
  return async (on) => ((await ask((id) => ({ type: 'panel', id, on })))?.on ?? on) === on;
};
