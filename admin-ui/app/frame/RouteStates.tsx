/** The pages that a route shows without content: loading, failed, not found. Only this file defines them. */

import { useRouter } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { Empty } from '../../components/frame/Page.tsx';
import { tabStore } from '../../components/hooks/browserStore.ts';
import { NotFound } from '../../domain/records/NotFound.tsx';
import { useTryAgain } from '../../domain/saving/useTryAgain.ts';
import brokenDrawing from '../../drawings/broken.svg?raw';
import './RouteStates.css';

const RELOADED = 'vitrine.reloaded';

/** Milliseconds after an automatic reload during which a page is not reloaded automatically again. */
const ONCE_MS = 60_000;

/**
 * Returns whether the code of a page could not be loaded. After an update of the server, the files of the old page are
 * gone. A reload fetches the new files.
 */
const isMissingChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message);

/**
 * Reloads the page if the server answers. While the server is down, this page stays with its message, since a reload
 * would fail.
 */
const reloadWhenThere = ({ asked }: { asked: boolean }) =>
  void fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    (answer) => {
      if (!answer.ok) return;
      // Without a click, reloads only if the browser has stored the time of the reload. Otherwise the page would reload
      // endlessly.
      if (tabStore.setItem(RELOADED, String(Date.now())) || asked) location.reload();
    },
    () => undefined,
  );

/**
 * Returns whether the page may reload automatically. A page that fails again soon after a reload would fail the next
 * time, too.
 */
const mayReload = () => Date.now() - Number(tabStore.getItem(RELOADED)) > ONCE_MS;

export function RouteFailure({ error, reset }: { error: unknown; reset?: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(() => {
    if (isMissingChunk(error) && mayReload()) reloadWhenThere({ asked: false });
  }, [error]);
  const again = (how = { asked: false }) => {
    if (isMissingChunk(error)) return reloadWhenThere(how);
    reset?.();
    void router.invalidate();
  };
  // Retries after a failed request or missing code only. An error in the code of the page would occur again.
  useTryAgain(error instanceof ApiError || (isMissingChunk(error) && mayReload()) ? error : undefined, again);
  const { text, detail } = isMissingChunk(error)
    ? { text: t('problem.unreachable'), detail: undefined }
    : describeProblem(error, t);
  return (
    <div className="route-state">
      <Empty
        drawing={brokenDrawing}
        title={text}
        actions={
          <Button icon={RefreshCw} variant="primary" onPress={() => again({ asked: true })}>
            {t('common.tryAgain')}
          </Button>
        }
      >
        {detail ?? t('app.failureHelp')}
      </Empty>
    </div>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <div className="route-state">
      <NotFound to="/screens" label={t('app.toScreens')} />
    </div>
  );
}

export function RoutePending() {
  const { t } = useTranslation();
  return (
    <div className="route-state" role="status" aria-label={t('common.loading')}>
      <Spinner />
    </div>
  );
}
