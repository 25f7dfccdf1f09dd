import { useTranslation } from 'react-i18next';
import { type Store, updateStore } from '../../../shared/contract/stores.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';
import { KeptDialog } from '../../parts/KeptDialog.tsx';
import { writtenPlace } from './place.utils.ts';
import { StoreFields } from './StoreFields.tsx';
import { NewStore, type StoreValues, saidOf } from './stores.utils.ts';

type EditStoreProps = { store: Store; etag: string | undefined; onClose: () => void };

export function EditStore({ store, etag, onClose }: EditStoreProps) {
  const { id, name, region, tags, note } = store;
  const { t } = useTranslation();
  const form = useForm<StoreValues, unknown>({
    place: `stores/${id}`,
    start: { name, region, tags, place: writtenPlace(store), note },
    schema: NewStore,
    topics: ['stores'],
    run: (values) =>
      client.call(updateStore, {
        params: { id },
        body: saidOf(values),
        ...(etag !== undefined && { ifMatch: etag }),
      }),
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
