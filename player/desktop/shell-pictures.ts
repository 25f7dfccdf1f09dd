/** Pictures of the shell's window for the agent beneath it, which has none of its own. */
import type { Shell } from '../../shared/protocol/shell.ts';
import type { Shot } from '../core/ports.ts';

const LIMIT_MS = 5_000;

export const picturesOf = (shell: Shell): (() => Promise<Shot>) => {
  const waiting = new Map<number, (shot: Shot) => void>();
  let last = 0;
  shell.hear((message) => {
    if (message.type !== 'picture') return;
    waiting.get(message.id)?.(message.data === null ? { error: 'the window could not be pictured' } : { mime: 'image/jpeg', data: message.data });
  });
  return () => {
    const id = ++last;
    return new Promise((done) => {
      const finish = (shot: Shot) => {
        clearTimeout(timer);
        waiting.delete(id);
        done(shot);
      };
      const timer = setTimeout(() => finish({ error: 'the window did not answer' }), LIMIT_MS);
      waiting.set(id, finish);
      shell.say({ type: 'shoot', id });
    });
  };
};
