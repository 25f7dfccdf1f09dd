/**
 * Several screens on one computer: what switches its panels switches all of them. So they go off with the last screen
 * that is to be off, and on with the first; until then a screen that is off shows black.
 */
import type { Shell } from '../../shared/protocol/shell.ts';
import { questionsTo } from './shell-questions.ts';

const LIMIT_MS = 2_000;

/**
 * In the shell: what each screen wants, by its place. One that has said nothing, or whose program is gone, wants to be
 * on.
 */
export class PanelWishes {
  readonly #off = new Set<number>();

  /** @param places all screens of this computer. @returns whether its panels are to be on */
  say(place: number, on: boolean, places: readonly number[]): boolean {
    if (on) this.#off.delete(place);
    else this.#off.add(place);
    return places.some((each) => !this.#off.has(each));
  }
}

/**
 * In the agent: whether the panels of the computer may become what its screen wants; they may where the shell does not
 * answer.
 */
export const panelsOf = (shell: Shell): ((on: boolean) => Promise<boolean>) => {
  const ask = questionsTo(shell, 'panel', LIMIT_MS);
  return async (on) => ((await ask((id) => ({ type: 'panel', id, on })))?.on ?? on) === on;
};
