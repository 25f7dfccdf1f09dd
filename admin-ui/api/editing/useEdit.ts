import { type MutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Topic } from '../../../shared/protocol/live.ts';
import { type ToastContent, toast } from '../../components/controls/toasts.ts';
import { rootsOf } from '../requests/topics.ts';
import { useProblem } from '../requests/useProblem.ts';
import { ownEdits } from './ownEdits.ts';

export type Edit<V, R> = {
  /**
   * The changed topics. Their cached answers are fetched again when it is done (once: the server's echo is recognized).
   */
  topics: readonly Topic[];
  /** Edits with this name run one after the other, since each builds on the one before. */
  oneAtATime?: string;
  run: (value: V) => Promise<R>;
  done?: (result: R, value: V) => void;
  /** Message after success. */
  said?: (result: R, value: V) => string | Omit<ToastContent, 'tone'> | undefined;
  /** Returns true if it has handled the failure. Otherwise a toast shows it. */
  failed?: (error: Error, value: V) => boolean | undefined;
};

/** A change by the user. */
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
