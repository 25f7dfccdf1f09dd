import { useQuery } from '@tanstack/react-query';
import { ImageUp, Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { type Message, sendMessage } from '../../../shared/contract/screens/messages.ts';
import type { ChosenTarget } from '../../api/editing/composer.ts';
import { useKeptDraft } from '../../api/editing/useKeptDraft.ts';
import { uploads } from '../../api/files/useUploads.ts';
import { messagesQuery } from '../../api/messages.ts';
import { client } from '../../api/requests/client.ts';
import { queryClient } from '../../api/requests/queryClient.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { FileDrop } from '../../components/fields/FileDrop.tsx';
import { KeptNotice } from '../../domain/saving/KeptNotice.tsx';
import { MessageForm } from './MessageForm.tsx';
import { MessageResult } from './MessageResult.tsx';
import { MessageStage } from './MessageStage.tsx';
import { emptyDraft, hasContent, type MessageDraft, messageBody } from './message.utils.ts';
import './message.css';

type MessageDialogProps = { targets: readonly ChosenTarget[]; onClose: () => void };

/** Dialog for a message: write it, preview it on the picture of a screen, send it, and see the result. */
export function MessageDialog({ targets, onClose }: MessageDialogProps) {
  const [draft, setDraft] = useState<MessageDraft>(() => emptyDraft(targets));
  const [sent, setSent] = useState<Message>();
  if (sent)
    return (
      <MessageResult
        sent={sent}
        onAnother={() => {
          setSent(undefined);
          setDraft(emptyDraft(draft.targets));
        }}
        onClose={onClose}
      />
    );
  return <Compose draft={draft} onDraft={setDraft} onSent={setSent} onClose={onClose} />;
}

type ComposeProps = {
  draft: MessageDraft;
  onDraft: (change: (now: MessageDraft) => MessageDraft) => void;
  onSent: (message: Message) => void;
  onClose: () => void;
};

function Compose({ draft, onDraft, onSent, onClose }: ComposeProps) {
  const { t } = useTranslation();
  const tell = useProblem();
  const recent = useQuery(messagesQuery).data ?? [];
  const [sending, setSending] = useState(false);
  const [uploading, setUploading] = useState(false);
  const change = (part: Partial<MessageDraft>) => onDraft((now) => ({ ...now, ...part }));
  const kept = useKeptDraft({
    place: 'messages/new',
    value: draft,
    changed: hasContent(draft),
    restore: (before) => onDraft(() => before),
  });
  const close = () => {
    kept.drop();
    onClose();
  };
  const canSend = hasContent(draft) && draft.targets.length > 0 && !sending;

  const send = async () => {
    if (!canSend) return;
    setSending(true);
    try {
      const message = await client.call(sendMessage, { body: messageBody(draft, recent) });
      void queryClient.invalidateQueries({ queryKey: ['messages'] });
      kept.drop();
      onSent(message);
    } catch (error) {
      tell(error);
    } finally {
      setSending(false);
    }
  };
  /** Uploads a dropped file into the library and uses it as the picture of the message. */
  const drop = (file: File) => {
    setUploading(true);
    uploads.add([file], {
      onEnd: (answer) => {
        setUploading(false);
        const picture = answer as Content | undefined;
        if (picture) change({ picture: { id: picture.id, name: picture.filename } });
      },
    });
  };
  return (
    <Dialog
      title={t('message.title')}
      size="wide"
      onClose={close}
      onSubmit={() => void send()}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" icon={Send} isDisabled={!canSend} isPending={sending}>
            {t('message.send')}
          </Button>
        </>
      }
    >
      <FileDrop
        title={t('message.dropTitle')}
        lead={t('message.dropLead')}
        onFiles={(files) => {
          const picture = files.find(({ file }) => file.type.startsWith('image/'));
          if (picture) drop(picture.file);
          else toast({ tone: 'note', text: t('message.dropOnly'), detail: t('message.dropOnlyHelp') });
        }}
      >
        <KeptNotice offer={kept.offer} />
        <div className="message-composer">
          <MessageForm draft={draft} recent={recent} onChange={change} />
          <MessageStage draft={draft} recent={recent} />
        </div>
        {uploading && (
          <p className="field-hint" role="status">
            <ImageUp aria-hidden size={16} /> {t('message.uploading')}
          </p>
        )}
      </FileDrop>
    </Dialog>
  );
}
