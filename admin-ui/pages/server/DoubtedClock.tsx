import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ClockState, confirmClock } from '../../../shared/contract/server/upkeep.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ConfirmDialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/**
 * Notice that the server doubts its clock: the present and the expected time, the functions that wait, and a button to
 * confirm the clock.
 */
export function DoubtedClock({ clock: { now, doubt } }: { clock: ClockState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const confirm = useEdit({
    topics: ['settings'],
    run: (id: string) => client.call(confirmClock, { body: { doubt: id } }),
    said: () => t('server.clockConfirmed'),
    done: () => setAsking(false),
  });
  if (!doubt) return null;
  const [is, expected] = [format.dateTime(now), format.dateTime(doubt.expected)];
  return (
    <Notice
      tone="bad"
      title={t('server.problems.clock_doubtful')}
      actions={
        <Button size="small" onPress={() => setAsking(true)}>
          {t('server.clockRight')}
        </Button>
      }
    >
      {t(doubt.at_least ? 'server.clockAtLeast' : 'server.clockExpected', { is, expected })} {t('server.clockWaits')}{' '}
      {doubt.screens_heard > 0 && t('server.clockScreens', { agree: doubt.screens_agree, count: doubt.screens_heard })}
      {asking && (
        <ConfirmDialog
          title={t('server.clockAsk', { is })}
          confirm={t('server.clockRight')}
          isPending={confirm.isPending}
          onConfirm={() => confirm.mutate(doubt.id)}
          onClose={() => setAsking(false)}
        >
          <p>{t('server.clockAskHelp')}</p>
        </ConfirmDialog>
      )}
    </Notice>
  );
}
