import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../controls/Dialog.tsx';
import { isLeaving } from './leaving.ts';

/** Asks for confirmation before unsaved changes are lost by a link, by the Back button, or by closing the window. */
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
