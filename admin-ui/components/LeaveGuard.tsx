import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './Dialog.tsx';
import { isLeaving } from './leaving.ts';

/** Asks before unsaved changes are lost by following a link, by going back, or by closing the browser window. */
export function LeaveGuard({ when }: { when: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when && !isLeaving(),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('draft.leaveAsk')}
      confirm={t('draft.leave')}
      danger
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>{t('draft.leaveEffects')}</p>
    </ConfirmDialog>
  );
}
