import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Content, createRemote, createVideo, updateContent } from '../../../shared/contract/content/content.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import { addressKind } from './content.utils.ts';

const ANY_ADDRESS = 'https://';
const schema = z.object({ url: z.string().refine((url) => addressKind(url) !== undefined) });

/**
 * Dialog that adds content from the network by its address: a web page, a file on another server, or a video of a
 * video site.
 */
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
  const form = useForm({
    place: 'content/address',
    start: { url: '', name: '' },
    schema,
    topics: ['content'],
    run: async ({ url, name }) => {
      const body = { url: url.trim(), name };
      const content = await client.call(addressKind(url) === 'video' ? createVideo : createRemote, { body });
      return folderId
        ? client.call(updateContent, { params: { id: content.id }, body: { folder_id: folderId } })
        : content;
    },
    said: (content: Content) => t('common.added', { name: content.filename }),
    done: (content: Content) => onAdded(content),
    refused: ({ status, message }, { url }) =>
      status === 400
        ? { url: addressKind(url) === 'video' ? t('content.addressNoVideo') : message.replace(/^url: /, '') }
        : undefined,
  });
  const isVideo = addressKind(form.values.url) === 'video';
  return (
    <KeptDialog title={t('content.addressTitle')} form={form} submit={t('common.add')} onClose={onClose}>
      <p>{t('content.addressLead')}</p>
      <TextField
        {...form.field('url', t('common.address'), t('content.addressNeeded'))}
        placeholder={ANY_ADDRESS}
        type="url"
        inputMode="url"
        autoFocus
        spellCheck="false"
        maxLength={2000}
        hint={isVideo ? t('content.addressVideo') : t('content.addressRemote')}
      />
      <TextField {...form.field('name', t('common.name'))} hint={t('content.addressNameHint')} maxLength={200} />
    </KeptDialog>
  );
}
