import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ClockState, confirmClock } from '../../../shared/contract/upkeep.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Page.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/**
 * Shown when the server's clock has jumped: both times, the functions that wait, and the button to confirm the present
 * time.
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
