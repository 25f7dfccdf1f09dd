import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Message, type MessageState, withdrawMessage } from '../../../shared/contract/screens/messages.ts';
import { messageQuery, messageScreensQuery } from '../../api/messages.ts';
import { client } from '../../api/requests/client.ts';
import { queryClient } from '../../api/requests/queryClient.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { Progress } from '../../components/frame/Page.tsx';
import { seenOn } from './message.utils.ts';

/** States of a message on a screen that may need an action. Screens in other states are only counted. */
const TOLD = ['failed', 'offline', 'sent', 'missed'] as const satisfies readonly MessageState[];

type MessageResultProps = { sent: Message; onAnother: () => void; onClose: () => void };

/** The result of a message, as reported by the screens. */
export function MessageResult({ sent, onAnother, onClose }: MessageResultProps) {
  const { t } = useTranslation();
  const message = useQuery({ ...messageQuery(sent.id), initialData: sent }).data;
  const { busy, withdraw } = useWithdraw();
  return (
    <Dialog
      title={t('message.sentTitle')}
      onClose={onClose}
      actions={
        <>
          {message.in_force && (
            <Button icon={Undo2} isPending={busy} onPress={() => void withdraw(message.id)}>
              {t('message.withdraw')}
            </Button>
          )}
          <Button onPress={onAnother}>{t('message.another')}</Button>
          <Button variant="primary" onPress={onClose} autoFocus>
            {t('common.done')}
          </Button>
        </>
      }
    >
      <div className="message-result">
        <div role="status">
          <ResultLine message={message} />
        </div>
        {TOLD.map((status) => message[status] > 0 && <Screens key={status} id={message.id} status={status} />)}
      </div>
    </Dialog>
  );
}

/** The number of screens that show the message or have shown it, in one line. */
export function ResultLine({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { total, in_force, withdrawn_at } = message;
  const seen = in_force ? message.shown : seenOn(message);
  const words =
    total === 0
      ? t('message.nobody')
      : withdrawn_at !== null
        ? t('message.wasWithdrawn', { count: total, seen })
        : in_force
          ? t('message.isOn', { count: total, seen })
          : t('message.wasOn', { count: total, seen });
  return (
    <div className="message-state">
      <strong>{words}</strong>
      {total > 0 && <Progress share={seen / total} label={words} {...(seen === total && { tone: 'good' as const })} />}
    </div>
  );
}

const MOST = 5;

/** Screens with the same state, sorted by name. */
function Screens({ id, status }: { id: string; status: (typeof TOLD)[number] }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const screens = useQuery(messageScreensQuery(id, status)).data ?? [];
  const shown = all ? screens : screens.slice(0, MOST);
  if (screens.length === 0) return null;
  return (
    <div className={`message-screens ${status}`}>
      <p>{t(`message.told.${status}`, { count: screens.length })}</p>
      <ul>
        {shown.map(({ device_id, name, error }) => (
          <li key={device_id}>
            {name || t('message.deletedScreen')}
            {error && <small>{error}</small>}
          </li>
        ))}
      </ul>
      {screens.length > shown.length && (
        <Button size="small" variant="quiet" onPress={() => setAll(true)}>
          {t('message.showMore', { count: screens.length - shown.length })}
        </Button>
      )}
    </div>
  );
}

/** Hook that withdraws messages. */
export const useWithdraw = () => {
  const tell = useProblem();
  const [busy, setBusy] = useState(false);
  const withdraw = async (id: string) => {
    setBusy(true);
    try {
      const message = await client.call(withdrawMessage, { params: { id } });
      queryClient.setQueryData(messageQuery(id).queryKey, message);
      await queryClient.invalidateQueries({ queryKey: ['messages'] });
    } catch (error) {
      tell(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, withdraw };
};
