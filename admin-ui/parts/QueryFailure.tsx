import type { UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { Empty } from '../components/Page.tsx';
import { describeProblem } from '../data/useProblem.ts';
import brokenDrawing from '../drawings/broken.svg?raw';
import { useTryAgain } from './useTryAgain.ts';

/** Stands in place of what could not be loaded, and asks for it again. */
export function QueryFailure({ query }: { query: { error: unknown; refetch: () => unknown } }) {
  const { t } = useTranslation();
  useTryAgain(query.error, () => void query.refetch());
  const { text, detail } = describeProblem(query.error, t);
  return (
    <Empty
      drawing={brokenDrawing}
      title={text}
      actions={
        <Button icon={RefreshCw} onPress={() => void query.refetch()}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {detail ?? t('app.failureHelp')}
    </Empty>
  );
}

type UnansweredProps = { query: Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'refetch'>; bones?: ReactNode };

/** Stands in place of an answer: shows bones while it is on its way, then why it did not come. */
export function Unanswered({ query, bones }: UnansweredProps) {
  if (query.data !== undefined) return null;
  return query.isError ? <QueryFailure query={query} /> : bones;
}
