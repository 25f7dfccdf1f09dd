import { type MutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Topic } from '../../../shared/protocol/live.ts';
import { type ToastContent, toast } from '../../components/controls/toasts.ts';
import { rootsOf } from '../requests/topics.ts';
import { useProblem } from '../requests/useProblem.ts';
import { ownEdits } from './ownEdits.ts';

export type Edit<V, R> = {
  /**
   * Topics that the edit changes. Cached answers of these topics are fetched again once when the edit is done; the
   * server's announcement of the same change is recognized as an echo.
   */
  topics: readonly Topic[];
  /** Name of a queue: edits with the same name run one after the other, since each edit builds on the edit before. */
  oneAtATime?: string;
  run: (value: V) => Promise<R>;
  done?: (result: R, value: V) => void;
  /** Returns the message that is shown after success. */
  said?: (result: R, value: V) => string | Omit<ToastContent, 'tone'> | undefined;
  /**
   * Called when the edit fails. Returns true if the failure has been handled; otherwise a toast shows the failure.
   */
  failed?: (error: Error, value: V) => boolean | undefined;
};

/** Hook for a change that a user makes: sends the request, refreshes cached answers and shows a message. */
export const useEdit = <V = void, R = unknown>({ topics, oneAtATime, run, done, said, failed }: Edit<V, R>) => {
  const queries = useQueryClient();
  const tell = useProblem();
  const options: MutationOptions<R, Error, V> = {
    ...(oneAtATime !== undefined && { scope: { id: oneAtATime } }),
    mutationFn: async (value) => {
      const end = ownEdits.begin(topics);
      try {
        return await run(value);
      } finally {
        end();
      }
    },
    onSuccess: (result, value) => {
      done?.(result, value);
      const told = said?.(result, value);
      if (told) toast({ tone: 'done', ...(typeof told === 'string' ? { text: told } : told) });
      const roots = new Set(topics.flatMap(rootsOf));
      void queries.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
    },
    onError: (error, value) => {
      if (failed?.(error, value) !== true) tell(error);
    },
  };
  return useMutation(options);
};
