/** Requests pictures of the shell's window. The agent uses this, because it has no window itself. */
import type { Shell } from '../../shared/protocol/shell.ts';
import type { Shot } from '../core/ports.ts';
import { questionsTo } from './shell-questions.ts';

const LIMIT_MS = 5_000;

export const picturesOf = (shell: Shell): (() => Promise<Shot>) => {
  const ask = questionsTo(shell, 'picture', LIMIT_MS);
  return async () => {
    const answer = await ask((id) => ({ type: 'shoot', id }));
    if (!answer) return { error: 'the window did not answer' };
    return answer.data === null
      ? { error: 'the window could not be pictured' }
      : { mime: 'image/jpeg', data: answer.data };
  };
};
