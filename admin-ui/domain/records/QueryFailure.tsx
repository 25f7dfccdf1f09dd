import type { UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Empty } from '../../components/frame/Page.tsx';
import brokenDrawing from '../../drawings/broken.svg?raw';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import { useTryAgain } from '../saving/useTryAgain.ts';

type QueryFailureProps = {
  query: { error: unknown; refetch: () => unknown };
  /** Buttons for a record that no longer exists, where a retry is useless. */
  whenGone?: ReactNode;
};

/** Shown in place of content that could not be loaded, with a button to retry. */
export function QueryFailure({ query, whenGone }: QueryFailureProps) {
  const { t } = useTranslation();
  useTryAgain(query.error, () => void query.refetch());
  const { text, detail } = describeProblem(query.error, t);
  if (query.error instanceof ApiError && query.error.status === 404)
    return <Empty drawing={nothingFoundDrawing} title={text} actions={whenGone} />;
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

type UnansweredProps = Pick<QueryFailureProps, 'whenGone'> & {
  query: Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'refetch'>;
  bones?: ReactNode;
};

/** Shown in place of missing content: placeholders while loading, then the reason of the failure. */
export function Unanswered({ query, bones, whenGone }: UnansweredProps) {
  if (query.data !== undefined) return null;
  return query.isError ? <QueryFailure query={query} whenGone={whenGone} /> : bones;
}
