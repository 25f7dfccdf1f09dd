import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Message, repeatMessage, withdrawMessage } from '../../../../shared/contract/screens/messages.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { useCanShow, useCanWrite } from '../../../api/session/me.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Notice } from '../../../components/frame/Page.tsx';
import { useNow } from '../../../components/hooks/useNow.ts';
import { ConfirmEdit } from '../../../domain/saving/ConfirmEdit.tsx';
import { useOwnMessages } from '../../../domain/screens/useOwnMessages.ts';
import { useFormat } from '../../../i18n/useFormat.ts';

/** Notices about alarms that screens show, each with a button that withdraws the alarm. */
export function AlarmNotices({ alarms }: { alarms: readonly Message[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const canWrite = useCanWrite();
  const isOwn = useOwnMessages(alarms);
  const [asking, setAsking] = useState<Message>();
  const whatOf = ({ title, text }: Message) => title || text || t('message.picture');
  return (
    <>
      {alarms.map((alarm) => (
        <Notice
          key={alarm.id}
          tone="bad"
          title={t('message.alarmOn', { what: whatOf(alarm) })}
          actions={
            canWrite &&
            isOwn(alarm) && (
              <Button
                size="small"
                aria-label={`${t('message.withdraw')}: ${whatOf(alarm)}`}
                onPress={() => setAsking(alarm)}
              >
                {t('message.withdraw')}
              </Button>
            )
          }
        >
          {[
            t('message.isOn', { count: alarm.total, seen: alarm.shown }),
            t('message.since', { when: format.dateTime(alarm.created_at), ago: format.ago(alarm.created_at, now) }),
            alarm.user_name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Notice>
      ))}
      {asking && <WithdrawAlarm alarm={asking} what={whatOf(asking)} onClose={() => setAsking(undefined)} />}
    </>
  );
}

/** Asks for confirmation before an alarm is withdrawn. The alarm can be shown again for a while. */
function WithdrawAlarm({ alarm, what, onClose }: { alarm: Message; what: string; onClose: () => void }) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const again = useEdit({
    topics: ['messages'],
    run: () => client.call(repeatMessage, { params: { id: alarm.id } }),
    said: () => ({ text: t('message.againShown'), detail: what }),
  });
  return (
    <ConfirmEdit
      topics={['messages']}
      run={() => client.call(withdrawMessage, { params: { id: alarm.id } })}
      said={() => ({
        text: t('message.alarmWithdrawn'),
        detail: what,
        ...(canShow && { action: { label: t('common.undo'), run: () => again.mutate() } }),
      })}
      title={t('message.withdrawAsk', { what })}
      confirm={t('message.withdraw')}
      danger
      onClose={onClose}
    >
      <p>{t('message.withdrawHelp', { count: alarm.total })}</p>
    </ConfirmEdit>
  );
}
