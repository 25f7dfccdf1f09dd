import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EnrolmentCode, makeEnrolmentCode, type Store } from '../../../../shared/contract/headquarters/stores.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { ConfirmDialog } from '../../../components/controls/Dialog.tsx';
import { EnrolmentDialog } from './EnrolmentDialog.tsx';

/** Dialog that explains the effect of a new enrolment code, creates the code, and shows it. */
export function NewCode({ store, onClose }: { store: Store; onClose: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<{ code: EnrolmentCode; before: Store }>();
  const replaces = store.line === 'up' || store.line === 'down';
  const make = useEdit({
    topics: ['stores'],
    run: () => client.call(makeEnrolmentCode, { params: { id: store.id } }),
    done: (code) => setMade({ code, before: store }),
  });
  if (made) return <EnrolmentDialog store={made.before} code={made.code} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={replaces ? t('store.replaceTitle', { name: store.name }) : t('store.codeTitle', { name: store.name })}
      confirm={t('store.replaceDo')}
      isPending={make.isPending}
      onConfirm={() => make.mutate()}
      onClose={onClose}
    >
      {replaces && <p>{t('store.replaceHelp')}</p>}
      {replaces && <p>{t('store.replaceDelivered')}</p>}
      <p>{t('store.codeAgain')}</p>
    </ConfirmDialog>
  );
}
