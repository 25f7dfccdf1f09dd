import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmEdit, type ConfirmEditProps } from './ConfirmEdit.tsx';
import type { Way } from './NotFound.tsx';

type DeleteRecordProps<R> = Omit<ConfirmEditProps<R>, 'confirm' | 'danger'> & {
  /** The list that is shown when the record is gone. */
  to: Way['to'];
  /** @default "Delete" */
  confirm?: string;
};

/** Asks, deletes the record whose page this is, and leaves. Changes to it that were not saved are no reason to stay. */
export function DeleteRecord<R>({ run, to, confirm, ...asked }: DeleteRecordProps<R>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <ConfirmEdit
      {...asked}
      confirm={confirm ?? t('common.delete')}
      danger
      run={async () => {
        const gone = await run();
        // The page of what is gone would only ask for it again.
        await navigate({ to, ignoreBlocker: true });
        return gone;
      }}
    />
  );
}
