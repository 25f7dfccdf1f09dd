/**
 * Sends requests of a program to its shell, and matches the answers by the number of the request. Some requests may get
 * no answer.
 */
import type { ProgramSays, Shell, ShellSays } from '../../shared/protocol/shell.ts';

type Answers = Extract<ShellSays, { id: number }>;
type Answer<T extends Answers['type']> = Extract<Answers, { type: T }>;

/** @param limitMs time limit; after it the answer is undefined */
export const questionsTo = <T extends Answers['type']>(
  shell: Shell,
  type: T,
  limitMs: number,
): ((ask: (id: number) => ProgramSays) => Promise<Answer<T> | undefined>) => {
  const waiting = new Map<number, (answer: Answer<T>) => void>();
  let last = 0;
  shell.listen((message) => {
    if (message.type === type) waiting.get((message as Answer<T>).id)?.(message as Answer<T>);
  });
  return (ask) => {
    const id = ++last;
    return new Promise((done) => {
      const finish = (answer: Answer<T> | undefined) => {
        clearTimeout(timer);
        waiting.delete(id);
        done(answer);
      };
      const timer = setTimeout(() => finish(undefined), limitMs);
      waiting.set(id, finish);
      shell.send(ask(id));
    });
  };
};
