import { useEffect, useRef } from 'react';
import { useConnection } from '../../api/live/useLive.ts';
import { mayHelp } from '../../api/requests/queryClient.ts';
import { pauseBefore } from './tryAgain.utils.ts';

/**
 * Retries a failed request: after growing delays, and at once when the live connection is back or the page becomes
 * visible. Does not retry if the answer would be the same, as for a deleted record.
 */
export const useTryAgain = (error: unknown, again: () => void): void => {
  const connection = useConnection();
  const tries = useRef(0);
  const latest = useRef(again);
  latest.current = again;
  const helps = error instanceof Error && mayHelp(error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is an error of its own
  useEffect(() => {
    if (!helps) return;
    const once = () => {
      clearTimeout(timer);
      tries.current++;
      latest.current();
    };
    const timer = setTimeout(once, pauseBefore(tries.current));
    const seen = () => document.visibilityState === 'visible' && once();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [error, helps]);
  const before = useRef(connection);
  useEffect(() => {
    const isBack = connection === 'open' && before.current !== 'open';
    before.current = connection;
    if (helps && isBack) latest.current();
  }, [connection, helps]);
};
