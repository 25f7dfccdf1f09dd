import { useTranslation } from 'react-i18next';
import { type Store, updateStore } from '../../../../shared/contract/headquarters/stores.ts';
import { useForm } from '../../../api/editing/useForm.ts';
import { client } from '../../../api/requests/client.ts';
import { KeptDialog } from '../../../domain/saving/KeptDialog.tsx';
import { writtenPlace } from '../map/place.utils.ts';
import { NewStore, type StoreValues, stateParameter } from '../stores.utils.ts';
import { StoreFields } from './StoreFields.tsx';

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
        body: stateParameter(values),
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
