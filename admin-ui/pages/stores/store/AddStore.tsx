import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createStore,
  type EnrolmentCode,
  makeEnrolmentCode,
  type Store,
} from '../../../../shared/contract/headquarters/stores.ts';
import { useForm } from '../../../api/editing/useForm.ts';
import { client } from '../../../api/requests/client.ts';
import { KeptDialog } from '../../../domain/saving/KeptDialog.tsx';
import { NewStore, type StoreValues, stateParameter } from '../stores.utils.ts';
import { EnrolmentDialog } from './EnrolmentDialog.tsx';
import { StoreFields } from './StoreFields.tsx';

type Made = { store: Store; code: EnrolmentCode | undefined };

/**
 * Dialog that asks for the name of a new store, creates the store and its enrolment code, and waits until the store
 * is enrolled.
 */
export function AddStore({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Made>();
  const form = useForm<StoreValues, Made>({
    place: 'stores/new',
    start: { name: '', region: '', tags: [], place: '', note: '' },
    schema: NewStore,
    topics: ['stores'],
    run: async (values) => {
      const store = await client.call(createStore, { body: stateParameter(values) });
      // If this fails, the store exists without a code. The page of the store can create another code.
      const code = await client.call(makeEnrolmentCode, { params: { id: store.id } }).catch(() => undefined);
      return { store, code };
    },
    done: setMade,
    refused: ({ status }) => (status === 409 ? { name: t('store.nameTaken') } : undefined),
  });
  if (made) return <EnrolmentDialog store={made.store} code={made.code} onClose={onClose} />;
  return (
    <KeptDialog title={t('store.addTitle')} form={form} submit={t('store.addDo')} onClose={onClose}>
      <StoreFields form={form} />
    </KeptDialog>
  );
}
