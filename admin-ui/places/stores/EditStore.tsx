import { useTranslation } from 'react-i18next';
import { type Store, updateStore } from '../../../shared/contract/stores.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';
import { KeptDialog } from '../../parts/KeptDialog.tsx';
import { StoreFields, type StoreValues } from './StoreFields.tsx';

type EditStoreProps = { store: Store; etag: string | undefined; onClose: () => void };

export function EditStore({ store: { id, name, region, tags, note }, etag, onClose }: EditStoreProps) {
  const { t } = useTranslation();
  const form = useForm<StoreValues, unknown>({
    place: `stores/${id}`,
    start: { name, region, tags, note },
    schema: updateStore.body,
    topics: ['stores'],
    run: (body) => client.call(updateStore, { params: { id }, body, ...(etag !== undefined && { ifMatch: etag }) }),
    done: onClose,
    said: () => t('common.saved'),
    refused: ({ status }) => (status === 409 ? { name: t('store.nameTaken') } : undefined),
  });
  return (
    <KeptDialog title={t('store.editTitle', { name })} form={form} submit={t('common.save')} onClose={onClose}>
      <StoreFields form={form} />
    </KeptDialog>
  );
}
