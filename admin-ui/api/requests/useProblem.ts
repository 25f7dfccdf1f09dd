import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { toast } from '../../components/controls/toasts.ts';
import { session } from '../session/session.ts';

/** Returns problem and remedy of an error, translated if the error is known, otherwise in the server's words. */
export const describeProblem = (error: unknown, t: TFunction): { text: string; detail?: string } => {
  if (!(error instanceof ApiError)) return { text: t('problem.unknown') };
  if (error.code === 'disk_failing') return { text: t('problem.diskFailing'), detail: error.message };
  const known: Partial<Record<number, string>> = {
    0: t('problem.unreachable'),
    403: t('problem.forbidden'),
    404: t('problem.gone'),
    412: t('problem.changedByOther'),
    413: t('problem.tooLarge'),
    415: t('problem.unknownKind'),
    429: t('problem.tooMany', { count: error.retryAfter ?? 60 }),
    507: t('problem.diskFull'),
  };
  const text = known[error.status];
  if (text === undefined)
    return { text: error.status >= 500 ? t('problem.server') : t('problem.refused'), detail: error.message };
  return error.status === 403 ? { text, detail: error.message } : { text };
};

/** Returns a function that shows a failure in a toast. */
export const useProblem = () => {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      // Shows no toast after the session has ended, because the sign-in dialog covers the page and explains this.
      if (error instanceof ApiError && error.status === 401 && session.lapsed()) return;
      toast({ tone: 'problem', ...describeProblem(error, t) });
    },
    [t],
  );
};
