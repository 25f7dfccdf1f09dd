import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { useEdit } from '../../api/editing/useEdit.ts';

type Answer<R> = { data: R; etag: string | undefined };

type Save<R> = {
  topics: readonly Topic[];
  draft: { forget: () => void };
  run: () => Promise<Answer<R>>;
  /** Cache key of the record, and the answer in the form of the cache. */
  queryKey: QueryKey;
  cached: (answer: Answer<R>) => unknown;
  /** Message that is shown after saving. */
  saved: string;
  /** Called when the server refuses the save. Returns true if a field shows the error. */
  refused?: (error: ApiError) => boolean;
};

/** Saves a record that is edited as a whole. */
export const useSave = <R>({ topics, draft, run, queryKey, cached, saved, refused }: Save<R>) => {
  const queries = useQueryClient();
  return useEdit<void, Answer<R>>({
    topics,
    run,
    said: () => saved,
    done: (answer) => {
      queries.setQueryData(queryKey, cached(answer));
      draft.forget();
    },
    failed: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (error.status !== 412) return refused?.(error) ?? false;
      // Fetches the new version, so that the page shows the conflict.
      void queries.invalidateQueries({ queryKey });
      return true;
    },
  });
};
