import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BIN_DAYS } from '../../shared/contract/bin.ts';
import { ConfirmEdit, type ConfirmEditProps } from './ConfirmEdit.tsx';
import type { Way } from './NotFound.tsx';
import { useBringBack } from './useBringBack.ts';

type DeleteRecordProps<R> = Omit<ConfirmEditProps<R>, 'confirm' | 'danger'> & {
  /** The list that is shown when the record is gone. */
  to: Way['to'];
  /** @default "Delete" */
  confirm?: string;
  /** Its id, when it goes into the bin: the dialog says so, and the toast offers to bring it back. */
  binned?: string;
};

/** Asks, deletes the record whose page this is, and leaves. Changes to it that were not saved are no reason to stay. */
export function DeleteRecord<R>({ run, to, confirm, binned, said, children, ...asked }: DeleteRecordProps<R>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bringBack = useBringBack();
  const action = binned && { label: t('common.undo'), run: () => bringBack.mutate({ refs: [binned] }) };
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
      said={(gone) => {
        const told = said?.(gone);
        if (!told || !action) return told;
        return { ...(typeof told === 'string' ? { text: told } : told), action };
      }}
    >
      {children}
      {binned && <p>{t('bin.liesThere', { count: BIN_DAYS })}</p>}
    </ConfirmEdit>
  );
}
