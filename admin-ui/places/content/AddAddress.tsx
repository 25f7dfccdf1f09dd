import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, createRemote, createVideo, updateContent } from '../../../shared/contract/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { addressKind } from './content.utils.ts';

const ANY_ADDRESS = 'https://';

/** Something from the network: a page, a file of another server, a video of a video site. The address says which. */
export function AddAddress({
  folderId,
  onClose,
  onAdded,
}: {
  folderId: string | undefined;
  onClose: () => void;
  onAdded: (content: Content) => void;
}) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const kind = addressKind(url);
  const add = useEdit<void, Content>({
    topics: ['content'],
    run: async () => {
      const body = { url: url.trim(), name };
      const content = await (kind === 'video'
        ? client.call(createVideo, { body })
        : client.call(createRemote, { body }));
      return folderId
        ? client.call(updateContent, { params: { id: content.id }, body: { folder_id: folderId } })
        : content;
    },
    done: (content) => {
      toast({ tone: 'done', text: t('common.added', { name: content.filename }) });
      onAdded(content);
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return false;
      setProblem(kind === 'video' ? t('content.addressNoVideo') : error.message.replace(/^url: /, ''));
      return true;
    },
  });
  return (
    <FormDialog
      title={t('content.addressTitle')}
      onClose={onClose}
      onSubmit={() => {
        if (kind) add.mutate();
        else setProblem(t('content.addressNeeded'));
      }}
      submit={t('common.add')}
      isPending={add.isPending}
    >
      <p>{t('content.addressLead')}</p>
      <TextField
        label={t('common.address')}
        value={url}
        onChange={(text) => {
          setUrl(text);
          setProblem(undefined);
        }}
        placeholder={ANY_ADDRESS}
        type="url"
        inputMode="url"
        autoFocus
        spellCheck="false"
        maxLength={2000}
        error={problem}
        hint={kind === 'video' ? t('content.addressVideo') : t('content.addressRemote')}
      />
      <TextField
        label={t('common.name')}
        hint={t('content.addressNameHint')}
        value={name}
        onChange={setName}
        maxLength={200}
      />
    </FormDialog>
  );
}
