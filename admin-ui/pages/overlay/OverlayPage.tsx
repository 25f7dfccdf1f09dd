import { useQuery } from '@tanstack/react-query';
import { Image, Megaphone, RotateCcw, Undo2 } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Message, repeatMessage, templateColors } from '../../../shared/contract/screens/messages.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Bone, Empty, Notice, Page, Section } from '../../components/frame/Page.tsx';
import '../../components/lists/ListRow.css';
import '../../components/lists/Table.css';
import { composer } from '../../api/editing/composer.ts';
import { messagesInForceQuery, messagesQuery } from '../../api/messages.ts';
import { client } from '../../api/requests/client.ts';
import { queryClient } from '../../api/requests/queryClient.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { useCanShow, useCanWrite } from '../../api/session/me.ts';
import { toast } from '../../components/controls/toasts.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { useOwnMessages } from '../../domain/screens/useOwnMessages.ts';
import screensDrawing from '../../drawings/screens.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { AdvancedOverlay } from './AdvancedOverlay.tsx';
import { templateIcons } from './MessageForm.tsx';
import { ResultLine, useWithdraw } from './MessageResult.tsx';
import './message.css';

/** Page with present and past messages, and the form for a new message. */
export function OverlayPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const canShow = useCanShow();
  const now = useQuery(messagesInForceQuery);
  const recent = useQuery(messagesQuery);
  const isPending = now.isPending || recent.isPending;
  if (!isPending && (!now.data || !recent.data)) return <QueryFailure query={now.data ? recent : now} />;
  const past = recent.data?.filter(({ in_force }) => !in_force) ?? [];
  const nothingYet = !isPending && recent.data?.length === 0;
  const write = canShow && (
    <Button variant="primary" icon={Megaphone} onPress={() => composer.open()}>
      {t('message.new')}
    </Button>
  );
  return (
    <Page title={t('message.pageTitle')} lead={t('message.lead')} actions={!nothingYet && write}>
      {canWrite && !canShow && (
        <Notice tone="info" title={t('approval.messages')}>
          {t('approval.messagesHelp')}
        </Notice>
      )}
      {isPending && <Bone height="16rem" radius="var(--r-xl)" />}
      {nothingYet && (
        <Empty drawing={screensDrawing} title={t('message.emptyTitle')} actions={write}>
          {t('message.emptyHelp')}
        </Empty>
      )}
      {!isPending && !nothingYet && (
        <>
          <Section title={t('message.onNow')}>
            {now.data?.length === 0 && <p className="field-hint">{t('message.nothingOn')}</p>}
            <Messages messages={now.data ?? []} canAct={canWrite} />
          </Section>
          {past.length > 0 && (
            <Section title={t('message.recent')}>
              <Messages messages={past} canAct={canShow} />
            </Section>
          )}
        </>
      )}
      {canShow && <AdvancedOverlay />}
    </Page>
  );
}

/** @param props.canAct whether present messages may be withdrawn, and past ones shown again */
function Messages({ messages, canAct }: { messages: readonly Message[]; canAct: boolean }) {
  const isWithin = useOwnMessages(messages);
  if (messages.length === 0) return null;
  return (
    <ul className="table-box">
      {messages.map((message) => (
        <MessageRow key={message.id} message={message} canAct={canAct && isWithin(message)} />
      ))}
    </ul>
  );
}

function MessageRow({ message, canAct }: { message: Message; canAct: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const { background, text } = message.colors ?? templateColors[message.template];
  const Icon = message.content_id === null ? templateIcons[message.template] : Image;
  const what = message.title || message.text || t('message.picture');
  const where = message.targets.map(({ kind, name }) => (kind === 'all' ? t('message.allScreens') : name));
  const facts = [
    format.list(where.slice(0, 4)),
    t('message.by', { who: message.user_name, when: format.ago(message.created_at, now) }),
    ...(message.in_force && message.until !== null ? [t('message.until', { when: format.time(message.until) })] : []),
  ];
  return (
    <li className="list-row message-row" style={{ '--message': background, '--message-ink': text } as CSSProperties}>
      <span className="message-sample" aria-hidden>
        <Icon />
      </span>
      <div className="row-what">
        <strong className="truncate">{what}</strong>
        {message.title && message.text && <small className="truncate">{message.text}</small>}
        <small>{facts.join(' · ')}</small>
      </div>
      <ResultLine message={message} />
      {canAct &&
        (message.in_force ? <Withdraw message={message} what={what} /> : <Again message={message} what={what} />)}
    </li>
  );
}

type ActProps = { message: Message; what: string };

function Withdraw({ message, what }: ActProps) {
  const { t } = useTranslation();
  const { busy, withdraw } = useWithdraw();
  return (
    <Button
      size="small"
      icon={Undo2}
      isPending={busy}
      aria-label={`${t('message.withdraw')}: ${what}`}
      onPress={() => void withdraw(message.id)}
    >
      {t('message.withdraw')}
    </Button>
  );
}

function Again({ message, what }: ActProps) {
  const { t } = useTranslation();
  const tell = useProblem();
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await client.call(repeatMessage, { params: { id: message.id } });
      toast({ tone: 'done', text: t('message.againShown'), detail: what });
      await queryClient.invalidateQueries({ queryKey: ['messages'] });
    } catch (error) {
      tell(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="small"
      icon={RotateCcw}
      isPending={busy}
      aria-label={`${t('message.again')}: ${what}`}
      onPress={() => void again()}
    >
      {t('message.again')}
    </Button>
  );
}
